/**
 * Builds the package of the SDK that is published: `node scripts/build-sdk.ts [--out folder]`, default `sdk/dist`, which
 * `npm pack -w sdk` packs. The sources are TypeScript that Node runs as it is; the package is ESM, CommonJS and types for Node >= 20 and for
 * every runtime with `fetch`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'sdk')

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(source, 'dist') } } })
  buildSdk(resolve(values.out))
}

/** Builds beside the target and renames, so that nobody ever imports half a package. */
export function buildSdk(out: string): void {
  const staging = join(dirname(out), `.${basename(out)}-${process.pid}`)
  mkdirSync(staging, { recursive: true })
  try {
    compile(staging, 'esm', { module: 'nodenext', verbatimModuleSyntax: true })
    compile(staging, 'cjs', { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false })
    writeJson(join(staging, 'package.json'), sdkManifest('.'))
    for (const file of [join(root, 'LICENSE'), join(source, 'README.md')]) cpSync(file, join(staging, basename(file)))
    rmSync(out, { recursive: true, force: true })
    renameSync(staging, out)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  process.stderr.write(`built ${out}\n`)
}

/**
 * One module system into its own folder, which says in a package.json of its own how its `.js` files are to be read.
 * The target is what Node 20 knows, so a newer API or syntax in the sources fails here.
 */
function compile(staging: string, folder: 'esm' | 'cjs', options: Record<string, unknown>): void {
  const outDir = join(staging, folder)
  const config = join(staging, 'tsconfig.json')
  writeJson(config, {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022'],
      typeRoots: [join(root, 'node_modules', '@types')],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(source, 'src'),
      outDir,
      ...options,
    },
    files: [join(source, 'src', 'index.ts')],
  })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', config], { stdio: ['ignore', 2, 2] })
  rmSync(config)
  writeJson(join(outDir, 'package.json'), { type: folder === 'esm' ? 'module' : 'commonjs' })
}

/** Name, version, description and license come from the workspace; the rest only makes sense for the built files. */
export function sdkManifest(folder: string): object {
  const { name, version, description, license } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const entry = (kind: string) => ({ types: `${folder}/${kind}/index.d.ts`, default: `${folder}/${kind}/index.js` })
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    // AbortSignal.any came with 20.3.
    engines: { node: '>=20.3' },
    main: `${folder}/cjs/index.js`,
    types: `${folder}/cjs/index.d.ts`,
    exports: { '.': { import: entry('esm'), require: entry('cjs') }, './package.json': './package.json' },
  }
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
