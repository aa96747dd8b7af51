import { createHash } from 'node:crypto'
import { AppError, type AppErrorExtras } from '../contract/app-error.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { waitUntil } from '../lib/async/with-timeout.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  finishIdempotencyKey,
  type IdempotencyRow,
  leaseOver,
  releaseIdempotencyKey,
  shortenIdempotencyKey,
} from '../store/accounts/idempotency.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import type { Admission } from './caller.ts'
import { repeatWaitMaxMs } from './send-deadline.ts'

/** The key of a request: the same key and the same body give the same response, and only one effect. */
export type IdempotencyKey = {
  accountId: string
  endpoint: string
  key: string
  fingerprint: string
  /** Retention; a day by default. */
  keptMs?: number
}

/** The outcome of the first request, stored for its retries. */
export type Outcome =
  | { kind: 'answer'; status: number; data: unknown }
  | { kind: 'refusal'; code: ErrorCode; message: string; extras: AppErrorExtras }

const leaseMsMin = minuteMs
const leaseSpareMs = 15_000
const keptMs = dayMs

/** A request that calls the platform for longer than this counts as dead. Longer than its own deadlines allow. */
export function leaseMs({ config }: Pick<Runtime, 'config'>): number {
  return Math.max(leaseMsMin, 2 * config.channelTimeoutMs + leaseSpareMs, config.sendTimeoutMs + leaseSpareMs)
}

/** 1 to 255 visible characters; the quotes of a structured field are not part of the key. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const text = typeof header === 'string' ? header : ''
  const key = /^".*"$/.test(text) && text.length > 1 ? text.slice(1, -1) : text
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new AppError('idempotency_key_invalid', 'The Idempotency-Key must have 1 to 255 visible ASCII characters.')
}

/** Independent of the order of fields and of spaces; a field that is null is one that was left out. */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('base64url')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const given = Object.entries(value).filter(([, item]) => item !== null)
  const entries = given.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/**
 * The outcome of an earlier request with this key; null when there was none. One that is still running is waited for,
 * 9.5 s at most; another body under the same key is refused.
 */
export async function findOutcome(
  rt: Runtime,
  request: IdempotencyKey,
  waitMaxMs: number = repeatWaitMaxMs(rt),
): Promise<Outcome | null> {
  const startedMs = performance.now()
  const first = await findRow(rt, request)
  if (!first) return null
  requireSameBody(first, request)
  const ended = endOf(rt, first)
  if (ended) return replay(rt, ended, 'replayed')
  const signal = (listener: () => void) => rt.store.onCommit('messages', listener)
  const finished = await waitUntil(
    signal,
    async () => {
      const row = await findRow(rt, request)
      const outcome = row && endOf(rt, row)
      return row === undefined || outcome ? { outcome } : null
    },
    // What the first look took counts too: behind a busy database the answer would come after its deadline.
    waitMaxMs - (performance.now() - startedMs),
  )
  if (!finished) throw stillRunning(rt)
  return finished.outcome ? replay(rt, finished.outcome, 'waited') : null
}

/** Looks while key and quota are checked. What refuses these comes before the answer to an earlier request. */
export async function findAdmittedOutcome(
  rt: Runtime,
  request: IdempotencyKey,
  waitMaxMs: number,
  admission: Admission | null,
): Promise<Outcome | null> {
  const finding = findOutcome(rt, request, waitMaxMs)
  finding.catch(() => {})
  await admission?.settle()
  return finding
}

export function stillRunning(rt: Runtime): AppError {
  rt.metrics.idempotencyReplays.inc({ outcome: 'conflict' })
  return new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 2,
  })
}

function replay(rt: Runtime, outcome: Outcome, how: 'replayed' | 'waited'): Outcome {
  rt.metrics.idempotencyReplays.inc({ outcome: how })
  return outcome
}

/** Null while the request runs. One whose lease is over died: nobody knows how it ended, unless it says so after all. */
function endOf(rt: Runtime, { outcome, lease_until, message_id: messageId }: IdempotencyRow): Outcome | null {
  if (outcome !== null) return JSON.parse(outcome) as Outcome
  if (lease_until >= rt.clock.now()) return null
  const message = 'The gateway stopped while this request was running.'
  return { kind: 'refusal', code: 'send_outcome_unknown', message, extras: messageId ? { messageId } : {} }
}

async function findRow(rt: Runtime, { accountId, endpoint, key }: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  const [row] = await rt.store.read(findIdempotencyKey, { account_id: accountId, endpoint, idempotency_key: key })
  return row && row.expires_at > rt.clock.now() ? row : undefined
}

function requireSameBody(row: IdempotencyRow, request: IdempotencyKey): void {
  if (row.fingerprint === request.fingerprint) return
  throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another body. Use a new key.')
}

/** Takes the key in the unit of its effect; the unit fails with ConditionFailed('idempotency.claim') if it is taken. */
export function addClaim(rt: Runtime, unit: Unit, request: IdempotencyKey, messageId: string | null): void {
  const now = rt.clock.now()
  unit.add(claimIdempotencyKey, {
    account_id: request.accountId,
    endpoint: request.endpoint,
    idempotency_key: request.key,
    fingerprint: request.fingerprint,
    message_id: messageId,
    outcome: null,
    lease_until: now + leaseMs(rt),
    expires_at: now + (request.keptMs ?? keptMs),
    now,
  })
}

/** `messageId` is what the key was claimed with: a request that has lost the key changes nothing. */
export function addOutcome(unit: Unit, request: IdempotencyKey, messageId: string | null, outcome: Outcome): void {
  unit.add(finishIdempotencyKey, {
    account_id: request.accountId,
    endpoint: request.endpoint,
    idempotency_key: request.key,
    message_id: messageId,
    outcome: JSON.stringify(outcome),
  })
}

export function addRelease(unit: Unit, { accountId, endpoint, key }: IdempotencyKey, messageId: string | null): void {
  unit.add(releaseIdempotencyKey, { account_id: accountId, endpoint, idempotency_key: key, message_id: messageId })
}

/** The message that a key was taken with; null while nobody has it. */
export async function messageOfKey(rt: Runtime, request: IdempotencyKey): Promise<string | null> {
  return (await findRow(rt, request))?.message_id ?? null
}

/** The message whose answer has left under this key; null as long as the answer may be missing. */
export async function answeredMessage(rt: Runtime, request: IdempotencyKey): Promise<string | null> {
  const row = await findRow(rt, request)
  return row?.lease_until === leaseOver ? row.message_id : null
}

/** Its answer has left. From now on a repeat of the request is one for so long only. */
export function addShortened(
  rt: Runtime,
  unit: Unit,
  request: IdempotencyKey,
  messageId: string,
  keptMs: number,
): void {
  const { accountId, endpoint, key } = request
  const expires_at = rt.clock.now() + keptMs
  unit.add(shortenIdempotencyKey, {
    account_id: accountId,
    endpoint,
    idempotency_key: key,
    message_id: messageId,
    expires_at,
  })
}

/** The three steps as units of their own, for requests whose effect does not share a unit with the key. */
export async function claimKey(rt: Runtime, request: IdempotencyKey): Promise<boolean> {
  const unit = new Unit()
  addClaim(rt, unit, request, null)
  try {
    await rt.store.write(unit)
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

export async function finishKey(
  rt: Runtime,
  request: IdempotencyKey,
  messageId: string | null,
  outcome: Outcome,
): Promise<void> {
  const unit = new Unit()
  addOutcome(unit, request, messageId, outcome)
  await rt.store.write(unit)
}

export async function releaseKey(rt: Runtime, request: IdempotencyKey, messageId: string | null): Promise<void> {
  const unit = new Unit()
  addRelease(unit, request, messageId)
  await rt.store.write(unit)
}
