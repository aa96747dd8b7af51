import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'

export type SqliteRole = 'writer' | 'reader'

/**
 * Threads that have closed their database and wait for the next one. To start and end a thread takes 50 ms of processor
 * time, of which a test run with hundreds of databases spent half a minute.
 */
const kept: Record<SqliteRole, Set<Worker>> = { writer: new Set(), reader: new Set() }

/** A thread without a database: it opens the one it is told of. */
export function takeWorker(role: SqliteRole): Worker {
  for (const worker of kept[role]) {
    kept[role].delete(worker)
    worker.ref()
    return worker
  }
  // The same extension as this file: .ts from sources, .js from a build.
  const file = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(withCompileCache(file), { eval: true, name: `sqlite ${role}` })
  // The owner of the thread hears of its failures; while it is kept nobody needs to.
  return worker.on('error', () => {}).once('exit', () => kept[role].delete(worker))
}

/** Takes a thread whose database is closed. It does not keep the process from ending. */
export function keepWorker(role: SqliteRole, worker: Worker): void {
  worker.unref()
  kept[role].add(worker)
}

/**
 * A thread does not take over the compile cache of the program. Without it each would strip the types of its sources
 * itself, with a compiler that takes 25 MB.
 */
function withCompileCache(file: URL): string {
  const ours = getCompileCacheDir()
  // What is reported is the folder of this version of Node inside the one that was asked for.
  const folder = ours && JSON.stringify(dirname(ours))
  const cached = folder ? `require('node:module').enableCompileCache(${folder})\n` : ''
  return `${cached}import(${JSON.stringify(file.href)})`
}
