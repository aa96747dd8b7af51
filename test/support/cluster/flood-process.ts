import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { FloodResult, FloodTarget } from './flood.ts'

type Order = { ms: number; underWay?: number; perSecond?: number }

const { url, authorization, connections } = JSON.parse(process.argv[2] ?? '{}') as FloodTarget
const all = [authorization].flat()
const dispatcher = new Agent({ connections, pipelining: 1 })
const stepMs = 20

stepBack()
process.on('message', async (order: Order) => {
  const result: FloodResult = { asked: 0, answers: {}, slowestMs: 0 }
  const until = performance.now() + order.ms
  if (order.underWay !== undefined) {
    const asker = async () => {
      while (performance.now() < until) await ask(result)
    }
    await Promise.all(Array.from({ length: order.underWay }, asker))
  } else {
    await pour(result, until, order.perSecond ?? 0)
  }
  process.send?.(result)
})

/**
 * A flood comes from another machine. Here it has what the gateway, the database and those who measure leave of the CPU;
 * otherwise they would wait for the work of asking, too.
 */
function stepBack(): void {
  setPriority(19)
  try {
    // Linux shares the CPU between sessions first, and between processes of a session by their priority.
    writeFileSync('/proc/self/autogroup', '19')
  } catch {
    // Not on this system, or the priority is all there is.
  }
}

async function pour(result: FloodResult, until: number, perSecond: number): Promise<void> {
  const startedAt = performance.now()
  const asking: Promise<void>[] = []
  for (let now = startedAt; now < until; now = performance.now()) {
    const due = Math.floor(((now - startedAt) / 1_000) * perSecond)
    while (result.asked < due) asking.push(ask(result))
    await delay(stepMs)
  }
  await Promise.all(asking)
}

async function ask(result: FloodResult): Promise<void> {
  const startedAt = performance.now()
  const credentials = all[result.asked++ % all.length]
  const answer = await request(url, { dispatcher, headers: { authorization: credentials ?? '' } }).then(
    async ({ statusCode, body }) => {
      await body.dump()
      return String(statusCode)
    },
    (error: { code?: string }) => error.code ?? 'error',
  )
  result.answers[answer] = (result.answers[answer] ?? 0) + 1
  result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - startedAt))
}
