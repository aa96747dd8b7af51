/** What package-lock.json says about packages. Reads the lock file only, so it works without a network. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run-command.ts'

export type LockedPackage = {
  readonly name: string
  readonly version: string
  /** From the root, for example `node_modules/ajv/node_modules/fast-uri`. */
  readonly path: string
  readonly license: string | null
  /** As in `dist.integrity` of the registry: `sha512-…`. */
  readonly integrity: string | null
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

const folder = 'node_modules/'

/** Every package of the registry in the lock file, tools of development included. */
export function lockedPackages(): LockedPackage[] {
  return Object.entries(readLock())
    .filter(([path, entry]) => path.includes(folder) && entry.link !== true)
    .map(([path, entry]) => describe(path, entry))
}

/** The direct dependencies of these rooms at run time; rooms of this repository are not among them. */
export function directDependencies(rooms: readonly string[]): Record<string, string> {
  const manifests = rooms.map((room) => JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Entry)
  const all = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies))
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('@postern/')).sort())
}

/** Everything these rooms need at run time, found as Node finds it: from the folder that imports upwards. */
export function productionPackages(rooms: readonly string[]): LockedPackage[] {
  const lock = readLock()
  const found = new Map<string, LockedPackage>()
  const visit = (name: string, from: string) => {
    const path = resolvePath(lock, name, from)
    if (found.has(path)) return
    const locked = describe(path, lock[path] ?? {})
    found.set(path, locked)
    for (const dependency of locked.dependencies) visit(dependency, path)
  }
  for (const room of rooms) for (const name of Object.keys(directDependencies([room]))) visit(name, room)
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function resolvePath(lock: Record<string, Entry>, name: string, from: string): string {
  for (let at = from; ; at = dirname(at)) {
    const path = at === '.' ? `${folder}${name}` : `${at}/${folder}${name}`
    if (lock[path]) return path
    if (at === '.') throw new Error(`package-lock.json has no ${name}, which ${from} needs`)
  }
}

function describe(path: string, entry: Entry): LockedPackage {
  return {
    name: path.slice(path.lastIndexOf(folder) + folder.length),
    version: entry.version ?? '',
    path,
    license: entry.license ?? null,
    integrity: entry.integrity ?? null,
    // npm names an optional one of another platform in the lock file too.
    dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
  }
}

function readLock(): Record<string, Entry> {
  return (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> })
    .packages
}
