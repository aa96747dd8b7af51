import { createWriteStream, existsSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inspectSnapshot, takeSnapshot } from '@postern/server/database.ts'
import { version } from '@postern/server/settings.ts'
import { packTar } from 'modern-tar/fs'
import { lockFile } from '../control/data-lock.ts'
import { CommandFailure } from '../exit-codes.ts'
import type { Progress } from '../output/progress.ts'
import {
  belongsInBackup,
  databaseName,
  describeFolder,
  type Manifest,
  manifestName,
  mediaName,
  sandboxMediaName,
  sandboxName,
} from './manifest.ts'

type Order = { dataDir: string; file: string; madeAt: string; progress: Progress }

/**
 * Gathers a copy of the data beside them and writes it into one file, which has its name only once it is whole. The
 * server may run all the while: the database is copied as of one moment, and files of media never change.
 */
export async function makeBackup({
  dataDir,
  file,
  madeAt,
  progress,
}: Order): Promise<{ manifest: Manifest; bytes: number }> {
  if (!existsSync(join(dataDir, databaseName))) throw new CommandFailure(`There is no data in ${dataDir}.`)
  const lock = lockFile(join(dataDir, 'backup.lock.db'))
  if (!lock) throw new CommandFailure('Another backup of this data is already running.')
  const staging = join(dataDir, 'backup.staging')
  const part = `${resolve(file)}.part`
  try {
    // First, because the copy of the data may take long.
    await onTarget(file, () => writeFile(part, '', { mode: 0o600 }))
    // What a backup that was cut short left behind.
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 })
    // Once before, for what is deleted meanwhile, and once after, for what is added: each row finds its file.
    progress.step('Gathering files')
    for (const name of [mediaName, sandboxMediaName]) await gather(dataDir, staging, name)
    progress.step('Copying the database', { blocks: true })
    takeSnapshot(join(dataDir, databaseName), join(staging, databaseName))
    if (existsSync(join(dataDir, sandboxName))) await copyFile(join(dataDir, sandboxName), join(staging, sandboxName))
    for (const name of [mediaName, sandboxMediaName]) await gather(dataDir, staging, name)
    const facts = inspectSnapshot(join(staging, databaseName))
    if (!facts)
      throw new CommandFailure('The database is damaged: its copy cannot be read. Do not delete older backups.')
    const manifest = await describeFolder(staging, { ...facts, version, madeAt }, progress)
    const bytes = await onTarget(file, async () => {
      const written = await writeArchive(staging, manifest, part, progress)
      await rename(part, file)
      return written
    })
    return { manifest, bytes }
  } finally {
    // Where it could not be made, looking for it fails too; the first failure is the one to tell.
    await rm(part, { force: true }).catch(() => {})
    await rm(staging, { recursive: true, force: true })
    lock.release()
  }
}

/** A second name for each file costs no space and outlives the first. Unfinished uploads and strange files stay out. */
async function gather(dataDir: string, staging: string, name: string): Promise<void> {
  const from = join(dataDir, name)
  const entries = existsSync(from) ? await readdir(from, { recursive: true, withFileTypes: true }) : []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const target = relative(dataDir, path)
    const copy = join(staging, target)
    if (!entry.isFile() || !belongsInBackup(target.split(sep).join('/')) || existsSync(copy)) continue
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
    await link(path, copy).catch(async (error: NodeJS.ErrnoException) => {
      // Deleted since it was listed, or a file system without second names.
      if (error.code !== 'ENOENT') await copyFile(path, copy)
    })
  }
}

/** Readable by the owner only: texts and files of customers are in it as they are. */
async function writeArchive(staging: string, manifest: Manifest, to: string, progress: Progress): Promise<number> {
  progress.step('Writing the backup', { total: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) })
  const content = `${JSON.stringify(manifest, null, 2)}\n`
  const archive = packTar([
    { type: 'content', content, target: manifestName, mode: 0o600 },
    ...manifest.files.map(
      ({ name }) => ({ type: 'file', source: join(staging, name), target: name, mode: 0o600 }) as const,
    ),
  ])
  await pipeline(progress.counted(archive), createWriteStream(to, { mode: 0o600 }))
  const handle = await open(to, 'r')
  try {
    await handle.sync()
    return (await stat(to)).size
  } finally {
    await handle.close()
  }
}

/** Does what writes the file of a backup. A failure there is one of the place that was typed, not of the data folder. */
async function onTarget<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const sentence = explain((error as NodeJS.ErrnoException).code, file)
    throw sentence === null ? error : new CommandFailure(`No backup was made: ${sentence}`)
  }
}

function explain(code: string | undefined, file: string): string | null {
  const folder = dirname(file)
  switch (code) {
    case 'ENOENT':
      return `the folder ${folder} does not exist. Create it, or choose another.`
    case 'ENOTDIR':
      return `${folder} is not a folder. Choose another.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `this user has no permission to write ${file}. Choose another folder, or grant the permission.`
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `${file} does not fit on its disk. Free up space there, or choose another disk.`
    default:
      return null
  }
}
