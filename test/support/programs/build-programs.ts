import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { programs } from './program-file.ts'

const root = resolve(import.meta.dirname, '../../..')
const builds = join(root, 'node_modules', '.cache', 'tests')
const keptMs = 86_400_000

/** What the program loads by `require` when it first needs it. */
const required = {
  kysely: 'node_modules/kysely/dist/index.js',
  'libphonenumber-js/min': 'node_modules/libphonenumber-js/min/index.js',
}
const requireCall = new RegExp(String.raw`\(import\.meta\.url\)\(["'](${Object.keys(required).join('|')})["']\)`)

/**
 * Bundles the programs and returns their folder. From the sources a start of `postern` loads nine hundred modules, which
 * takes a second of processor time; from the bundle a third of it. An earlier build of the same sources is used again.
 */
export async function buildPrograms(): Promise<string> {
  const target = join(builds, `programs-${hashOfSources()}`)
  if (!existsSync(target)) await buildInto(target)
  return target
}

async function buildInto(target: string): Promise<void> {
  const staging = `${target}.${process.pid}`
  try {
    const { serve, ...others } = programs
    await bundle(staging, { ...others, ...required })
    // Commands load a few of the hundred chunks. The gateway loads nearly all, and from one file it starts 0.1 s sooner.
    await bundle(staging, { serve }, false)
    // Node would read every chunk once more to find out that it is a module.
    writeFileSync(join(staging, 'package.json'), '{"type":"module"}')
    removeOldBuilds()
    // Another run of the same sources may have been faster.
    if (!existsSync(target)) renameSync(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function bundle(target: string, files: Record<string, string>, codeSplitting = true): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [fromOneFile, keepPlaces, withoutOwnFetch],
    build: {
      ssr: true,
      outDir: target,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(root, file)])),
        output: { codeSplitting },
        // Not in the clone: `pg` looks for it and does without.
        external: ['pg-native'],
      },
    },
    ssr: { noExternal: true },
  })
}

/**
 * From its 255 files Kysely takes each process that lists anything 220 ms of processor time, from one file 10 ms; the
 * numbering plans take 55 and 12 ms.
 */
const fromOneFile: Plugin = {
  name: 'from-one-file',
  transform: {
    filter: { code: requireCall },
    handler: (code) => code.replace(requireCall, '(process.env.TEST_PROGRAMS + "/")("./$1.js")'),
  },
}

/** The program finds its pages, its version and its threads by their places beside its sources. There they stay. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.', id: /\/(server|sandbox|cli)\/(src|bin)\// },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
}

/**
 * An import of `node:http` reads all it exports, also `WebSocket`, for which Node loads its own `fetch`: 70 ms of each
 * start. Most commands and the gateway call by other means; what they import is taken from the module one by one.
 */
const withoutOwnFetch: Plugin = {
  name: 'without-own-fetch',
  enforce: 'pre',
  // Packages that call `require` get the module itself.
  resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind === 'import-statement' ? lazyHttp : null),
  load(id) {
    if (id !== lazyHttp) return null
    const values = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => get === undefined)
    return `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${values.map(([name]) => name).join(', ')} } = http`
  },
}
const lazyHttp = '\0node-http'

function hashOfSources(): string {
  const sources = ['{server,sandbox,sdk,cli}/{src,bin}/**/*.{ts,js}', 'test/support/**/*.ts', 'package-lock.json']
  const files = globSync(sources, { cwd: root }).filter((name) => !name.endsWith('.test.ts'))
  // Paths of the folder are in the bundles: those that were copied with it from another are not used.
  const hash = createHash('sha256').update(root)
  for (const file of files.sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** Not those of the last day: a long proof may be running them. */
function removeOldBuilds(): void {
  for (const name of globSync('programs-*', { cwd: builds })) {
    const folder = join(builds, name)
    if (statSync(folder).mtimeMs < Date.now() - keptMs) rmSync(folder, { recursive: true, force: true })
  }
}
