import { Worker } from 'node:worker_threads'

export type FloodTarget = { url: string; authorization: string; connections: number }
export type FloodResult = { asked: number; answers: Record<string, number>; slowestMs: number }

export type Flood = {
  /** As many as the target answers, with so many under way at a time. */
  saturate(ms: number, underWay: number): Promise<FloodResult>
  /** So many a second, whether they are answered or not. */
  pour(ms: number, perSecond: number): Promise<FloodResult>
  close(): Promise<void>
}

/** Asks in a thread of its own, so that it slows nobody who measures in this one. */
export function startFlood(target: FloodTarget): Flood {
  const worker = new Worker(new URL('./flood-worker.ts', import.meta.url), { workerData: target })
  const run = (order: object) =>
    new Promise<FloodResult>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      worker.postMessage(order)
    })
  return {
    saturate: (ms, underWay) => run({ ms, underWay }),
    pour: (ms, perSecond) => run({ ms, perSecond }),
    async close() {
      await worker.terminate()
    },
  }
}
