import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inspectSnapshot, migrations, startFeedEpoch } from '@postern/server/database.ts'
import { unpackTar } from 'modern-tar/fs'
import { CommandFailure } from '../exit-codes.ts'
import type { Progress } from '../output/progress.ts'
import {
  belongsInBackup,
  databaseName,
  filesIn,
  type Manifest,
  mediaName,
  readManifest,
  sandboxMediaName,
  sandboxName,
} from './manifest.ts'

type Order = {
  file: string
  dataDir: string
  /** Of the key that is here, if one is. */
  masterKeyId: string | null
  /** Where data that are here already are put aside; null: they are not to be touched. */
  putAside: string | null
  /** A name that no database had before. */
  feedEpoch: string
  progress: Progress
}

/** With what SQLite keeps beside the file: a log left from other data would be applied to the new ones. */
const places = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, mediaName, sandboxName, sandboxMediaName]

/** Also without a database: a log or files left from other data must not mix with those of the backup. */
export function holdsData(dataDir: string): boolean {
  return places.some((name) => existsSync(join(dataDir, name)))
}

/** Unpacks beside the data, checks everything, and only then puts it in their place. Nothing is ever deleted. */
export async function restoreBackup(order: Order): Promise<Manifest> {
  const { file, dataDir, masterKeyId, putAside, feedEpoch, progress } = order
  const staging = join(dataDir, 'restore.staging')
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { recursive: true, mode: 0o700 })
    await unpack(file, staging, progress)
    const manifest = readManifest(staging)
    requireKnownSchema(manifest)
    await requireWhole(staging, manifest, progress)
    requireKey(manifest, masterKeyId)
    startFeedEpoch(join(staging, databaseName), feedEpoch)
    if (putAside !== null) await move(dataDir, putAside)
    await move(staging, dataDir)
    return manifest
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function unpack(file: string, into: string, progress: Progress): Promise<void> {
  const filter = ({ name, type }: { name: string; type?: string }) => type === 'file' && belongsInBackup(name)
  try {
    progress.step('Unpacking the backup', { total: (await stat(file)).size })
    await pipeline(progress.counted(createReadStream(file)), unpackTar(into, { filter, fmode: 0o600, dmode: 0o700 }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CommandFailure(`The file ${file} does not exist.`)
    throw new CommandFailure(`${file} cannot be unpacked: ${(error as Error).message}`)
  }
}

function requireKnownSchema({ schema, version }: Manifest): void {
  if (schema <= (migrations.at(-1)?.id ?? 0)) return
  throw new CommandFailure(`This backup was made by Postern ${version}, which is newer than this one: upgrade first.`)
}

async function requireWhole(folder: string, { files, records, schema }: Manifest, progress: Progress): Promise<void> {
  const found = new Map((await filesIn(folder, progress)).map((entry) => [entry.name, entry]))
  const bad = files.find(({ name, sha256 }) => found.get(name)?.sha256 !== sha256)
  if (bad) throw new CommandFailure(`The backup is damaged: ${bad.name} is missing or was changed.`)
  if (found.size > files.length) throw new CommandFailure('The backup contains files that are not in its manifest.')
  progress.step('Checking the database', { blocks: true })
  const facts = inspectSnapshot(join(folder, databaseName))
  const same = facts?.schema === schema && JSON.stringify(facts.records) === JSON.stringify(records)
  if (!same) throw new CommandFailure('The backup is damaged: its database was changed after the backup.')
}

function requireKey(manifest: Manifest, here: string | null): void {
  if (here === null || manifest.masterKeyId === null || here === manifest.masterKeyId) return
  throw new CommandFailure(
    `This backup needs another master key (${manifest.masterKeyId}): put that key in place first. Without it, the secrets in the backup cannot be decrypted.`,
  )
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of places) if (existsSync(join(from, name))) await rename(join(from, name), join(to, name))
}
