import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from './store-error.ts'

export type SqliteThread<Reply> = {
  ask(request: object): Promise<Reply>
  stop(): Promise<void>
}

/** One SQLite thread and the questions it has not answered yet. */
export async function startSqliteThread<Reply extends { id: number }>(
  path: string,
  role: 'writer' | 'reader',
): Promise<SqliteThread<Reply>> {
  // The same extension as this file: .ts from sources, .js from a build.
  const file = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(withCompileCache(file), {
    eval: true,
    workerData: { path, role },
    name: `sqlite ${role}`,
  })
  const unanswered = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
  let lastId = 0
  let dead: Error | null = null

  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => {
      worker.off('error', reject)
      resolve()
    })
  })
  worker.on('message', (reply: Reply) => {
    unanswered.get(reply.id)?.resolve(reply)
    unanswered.delete(reply.id)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error(`The SQLite ${role} thread has ended.`)))

  return {
    ask(request) {
      if (dead) return Promise.reject(new StoreUnavailable('not_stored', dead))
      const id = ++lastId
      return new Promise((resolve, reject) => {
        unanswered.set(id, { resolve, reject })
        worker.postMessage({ id, ...request })
      })
    },
    async stop() {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      if (dead) return
      worker.postMessage({ close: true })
      await ended
    },
  }

  function fail(error: Error): void {
    dead ??= error
    for (const { reject } of unanswered.values()) reject(new StoreUnavailable('unknown', error))
    unanswered.clear()
  }
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
