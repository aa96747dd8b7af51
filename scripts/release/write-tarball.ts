import { createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar } from 'modern-tar/fs'

/** A file, or a folder with everything below it, and where it lies in the tarball. */
export type Part = readonly [source: string, target: string]

/** npm writes this date into every tarball: equal files give equal bytes, whenever they are built. */
export const mtime = new Date('1985-10-26T08:15:00Z')

/** In the 16 kB that are the default, the tarball with Node is 9,000 chunks, each a call to a thread and one to the disk. */
const chunkSize = 2 ** 20

/** Reads everything before it writes: 5,000 small files, each a stream of its own, take twice as long. */
export async function writeTarball(file: string, parts: readonly Part[], level: number): Promise<void> {
  const entries = parts.flatMap(filesOf).map(([source, target]) => {
    const mode = (statSync(source).mode & 0o111) === 0 ? 0o644 : 0o755
    const content = readFileSync(source)
    return { type: 'content', content, target, mode, mtime, uid: 0, gid: 0, uname: '', gname: '' } as const
  })
  await pipeline(packTar(entries), createGzip({ level, chunkSize }), createWriteStream(file))
}

export function filesOf([source, target]: Part): Part[] {
  if (statSync(source).isFile()) return [[source, target]]
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, `${target}/${relative(source, path).split(sep).join('/')}`] as const)
}
