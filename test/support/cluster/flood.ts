import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** With several credentials, requests take them in turn. */
export type FloodTarget = { url: string; authorization: string | readonly string[]; connections: number }
export type FloodResult = { asked: number; answers: Record<string, number>; slowestMs: number }

export type Flood = {
  /** As many as the target answers, with so many under way at a time. */
  saturate(ms: number, underWay: number): Promise<FloodResult>
  /** So many a second, whether they are answered or not. */
  pour(ms: number, perSecond: number): Promise<FloodResult>
  close(): Promise<void>
}

/** Asks in a process of its own, so that it slows nobody who measures in this one. */
export function startFlood(target: FloodTarget): Flood {
  const program = resolve(import.meta.dirname, 'flood-process.ts')
  const child = fork(program, [JSON.stringify(target)], { detached: true })
  const run = async (order: object) => {
    child.send(order)
    const [result] = await once(child, 'message')
    return result as FloodResult
  }
  return {
    saturate: (ms, underWay) => run({ ms, underWay }),
    pour: (ms, perSecond) => run({ ms, perSecond }),
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
