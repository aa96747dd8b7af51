/**
 * The package `postern` in plain JavaScript, with everything it needs at run time in its node_modules: it installs
 * without a registry, and the folder runs as it is with `node cli/bin/postern.js serve`.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { collect, root, show, tool } from '../run-command.ts'
import { directDependencies, productionPackages } from './locked-packages.ts'
import { gatewayRooms } from './shipped-packages.ts'

/** Read by people and by tools of development only, two thirds of all files; licences stay. */
const leftOut = [
  /\.(map|[cm]?ts)$/,
  /(^|\/)(tests?|__tests__|bench(marks?)?|docs|examples?|\.github)(\/|$)/,
  /^(?!.*(licen[cs]e|notice)).*\.(md|yml)$/i,
]

/** Builds beside the target and renames: nobody ever runs half a build. */
export async function buildGateway(target: string): Promise<void> {
  const staging = `${target}-${process.pid}`
  mkdirSync(staging, { recursive: true })
  try {
    await emit(staging)
    linkRooms(staging)
    copyBinary(staging)
    await writeManifests(staging)
    copyDependencies(staging)
    cpSync(join(root, 'sandbox', 'contract'), join(staging, 'sandbox', 'contract'), { recursive: true })
    for (const pages of ['console/dist', 'docs/dist'].filter((folder) => existsSync(join(root, folder)))) {
      cpSync(join(root, pages), join(staging, pages), { recursive: true })
    }
    rmSync(target, { recursive: true, force: true })
    renameSync(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The folders keep their places, so that paths relative to a file mean the same in sources and build. */
async function emit(staging: string): Promise<void> {
  const config = join(staging, 'tsconfig.json')
  writeJson(config, {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      // `npm run check` checks; here an import of another room by its package name would be an error (TS2877). What is
      // imported need not be read either.
      noCheck: true,
      noResolve: true,
      types: [],
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: staging,
    },
    include: gatewayRooms.map((room) => join(root, room, 'src')),
    exclude: ['**/*.test.ts', '**/testing/**'].map((pattern) => join(root, pattern)),
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
      (_, quote: string, room: string, name?: string) => {
        const { exports } = readManifest(room) as { exports: { '.'?: string; './*'?: string } }
        const source = (name === undefined ? exports['.'] : exports['./*']?.replace('*', `${name}.ts`)) ?? ''
        const other = relative(dirname(path), join(staging, room, source.replace(/\.ts$/, '.js')))
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

/** One manifest names what is bundled; the server keeps its own, which says the version and the commit. */
async function writeManifests(staging: string): Promise<void> {
  const server = readManifest('server')
  const { name, version, description, license, engines } = readManifest('cli')
  const dependencies = directDependencies(gatewayRooms)
  writeJson(join(staging, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { postern: 'cli/bin/postern.js' },
    engines,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  })
  const { ok, output } = await collect({ program: 'git', args: ['rev-parse', 'HEAD'] })
  // Sources without Git have no commit to name.
  const commit = ok ? { commit: output.trim() } : {}
  writeJson(join(staging, 'server', 'package.json'), {
    name: server.name,
    version: server.version,
    ...commit,
    type: 'module',
  })
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(staging, file))
}

/** At the places of the lock file, which are those of the clone's node_modules. */
function copyDependencies(staging: string): void {
  for (const { path } of productionPackages(gatewayRooms)) {
    const from = join(root, path)
    if (!path.startsWith('node_modules/')) throw new Error(`${path} lies inside a room: npm could not hoist it`)
    const filter = (file: string) => {
      const inside = relative(from, file)
      return !inside.startsWith('node_modules') && !leftOut.some((pattern) => pattern.test(inside))
    }
    cpSync(from, join(staging, path), { recursive: true, filter })
  }
}

function readManifest(room: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Record<string, unknown>
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
