import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../engine/store-error.ts'

export type SqliteThread<Reply> = {
  ask(request: object): Promise<Reply>
  stop(): Promise<void>
}

type Options = {
  path: string
  role: SqliteRole
  /** A thread that has died is replaced; the new one knows nothing of what its predecessor was told. */
  onReplaced?: () => void
}

/** Between two tries to start a thread, for example while the database cannot be opened. */
const restartMs = 250

/** One SQLite thread and the questions it has not answered yet. One that dies is replaced. */
export async function startSqliteThread<Reply extends { id: number }>(options: Options): Promise<SqliteThread<Reply>> {
  const { path, role, onReplaced = () => {} } = options
  let lastId = 0
  let stopping = false
  let causeOfDeath: unknown = null
  let live: LiveThread<Reply> | null = await start()

  return {
    ask(request) {
      if (!live) return Promise.reject(new StoreUnavailable('not_stored', causeOfDeath))
      return live.ask(request)
    },
    async stop() {
      stopping = true
      const last = live
      live = null
      causeOfDeath = new Error(`The SQLite ${role} thread was stopped.`)
      await last?.close()
    },
  }

  /** Resolves when the thread has opened the database. */
  async function start(): Promise<LiveThread<Reply>> {
    const worker = takeWorker(role)
    worker.postMessage({ open: path, role })
    // Rejects with the error of a thread that fails to start.
    await once(worker, 'message')
    const unanswered = new Map<number, Waiting<Reply>>()
    const onReply = (reply: Reply) => {
      unanswered.get(reply.id)?.resolve(reply)
      unanswered.delete(reply.id)
    }
    const onError = (error: unknown) => {
      causeOfDeath = error
    }
    const onExit = () => {
      live = null
      causeOfDeath ??= new Error(`The SQLite ${role} thread has ended.`)
      for (const { reject } of unanswered.values()) reject(new StoreUnavailable('unknown', causeOfDeath))
      void replace()
    }
    worker.on('message', onReply).on('error', onError).once('exit', onExit)
    const ask = (request: object) =>
      new Promise<Reply>((resolve, reject) => {
        const id = ++lastId
        unanswered.set(id, { resolve, reject })
        worker.postMessage({ id, ...request })
      })
    return {
      ask,
      async close() {
        // A thread that dies instead has closed its database as well.
        const closed = await ask({ close: true }).catch(() => null)
        worker.off('message', onReply).off('error', onError).off('exit', onExit)
        if (closed) keepWorker(role, worker)
      },
    }
  }

  async function replace(): Promise<void> {
    while (!stopping && !live) {
      try {
        const next = await start()
        if (stopping) return await next.close()
        onReplaced()
        live = next
        causeOfDeath = null
      } catch (error) {
        causeOfDeath = error
        await delay(restartMs)
      }
    }
  }
}

type LiveThread<Reply> = {
  ask(request: object): Promise<Reply>
  close(): Promise<void>
}
type Waiting<Reply> = { resolve(reply: Reply): void; reject(error: Error): void }

type SqliteRole = 'writer' | 'reader'

/**
 * Threads that have closed their database and wait for the next one. To start and end a thread takes 50 ms of processor
 * time, of which a test run with hundreds of databases spent half a minute.
 */
const kept: Record<SqliteRole, Set<Worker>> = { writer: new Set(), reader: new Set() }

/** A thread without a database: it opens the one it is told of. */
function takeWorker(role: SqliteRole): Worker {
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
function keepWorker(role: SqliteRole, worker: Worker): void {
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
