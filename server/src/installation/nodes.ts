import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { dayMs, minuteMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { expireNodes, listNodes, type NodeRow, saveNode, saveSizeOfDay } from '../store/accounts/installation.ts'
import { databaseBytes } from '../store/engine/database.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { version } from '../version.ts'

const beatEveryMs = 10_000
/** Three heartbeats are missing. */
const downAfterMs = 3.5 * beatEveryMs
/** A node that nobody has heard of for so long was taken away. */
const forgottenAfterMs = dayMs
const expiredAtOnce = 100
/** Tokens, windows and deliveries allow for less. */
const clockApartMs = 2_000
const sizeEveryMs = 60 * minuteMs

type Place = { port: number; part: number | null }

/** Says every 10 s that this process is alive, and how it is. `stop` says that it ended as it should. */
export async function startHeartbeat(rt: Runtime, { port, part }: Place): Promise<{ stop(): Promise<void> }> {
  const name = `${hostname()}:${port}${part === null ? '' : `/${part}`}`
  const startedAt = rt.clock.now()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let used = process.cpuUsage()
  let measuredAt = performance.now()
  let sizedAt = Number.NEGATIVE_INFINITY

  async function beat(stoppedAt: number | null): Promise<void> {
    const now = rt.clock.now()
    const spent = process.cpuUsage(used)
    const elapsedMs = Math.max(1, performance.now() - measuredAt)
    used = process.cpuUsage()
    measuredAt = performance.now()
    const { bavail, blocks, bsize } = await statfs(rt.config.dataDir)
    const unit = new Unit()
    unit.add(expireNodes, { before: now - forgottenAfterMs, count: expiredAtOnce })
    unit.add(saveNode, {
      ...{ name, version, role: rt.config.role, started_at: startedAt, seen_at: now, stopped_at: stoppedAt },
      clock_offset_ms: Math.round(rt.store.clockOffsetMs()),
      loop_lag_ms: Math.round(delay.percentile(99) / 1e6) || 0,
      cpu_percent: Math.round((spent.user + spent.system) / 10 / elapsedMs),
      memory_bytes: process.memoryUsage.rss(),
      ...{ disk_bytes: blocks * bsize, disk_free_bytes: bavail * bsize },
    })
    delay.reset()
    await rt.store.tally(unit)
    if (now - sizedAt < sizeEveryMs) return
    sizedAt = now
    await noteSize(rt, now)
  }

  const beatQuietly = () => beat(null).catch((error: unknown) => rt.log.warn({ err: error }, 'node.not_noted'))
  await beatQuietly()
  const timer = setInterval(() => void beatQuietly(), beatEveryMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      delay.disable()
      await beat(rt.clock.now()).catch(() => {})
    },
  }
}

async function noteSize(rt: Runtime, now: number): Promise<void> {
  const [size] = await rt.store.read(databaseBytes, {})
  await rt.store.tally(unitOf(saveSizeOfDay, { day: now - (now % dayMs), bytes: size?.bytes ?? 0 }))
}

type NodeState = 'running' | 'down' | 'stopped'

export async function describeNodes(rt: Runtime) {
  const now = rt.clock.now()
  const rows = await rt.store.read(listNodes, {})
  return rows.map((row) => ({
    name: row.name,
    state: stateOf(row, now),
    version: row.version,
    role: row.role,
    started_at: formatInstant(row.started_at),
    seen_at: formatInstant(row.seen_at),
    clock_offset_ms: row.clock_offset_ms,
    loop_lag_ms: row.loop_lag_ms,
    cpu_percent: row.cpu_percent,
    memory_bytes: row.memory_bytes,
    disk_bytes: row.disk_bytes,
    disk_free_bytes: row.disk_free_bytes,
  }))
}

export type NodeView = Awaited<ReturnType<typeof describeNodes>>[number]

function stateOf({ seen_at, stopped_at }: NodeRow, now: number): NodeState {
  if (stopped_at !== null) return 'stopped'
  return now - seen_at > downAfterMs ? 'down' : 'running'
}

/** More than `clockApartMs` between a running node and the database that all share. */
export function isApart({ state, clock_offset_ms }: NodeView): boolean {
  return state === 'running' && Math.abs(clock_offset_ms) > clockApartMs
}
