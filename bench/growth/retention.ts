import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayProcess } from '../gateway.ts'
import { type Row, round } from '../harness.ts'
import type { Traffic } from './real-sends.ts'

/** Between two sends, so that nothing but what runs beside them makes them slower. */
const pauseMs = 40
const quietSends = 250

/** What is too old goes, in the gateway itself, while it sends; and what that does to its sends. */
export async function measureRetention(gateway: GatewayProcess, traffic: Traffic, cpu: () => number): Promise<Row> {
  const before = cpu()
  const quiet = await sendUntil(traffic, async () => delay(0), quietSends)
  const cpuOfSend = (cpu() - before) / quiet.length
  const [startedAt, cpuBefore] = [performance.now(), cpu()]
  let took: { kind: string; seconds: number }[] = []
  let seconds = 0
  const meanwhile = await sendUntil(traffic, async () => {
    const answer = await traffic.client.request({
      method: 'GET',
      path: '/v1/bench/retention',
      headers: gateway.headers,
    })
    took = (await answer.body.json()) as typeof took
    seconds = (performance.now() - startedAt) / 1_000
  })
  return {
    's in all': round(seconds, 1),
    'CPU s, without the sends': round(cpu() - cpuBefore - meanwhile.length * cpuOfSend, 1),
    'sends meanwhile': meanwhile.length,
    'their p50 and p99, ms': `${at(meanwhile, 0.5)}, ${at(meanwhile, 0.99)}`,
    'p50 and p99 before, ms': `${at(quiet, 0.5)}, ${at(quiet, 0.99)}`,
    slowest: took
      .slice(0, 3)
      .map(({ kind, seconds: each }) => `${kind} ${round(each, 1)} s`)
      .join(', '),
  }
}

/** Sends one after the other until the work is done, and at least so many. */
async function sendUntil(traffic: Traffic, work: () => Promise<void>, least = 1): Promise<number[]> {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const took: number[] = []
  while (!isDone || took.length < least) {
    const sentAt = performance.now()
    await traffic.send(1)
    took.push(performance.now() - sentAt)
    await delay(pauseMs)
  }
  await working
  return took.sort((a, b) => a - b)
}

function at(sorted: readonly number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0, 1)
}
