import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    target: 'es2023',
    // Inlined files would be `data:` urls, which the policy of the page allows for pictures only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Compressing takes most of the time and is known to: no reason to advise whoever runs `npm start`.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What several pages share is one file: apart, a page would ask for up to twenty of a kilobyte or less.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 6 }] } },
    },
  },
  server: { proxy: { '/console/api': 'http://localhost:8080', '/docs/api': 'http://localhost:8080' } },
})

/** Compresses once, as hard as possible, what would otherwise be compressed at every request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = await readdir(dir, { recursive: true })
      await Promise.all(
        files.filter((file) => /\.(js|css|html|svg)$/.test(file)).map((file) => compress(join(dir, file))),
      )
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  await Promise.all([
    brotli(bytes).then((packed) => writeFile(`${path}.br`, packed)),
    zip(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ])
}
