import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SnapshotFacts } from '@postern/server/database.ts'
import { CommandFailure } from '../exit-codes.ts'
import type { Progress } from '../output/progress.ts'

export const manifestName = 'manifest.json'
export const databaseName = 'postern.db'
export const mediaName = 'media'
/** What the simulated platform remembers; only there where one runs. */
export const sandboxName = 'sandbox.json'
export const sandboxMediaName = 'sandbox.json.media'
const format = 1

const names = /^(manifest\.json|postern\.db|sandbox\.json|media\/[\w-]{2}\/[\w-]+|sandbox\.json\.media\/[\w-]+\.bin)$/

/** One rule for both ways: a backup holds nothing that a restore would not take. */
export function belongsInBackup(name: string): boolean {
  return names.test(name)
}

/** First in every backup: what it is, and how to tell that nothing is missing or changed. */
export type Manifest = SnapshotFacts & {
  format: typeof format
  version: string
  madeAt: string
  files: { name: string; bytes: number; sha256: string }[]
}

export function describeFolder(
  folder: string,
  about: SnapshotFacts & { version: string; madeAt: string },
  progress: Progress,
): Promise<Manifest> {
  return filesIn(folder, progress).then((files) => ({ format, ...about, files }))
}

/** Every file below the folder with its hash, in the order of their names. */
export async function filesIn(folder: string, progress: Progress): Promise<Manifest['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found: { name: string; path: string; bytes: number }[] = []
  for (const path of paths.sort()) {
    const name = relative(folder, path).split(sep).join('/')
    if (name !== manifestName) found.push({ name, path, bytes: (await stat(path)).size })
  }
  progress.step('Checking files', { total: found.reduce((sum, { bytes }) => sum + bytes, 0) })
  const files: Manifest['files'] = []
  for (const { name, path, bytes } of found) files.push({ name, bytes, sha256: await hashOf(path, progress) })
  return files
}

async function hashOf(path: string, progress: Progress): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(progress.counted(createReadStream(path)), hash)
  return hash.digest('hex')
}

/** Refuses what this program did not write, or a later one wrote in another way. */
export function readManifest(folder: string): Manifest {
  const parsed = parse(join(folder, manifestName))
  if (parsed?.format === format && Array.isArray(parsed.files)) return parsed
  throw new CommandFailure(
    parsed?.format === undefined
      ? 'This is not a Postern backup.'
      : `This version does not support the backup format ${parsed.format}: upgrade Postern first.`,
  )
}

function parse(path: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch {
    return null
  }
}
