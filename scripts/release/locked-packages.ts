/** What package-lock.json says about packages. Reads the lock file only, so it works without a network. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../run-command.ts'

export type LockedPackage = {
  readonly name: string
  readonly version: string
  /** From the root, for example `node_modules/ajv/node_modules/fast-uri`. */
  readonly path: string
  readonly license: string | null
  /** As in `dist.integrity` of the registry: `sha512-…`. */
  readonly integrity: string | null
  /** Paths of what it needs at run time. */
  readonly dependencies: readonly string[]
}

type Entry = {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Lock = Record<string, Entry>

const folder = 'node_modules/'

/** Every package of the registry in the lock file, tools of development included. */
export function lockedPackages(): LockedPackage[] {
  const lock = readLock()
  return Object.entries(lock)
    .filter(([path, entry]) => path.includes(folder) && entry.link !== true)
    .map(([path]) => describe(lock, path))
}

/** The direct dependencies of these rooms at run time; rooms of this repository are not among them. */
export function directDependencies(rooms: readonly string[]): Record<string, string> {
  const manifests = rooms.map((room) => JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Entry)
  const all = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies))
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('@postern/')).sort())
}

/** Everything these rooms need at run time, found as Node finds it: from the folder that imports upwards. */
export function productionPackages(rooms: readonly string[]): LockedPackage[] {
  return closureOf(
    rooms.flatMap((room) => Object.keys(directDependencies([room])).map((name) => [name, room] as const)),
  )
}

/** What the build puts into the console's pages: packages its sources import, and what those need. */
export function consolePackages(): LockedPackage[] {
  const manifest = readFileSync(join(root, 'console', 'package.json'), 'utf8')
  const { devDependencies = {} } = JSON.parse(manifest) as { devDependencies?: Record<string, string> }
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const imported = Object.keys(devDependencies).filter((name) => new RegExp(`from '${name}(/|')`).test(sources))
  return closureOf(imported.map((name) => [name, 'console'] as const))
}

function closureOf(start: readonly (readonly [name: string, from: string])[]): LockedPackage[] {
  const lock = readLock()
  const paths = new Set(start.map(([name, from]) => requirePath(lock, name, from)))
  const found: LockedPackage[] = []
  // A set that grows while it is walked: each package is visited once.
  for (const path of paths) {
    const locked = describe(lock, path)
    found.push(locked)
    for (const dependency of locked.dependencies) paths.add(dependency)
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function requirePath(lock: Lock, name: string, from: string): string {
  const path = findPath(lock, name, from)
  if (path === null) throw new Error(`package-lock.json has no ${name}, which ${from} needs`)
  return path
}

function findPath(lock: Lock, name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const path = at === '.' ? `${folder}${name}` : `${at}/${folder}${name}`
    if (lock[path]) return path
    if (at === '.') return null
  }
}

function describe(lock: Lock, path: string): LockedPackage {
  const { version = '', license = null, integrity = null, dependencies, optionalDependencies } = lock[path] ?? {}
  const needed = Object.keys(dependencies ?? {}).map((name) => requirePath(lock, name, path))
  const wanted = Object.keys(optionalDependencies ?? {}).map((name) => findPath(lock, name, path))
  return {
    name: path.slice(path.lastIndexOf(folder) + folder.length),
    version,
    path,
    license,
    integrity,
    dependencies: [...needed, ...wanted.filter((one) => one !== null)],
  }
}

function readLock(): Lock {
  return (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages
}
