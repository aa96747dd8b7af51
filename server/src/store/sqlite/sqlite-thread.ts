import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailable } from '../engine/store-error.ts'
import { keepWorker, type SqliteRole, takeWorker } from './sqlite-workers.ts'

export type SqliteThread<Reply> = {
  ask(request: object): Promise<Reply>
  /** Nothing is answered to it: the next question shows whether it arrived. */
  tell(message: object): void
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
    tell: (message) => live?.tell(message),
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
      tell: (message) => worker.postMessage(message),
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
  tell(message: object): void
  close(): Promise<void>
}
type Waiting<Reply> = { resolve(reply: Reply): void; reject(error: Error): void }
