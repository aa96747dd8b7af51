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
  role: 'writer' | 'reader'
  /** A thread that has died is replaced; the new one knows nothing of what its predecessor was told. */
  onReplaced?: () => void
}

/** Between two tries to start a thread, for example while the database cannot be opened. */
const restartMs = 250

/** One SQLite thread and the questions it has not answered yet. One that dies is replaced. */
export async function startSqliteThread<Reply extends { id: number }>(options: Options): Promise<SqliteThread<Reply>> {
  const { role, onReplaced = () => {} } = options
  let lastId = 0
  let stopping = false
  let causeOfDeath: unknown = null
  let live: LiveThread<Reply> | null = await start()

  return {
    ask(request) {
      if (!live) return Promise.reject(new StoreUnavailable('not_stored', causeOfDeath))
      const { worker, unanswered } = live
      const id = ++lastId
      return new Promise((resolve, reject) => {
        unanswered.set(id, { resolve, reject })
        worker.postMessage({ id, ...request })
      })
    },
    async stop() {
      stopping = true
      if (!live) return
      const ended = once(live.worker, 'exit')
      live.worker.postMessage({ close: true })
      await ended
    },
  }

  /** Resolves when the thread has opened the database. */
  async function start(): Promise<LiveThread<Reply>> {
    const thread: LiveThread<Reply> = { worker: newWorker(options), unanswered: new Map() }
    const { worker, unanswered } = thread
    // Rejects with the error of a thread that fails to start.
    await once(worker, 'message')
    worker.on('message', (reply: Reply) => {
      unanswered.get(reply.id)?.resolve(reply)
      unanswered.delete(reply.id)
    })
    worker.on('error', (error) => {
      causeOfDeath = error
    })
    worker.once('exit', () => {
      live = null
      causeOfDeath ??= new Error(`The SQLite ${role} thread has ended.`)
      for (const { reject } of unanswered.values()) reject(new StoreUnavailable('unknown', causeOfDeath))
      void replace()
    })
    return thread
  }

  async function replace(): Promise<void> {
    while (!stopping && !live) {
      try {
        const next = await start()
        onReplaced()
        live = next
        causeOfDeath = null
        if (stopping) next.worker.postMessage({ close: true })
      } catch (error) {
        causeOfDeath = error
        await delay(restartMs)
      }
    }
  }
}

type LiveThread<Reply> = {
  worker: Worker
  unanswered: Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>
}

function newWorker({ path, role }: Options): Worker {
  // The same extension as this file: .ts from sources, .js from a build.
  const file = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url)
  return new Worker(withCompileCache(file), { eval: true, workerData: { path, role }, name: `sqlite ${role}` })
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
