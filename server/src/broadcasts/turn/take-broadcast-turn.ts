import { mayStillSend } from '../../access/keys/api-key.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Plan } from '../../contract/plans.ts'
import { minuteMs, secondMs } from '../../lib/durations.ts'
import type { Release } from '../../limits/concurrency.ts'
import type { Gate } from '../../limits/quota.ts'
import { spareConcurrencyOf } from '../../limits/send-limits.ts'
import { closedBy, enterFor, type Lane, takeTurn } from '../../messages/waiting/take-turn.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../../store/accounts/accounts.ts'
import { type BroadcastRow, findRunning } from '../../store/broadcasts/broadcasts.ts'
import {
  findGroups,
  findRecipients,
  type GroupRow,
  postponeGroup,
  type RecipientRow,
} from '../../store/broadcasts/recipients.ts'
import { findUploads } from '../../store/broadcasts/uploads.ts'
import { ConditionFailed, UniqueViolation } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findLaneFacts } from '../../store/messages/waiting.ts'
import { isHold, quietHoursOf } from '../broadcast.ts'
import { dueAfterQuiet, zonesOf } from '../quiet-hours.ts'
import { draftRecipients } from './draft-recipients.ts'
import { type Ready, readyToSend } from './ready-to-send.ts'
import { sendTaken, startTaken } from './send-taken.ts'
import { completeBroadcast, endHold, hold, RecentResults, stopBroadcast, stopFor } from './stop-broadcast.ts'
import { Pace, quotaRoom, takeQuotaFor, WrittenFirst } from './turn-limits.ts'

/** A lane's state of its number's broadcasts. */
export type BroadcastMemory = {
  /** The one that had the last turn. */
  last: string
  readonly writtenFirst: WrittenFirst
  readonly known: Map<string, Remembered>
}
type Remembered = {
  recent: RecentResults
  pace: Pace
  quality: string | null | undefined
  columns: Map<string, string[]>
}

export function newMemory(): BroadcastMemory {
  return { last: '', writtenFirst: new WrittenFirst(), known: new Map() }
}

type Tools = { rt: Runtime; gate: Gate; lane: Lane; memory: BroadcastMemory }

/** Each read, checked and started together. */
const turnMax = 64
const lookAgainMs = secondMs
const busyMs = 50
/** Units that wait for the disk: others need it more. */
const depthMax = 200

/**
 * One turn of a number: what waits by itself goes first. How long to wait before the next; null where there is nothing to
 * do.
 */
export async function takeNumberTurn(tools: Tools): Promise<number | null> {
  return (await takeTurn(tools.rt, tools.lane)) ?? takeBroadcastTurn(tools)
}

/**
 * One turn of one broadcast of a number. Resolves when all that was taken is on
 * disk, with how long to wait before the next turn; null where nothing runs.
 */
async function takeBroadcastTurn(tools: Tools): Promise<number | null> {
  const { rt, lane, memory } = tools
  const running = await rt.store.read(findRunning, { number_id: lane.numberId, now: rt.clock.now() })
  if (running.length === 0) return null
  const [facts] = await rt.store.read(findLaneFacts, { number_id: lane.numberId })
  const closed = closedBy(facts)
  if (closed) {
    const reason = closed === 'account' ? 'account_suspended' : 'channel'
    for (const row of running) await hold(rt, row, reason, rt.clock.now() + 30 * secondMs)
    return 0
  }
  const number = { id: lane.numberId, sendsPerSecond: facts?.sends_per_second ?? 1 }
  const room = Math.min(turnMax, spareConcurrencyOf(number) - lane.running.size)
  if (room <= 0) {
    await Promise.race(lane.running)
    return 0
  }
  if (rt.store.depth() > depthMax) return busyMs
  const after = running.findIndex(({ id }) => id > memory.last)
  const rotated = after === -1 ? running : [...running.slice(after), ...running.slice(0, after)]
  let waitMs = Number.POSITIVE_INFINITY
  for (const row of rotated) {
    memory.last = row.id
    const own = await takeOf(tools, row, room)
    if (own === 0) return 0
    waitMs = Math.min(waitMs, own)
  }
  return waitMs
}

/** How long it has nothing to take; 0 where it took something or was stopped. */
async function takeOf(tools: Tools, row: BroadcastRow, room: number): Promise<number> {
  const { rt } = tools
  const now = rt.clock.now()
  const { recent } = rememberedOf(tools.memory, row.id)
  if (recent.stop) {
    const { stop } = recent
    recent.reset()
    await stopBroadcast(rt, row, stop)
    return 0
  }
  if (row.expires_at !== null && row.expires_at < now) return (await completeBroadcast(rt, row)) ? 0 : lookAgainMs
  if (!(await mayStillSend(rt, row))) {
    await stopBroadcast(rt, row, { pause: 'key_revoked' })
    return 0
  }
  const groups = (await rt.store.read(findGroups, { broadcast_id: row.id })).filter(({ done }) => done === 0)
  if (groups.length === 0) return (await completeBroadcast(rt, row)) ? 0 : lookAgainMs
  const group = await nextGroup(rt, row, groups)
  if (!group) return 0
  const ready = await readyToSend(rt, row, rememberedOf(tools.memory, row.id))
  if ('hold' in ready || 'pause' in ready) {
    await stopBroadcast(rt, row, ready)
    return 0
  }
  return takeFrom(tools, { row, group, room, ...ready })
}

function rememberedOf({ known }: BroadcastMemory, id: string): Remembered {
  const remembered = known.get(id)
  if (remembered) return remembered
  if (known.size > 1_000) known.clear()
  const fresh = { recent: new RecentResults(), pace: new Pace(), quality: undefined, columns: new Map() }
  known.set(id, fresh)
  return fresh
}

/** The first group that may be written to now; where it is quiet for all of them, the broadcast is held until it is not. */
async function nextGroup(rt: Runtime, row: BroadcastRow, groups: readonly GroupRow[]): Promise<GroupRow | null> {
  const now = rt.clock.now()
  const quiet = quietHoursOf(row)
  if (quiet === null) return groups[0] ?? null
  const unit = new Unit()
  let next = Number.POSITIVE_INFINITY
  for (const group of groups) {
    const due = group.due_at > now ? group.due_at : dueAfterQuiet(now, quiet, zonesOf(quiet, group))
    if (due <= now) return group
    const { broadcast_id, group_no } = group
    if (due !== group.due_at) unit.add(postponeGroup, { broadcast_id, group_no, due_at: due })
    next = Math.min(next, due)
  }
  if (unit.calls.length > 0) await rt.store.write(unit)
  await hold(rt, row, 'quiet_hours', next)
  return null
}

type Taking = Ready & { row: BroadcastRow; group: GroupRow; room: number }

async function takeFrom(tools: Tools, taking: Taking): Promise<number> {
  const { rt, gate, memory } = tools
  const { row, group, number, tier } = taking
  const { pace } = rememberedOf(memory, row.id)
  const [account] = await rt.store.read(findAccount, { id: row.account_id })
  const plan = (account?.plan ?? 'free') as Plan
  const wanted = Math.min(taking.room, group.size - group.taken)
  const quota = await quotaRoom(gate, row.account_id, plan, wanted)
  if (quota.count === 0) return heldFor(rt, row, 'quota', quota.until)
  const first = await memory.writtenFirst.room(rt, row, tier, quota.count)
  if (first.count === 0) return heldFor(rt, row, 'messaging_limit', first.until)
  const paced = pace.take(row.max_per_second, first.count, rt.clock.now())
  if (paced === 0) return busyMs
  const spare = await rt.sendRate.spare({ numberId: number.id, sendsPerSecond: number.sendsPerSecond }, paced)
  const releases = await enterFor(rt, number, spare.granted)
  const taken = await takeRecipients(tools, taking, { plan, releases })
  for (const release of releases.slice(taken)) release()
  await spare.giveBack(spare.granted - taken)
  pace.giveBack(paced - taken)
  memory.writtenFirst.add(taken)
  if (spare.granted === 0) return Math.max(1, spare.waitMs)
  if (releases.length < spare.granted) return busyMs
  return 0
}

async function heldFor(rt: Runtime, row: BroadcastRow, reason: 'quota' | 'messaging_limit', until: number): Promise<0> {
  await hold(rt, row, reason, Math.max(until, rt.clock.now() + minuteMs))
  return 0
}

/** Number of messages sent. */
async function takeRecipients(
  tools: Tools,
  taking: Taking,
  { plan, releases }: { plan: Plan; releases: readonly Release[] },
): Promise<number> {
  const { rt, gate, lane, memory } = tools
  const { row, group, number, template } = taking
  if (releases.length === 0) return 0
  const upto = Math.min(group.size, group.taken + releases.length)
  const places = { broadcast_id: row.id, group_no: group.group_no, after: group.taken, upto }
  const recipients: RecipientRow[] = await rt.store.read(findRecipients, places)
  const remembered = rememberedOf(memory, row.id)
  const columns = await columnsOf(rt, remembered, group)
  const sender = { accountId: row.account_id, phoneNumberIds: null, keyId: row.key_id }
  const turn = await draftRecipients(rt, { broadcast: row, number, template, columns, sender }, recipients)
  if (turn.stop) {
    await stopBroadcast(rt, row, turn.stop)
    return 0
  }
  const quota = await takeQuotaFor(gate, row.account_id, plan, turn.drafted.length)
  if (!quota.granted) return heldFor(rt, row, 'quota', 0)
  try {
    const started = await startTaken(rt, { row, group, upto, sender, turn })
    rt.metrics.broadcastRecipients.inc({ result: 'skipped' }, turn.skipped.length)
    sendTaken(rt, lane, { row, started, releases, recent: remembered.recent })
  } catch (error) {
    quota.giveBack()
    const stop = error instanceof AppError ? stopFor(error.code) : null
    if (stop) {
      await stopBroadcast(rt, row, stop)
      return 0
    }
    // Stopped, or taken by another process.
    if (error instanceof ConditionFailed || error instanceof UniqueViolation) return 0
    throw error
  }
  if (isHold(row.reason)) await endHold(rt, row)
  return turn.drafted.length
}

async function columnsOf(rt: Runtime, { columns }: Remembered, group: GroupRow): Promise<readonly string[]> {
  const known = columns.get(group.upload_id)
  if (known) return known
  for (const upload of await rt.store.read(findUploads, { broadcast_id: group.broadcast_id })) {
    columns.set(upload.id, JSON.parse(upload.columns) as string[])
  }
  return columns.get(group.upload_id) ?? []
}
