import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

export type SourceFile = { readonly path: string; readonly text: string }

/** One import statement. `to` is a path of this repository, or the name of a package or of a module of Node. */
export type Import = {
  readonly from: string
  readonly to: string
  readonly kind: 'value' | 'type'
  readonly isOurs: boolean
}

/** All TypeScript of the rooms, read from disk; paths are relative to the root and use forward slashes. */
export function readSources(root: string): SourceFile[] {
  const patterns = ['{server,sandbox,sdk,console,cli}/src/**/*.{ts,tsx}', '{test,bench,scripts}/**/*.ts']
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(posix.join(root, path), 'utf8') }))
}

/** Static, dynamic and re-exporting imports, and worker threads, which are imports that no compiler sees. */
const patterns = [
  /^import\s+(?<type>type\s+)?(?<names>[\w$*{][^'"]*?)\s+from\s+'(?<target>[^']+)'/gm,
  /^export\s+(?<type>type\s+)?(?<names>\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'(?<target>[^']+)'/gm,
  /^import\s+'(?<target>[^']+)'/gm,
  /(?<type>\btypeof\s+)?\bimport\(\s*'(?<target>[^']+)'\s*\)/g,
  /new URL\(['`](?<target>\.{1,2}\/[\w./-]+)(?:\.ts|\$\{[^}]*\})['`],\s*import\.meta\.url\)/g,
]

export function importsOf(file: SourceFile): Import[] {
  return patterns.flatMap((pattern) =>
    [...file.text.matchAll(pattern)].map(({ groups = {} }) => {
      const { type, names = '', target = '' } = groups
      const resolved = resolve(file.path, target)
      return {
        from: file.path,
        to: resolved ?? target,
        kind: type !== undefined || onlyTypes(names) ? 'type' : 'value',
        isOurs: resolved !== null,
      } as const
    }),
  )
}

/** `{ type A, type B }`: every name is a type, so nothing is left of the statement when it runs. */
function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1]
  if (inner === undefined) return false
  const parts = inner.split(',').map((part) => part.trim())
  return parts.every((part) => part === '' || part.startsWith('type '))
}

function resolve(from: string, target: string): string | null {
  if (target.startsWith('.')) return withExtension(posix.join(posix.dirname(from), target))
  const [, room, file] = /^@postern\/(\w+)(?:\/(.+))?$/.exec(target) ?? []
  if (room === undefined) return null
  // As `exports` of its package.json says.
  return room === 'server' ? `server/src/operator/${file}` : `${room}/src/${file ?? 'index.ts'}`
}

function withExtension(path: string): string {
  return posix.extname(path) === '' ? `${path}.ts` : path
}

/** Groups of files that reach each other in a circle; each is as large as it gets (Tarjan's components). */
export function circlesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to, isOurs } of imports) if (isOurs) targets.set(from, [...(targets.get(from) ?? []), to])
  const found = new Map<string, { index: number; low: number; open: boolean }>()
  const stack: string[] = []
  const circles: string[][] = []
  for (const file of targets.keys()) if (!found.has(file)) visit(file)
  return circles

  function visit(file: string): number {
    const entry = { index: found.size, low: found.size, open: true }
    found.set(file, entry)
    stack.push(file)
    for (const next of targets.get(file) ?? []) {
      const known = found.get(next)
      if (!known) entry.low = Math.min(entry.low, visit(next))
      else if (known.open) entry.low = Math.min(entry.low, known.index)
    }
    if (entry.low === entry.index) closeComponent(file)
    return entry.low
  }

  function closeComponent(file: string): void {
    const members = stack.splice(stack.indexOf(file))
    for (const member of members) Object.assign(found.get(member) ?? {}, { open: false })
    const importsItself = members.length === 1 && (targets.get(file) ?? []).includes(file)
    if (members.length > 1 || importsItself) circles.push(members.sort())
  }
}
