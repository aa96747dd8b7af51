import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// A socket's path may have 104 to 108 bytes, depending on the system.
const pathBytesMax = 100

/** Where a server on this data folder listens for the command line. */
export function controlPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'control.sock')
  if (Buffer.byteLength(path) <= pathBytesMax) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 24)
  return join(tmpdir(), `postern-${name}.sock`)
}
