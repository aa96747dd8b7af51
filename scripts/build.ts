/**
 * Builds what is published: `npm run build`. Static files of the console, the package of the SDK, and dist/, the gateway
 * in plain JavaScript: `node dist/cli/bin/postern.js serve`. Running from a clone needs none of this. `--gateway-only`
 * leaves out the other two, `--out` names another folder than dist.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from './build-console.ts'
import { root, script, show, tool } from './run-command.ts'

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    'gateway-only': { type: 'boolean', default: false },
  },
})

if (!flags['gateway-only']) {
  await buildConsole({ ifNeeded: false })
  await show(script('scripts/build-sdk.ts'))
}
await buildGateway(resolve(flags.out))

/** The folders keep their places, so that paths relative to a file mean the same in sources and build. */
async function buildGateway(target: string): Promise<void> {
  const staging = `${target}-${process.pid}`
  mkdirSync(staging, { recursive: true })
  try {
    await emit(staging)
    linkRooms(staging)
    copyBinary(staging)
    writeManifests(staging)
    const pages = join(root, 'console', 'dist')
    if (existsSync(pages)) cpSync(pages, join(staging, 'console', 'dist'), { recursive: true })
    rmSync(target, { recursive: true, force: true })
    renameSync(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  process.stderr.write(`built ${target}\n`)
}

async function emit(staging: string): Promise<void> {
  const config = join(staging, 'tsconfig.json')
  const rooms = ['server', 'sandbox', 'sdk', 'cli'].map((room) => join(root, room, 'src'))
  writeJson(config, {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      // `npm run check` checks; here an import of another room by its package name would be an error (TS2877).
      noCheck: true,
      rewriteRelativeImportExtensions: true,
      sourceMap: true,
      rootDir: root,
      outDir: staging,
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    include: rooms,
    exclude: ['**/*.test.ts', '**/testing/**', '**/conformance.ts'].map((pattern) => join(root, pattern)),
  })
  await show(tool('typescript/bin/tsc', '-p', config))
  rmSync(config)
}

/** In a clone the rooms find each other as workspaces; in a build by relative paths. */
function linkRooms(staging: string): void {
  for (const file of globSync('cli/src/**/*.js', { cwd: staging })) {
    const path = join(staging, file)
    const linked = readFileSync(path, 'utf8').replaceAll(
      /(['"])@postern\/(\w+)(?:\/([\w./-]+)\.ts)?\1/g,
      (_, quote: string, room: string, name = 'index') => {
        const other = relative(dirname(path), join(staging, room, 'src', `${name}.js`))
        return `${quote}${other.replaceAll('\\', '/')}${quote}`
      },
    )
    writeFileSync(path, linked)
  }
}

function copyBinary(staging: string): void {
  const source = readFileSync(join(root, 'cli', 'bin', 'postern.js'), 'utf8')
  mkdirSync(join(staging, 'cli', 'bin'), { recursive: true })
  writeFileSync(join(staging, 'cli', 'bin', 'postern.js'), source.replace('../src/main.ts', '../src/main.js'), {
    mode: 0o755,
  })
}

/** One manifest with everything a machine has to install; the rooms keep theirs for name and version. */
function writeManifests(staging: string): void {
  const server = readManifest('server')
  const { name, version, description, license, engines } = readManifest('cli')
  writeJson(join(staging, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { postern: 'cli/bin/postern.js' },
    engines,
    dependencies: server.dependencies,
  })
  writeJson(join(staging, 'server', 'package.json'), { name: server.name, version: server.version, type: 'module' })
  cpSync(join(root, 'LICENSE'), join(staging, 'LICENSE'))
}

function readManifest(room: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Record<string, unknown>
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
