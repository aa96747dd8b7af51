import { createWriteStream, lstatSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar } from 'modern-tar/fs'

/** npm writes this date into every tarball: equal files give equal bytes, whenever they are built. */
const mtime = new Date('1985-10-26T08:15:00Z')

/** Writes everything below `folder` into one file, below `prefix` (npm expects `package`). */
export async function writeTarball(folder: string, prefix: string, file: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const entries = paths.map((source) => {
    const target = `${prefix}/${relative(folder, source).split(sep).join('/')}`
    const mode = (lstatSync(source).mode & 0o111) === 0 ? 0o644 : 0o755
    return { type: 'file', source, target, mode, mtime, uid: 0, gid: 0, uname: '', gname: '' } as const
  })
  await pipeline(packTar(entries), createGzip({ level: 6 }), createWriteStream(file))
}
