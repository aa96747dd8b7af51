/**
 * `npm pack -w sdk` and `npm publish -w sdk` pack the workspace, whose manifest points to TypeScript: Node refuses that in
 * an installed package. npm runs this before (`prepack`), which builds and writes the manifest of the built files, and
 * with `--restore` afterwards (`postpack`).
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk, sdkManifest } from './build-sdk.ts'
import { root } from './run-command.ts'

const manifest = join(root, 'sdk', 'package.json')
const kept = join(root, 'sdk', '.package.json')

// Also when packing was cut short the last time.
if (existsSync(kept)) renameSync(kept, manifest)
if (!process.argv.includes('--restore')) {
  buildSdk(join(root, 'sdk', 'dist'))
  const packed = { ...sdkManifest('./dist'), files: ['dist/esm', 'dist/cjs', 'dist/LICENSE'] }
  renameSync(manifest, kept)
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`)
}
