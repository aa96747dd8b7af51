import { sendDeadline } from '../access/send-deadline.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Sender } from '../messages/send/draft.ts'
import { send } from '../messages/send/send.ts'
import type { SendAnswers, SendRequest } from '../messages/send/send-request.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import type { BroadcastRow } from '../store/broadcasts/broadcasts.ts'
import { findByLine, findGroups, type RecipientRow } from '../store/broadcasts/recipients.ts'
import { countRefusing, findSendRate } from '../store/broadcasts/results.ts'
import { findUploads, type UploadRow } from '../store/broadcasts/uploads.ts'
import { findTemplate, requireSendableTemplate } from '../templates/find-template.ts'
import { matchParameters } from '../templates/values/match-parameters.ts'
import { costAhead, type Owner, patternOf, requireBroadcast } from './broadcast.ts'
import { countriesOf } from './recipients/intake.ts'
import { customersADay, limitShare, quotaShare } from './turn/turn-limits.ts'

type LimitName = 'number_rate' | 'max_per_second' | 'quota' | 'messaging_limit'

/** Whom a broadcast would reach from now on, who would be skipped, how long it takes and what limits it. */
export async function estimateBroadcast(rt: Runtime, owner: Owner, id: string) {
  const row = await requireBroadcast(rt, owner, id)
  const [groups, refusing, template, [number], [account]] = await Promise.all([
    rt.store.read(findGroups, { broadcast_id: row.id }),
    refusingOf(rt, row),
    findTemplate(rt, row.account_id, row.template, row.language),
    rt.store.read(findSendRate, { number_id: row.number_id }),
    rt.store.read(findAccount, { id: row.account_id }),
  ])
  const open = groups
    .map(({ country, size, taken }) => ({ country, size: size - taken }))
    .filter(({ size }) => size > 0)
  const countries = countriesOf(open)
  const recipients = open.reduce((sum, { size }) => sum + size, 0)
  const category = template?.category ?? null
  const skipped = skippedOf(refusing, category)
  const left = recipients - Object.values(skipped).reduce((sum, count) => sum + count, 0)
  const limits = limitsOf({
    sendsPerSecond: number?.sends_per_second ?? 1,
    maxPerSecond: row.max_per_second,
    plan: (account?.plan ?? 'free') as Plan,
    tier: number?.messaging_limit ?? null,
  })
  const seconds = limits.map(({ name, seconds: of }) => ({ name, seconds: of(left) }))
  const [slowest] = seconds.sort((a, b) => b.seconds - a.seconds)
  const duration = Math.ceil(slowest?.seconds ?? 0)
  const now = rt.clock.now()
  return {
    recipients,
    countries,
    skipped,
    category,
    cost: category === null || countries.length === 0 ? null : await costAhead(rt, row, category, countries),
    per_second: Math.min(row.max_per_second ?? Number.POSITIVE_INFINITY, number?.sends_per_second ?? 1),
    duration_seconds: duration,
    limited_by: slowest?.name ?? ('number_rate' as const),
    ends_at: formatInstant(now + duration * secondMs),
    fits_valid_for: duration <= row.valid_for,
    as_of: formatInstant(refusing.at),
  }
}

type Refusing = { opted_out: number; blocked: number; at: number }

/** Believed for so many times as long as counting took, between these: among a million recipients it takes seconds. */
const believed = { minMs: secondMs, maxMs: 10 * minuteMs, times: 60 }

/** Who of the recipients stopped marketing or was blocked: counted once more when it is a while ago, or when they changed. */
export async function refusingOf(rt: Runtime, row: BroadcastRow): Promise<Refusing> {
  const name = `refusing ${row.id} ${row.accepted} ${row.taken}`
  const startedMs = performance.now()
  const last = rt.recentCounts.find(name, startedMs)
  if (last !== undefined) return last as Refusing
  return rt.singleflight.run(name, async () => {
    const { id: broadcast_id, account_id, number_id } = row
    const [found] = await rt.store.read(countRefusing, { account_id, number_id, broadcast_id })
    const refusing = { opted_out: 0, blocked: 0, ...found, at: rt.clock.now() }
    const endedMs = performance.now()
    const forMs = Math.min(believed.maxMs, Math.max(believed.minMs, (endedMs - startedMs) * believed.times))
    rt.recentCounts.note(name, refusing, endedMs + forMs)
    return refusing
  })
}

/** A customer who stopped marketing still gets other messages. */
function skippedOf({ opted_out, blocked }: { opted_out: number; blocked: number }, category: string | null) {
  const optedOut = category === 'marketing' ? opted_out : 0
  return { ...(optedOut > 0 ? { opted_out: optedOut } : {}), ...(blocked > 0 ? { blocked } : {}) }
}

type Given = { sendsPerSecond: number; maxPerSecond: number | null; plan: Plan; tier: string | null }
type Limit = { name: LimitName; seconds(count: number): number }

/** How long each limit would make a number of messages take, from the beginning of its window. */
function limitsOf({ sendsPerSecond, maxPerSecond, plan, tier }: Given): Limit[] {
  const each = (name: LimitName, perSecond: number): Limit => ({ name, seconds: (count) => count / perSecond })
  const window = (name: LimitName, most: number, windowMs: number): Limit => ({
    name,
    seconds: (count) => (Math.max(0, Math.ceil(count / most) - 1) * windowMs) / secondMs,
  })
  const { hour, day } = plans[plan]
  const customers = customersADay(tier)
  return [
    each('number_rate', sendsPerSecond),
    ...(maxPerSecond === null ? [] : [each('max_per_second', maxPerSecond)]),
    ...(hour === null ? [] : [window('quota', Math.floor(hour * quotaShare), hourMs)]),
    ...(day === null ? [] : [window('quota', Math.floor(day * quotaShare), dayMs)]),
    ...(customers === null ? [] : [window('messaging_limit', Math.floor(customers * limitShare), dayMs)]),
  ]
}

/** The components for one recipient. */
export function filledFor(row: BroadcastRow, columns: readonly string[], cells: string): unknown {
  const values = JSON.parse(cells) as (string | null)[]
  const filled = patternOf(row).fill((name) => values[columns.indexOf(name)] ?? undefined)
  return filled ?? undefined
}

/** The message as one of its recipients would see it. */
export async function previewBroadcast(rt: Runtime, owner: Owner, id: string, line: number | null) {
  const row = await requireBroadcast(rt, owner, id)
  const { recipient, components } = await recipientOf(rt, row, line)
  const number = await requireNumber(rt, row.account_id, { from: row.number_id })
  const template = await requireSendableTemplate(rt, number, { name: row.template, language: row.language })
  const matched = matchParameters(template, components)
  if (matched.ok) return { line: recipient.line, to: recipient.address, content: matched.rendered }
  throw new AppError(matched.error, matched.problems[0]?.message ?? 'The values do not match the template.', {
    details: matched.problems,
  })
}

async function recipientOf(rt: Runtime, row: BroadcastRow, line: number | null) {
  const uploads = await rt.store.read(findUploads, { broadcast_id: row.id })
  // A repeat of an upload adds nobody.
  const upload = uploads.findLast(({ state, accepted }) => state === 'complete' && accepted > 0)
  const recipient = upload && (await findRecipient(rt, upload, line))
  if (!recipient) {
    if (!upload) throw new AppError('broadcast_empty', 'The broadcast has no recipients. Upload some first.')
    throw new AppError('broadcast_empty', `Line ${line ?? 1} of the last upload is not a recipient.`)
  }
  return { recipient, components: filledFor(row, JSON.parse(upload.columns) as string[], recipient.cells) }
}

async function findRecipient(rt: Runtime, upload: UploadRow, line: number | null): Promise<RecipientRow | undefined> {
  const { broadcast_id, first_group, last_group } = upload
  return (await rt.store.read(findByLine, { broadcast_id, first_group, last_group, line: line ?? 0 }))[0]
}

type Test = { to: readonly string[]; line?: number | null }

/** Sends the message of one recipient to others. These are sends as all others: they count and cost. */
export async function testBroadcast(rt: Runtime, sender: Sender, id: string, { to, line = null }: Test) {
  const row = await requireBroadcast(rt, sender, id)
  const { components } = await recipientOf(rt, row, line)
  const { template, language, number_id } = row
  const messages = []
  for (const address of to) {
    const body = {
      to: address,
      from: number_id,
      template,
      language,
      components: (components ?? null) as unknown[] | null,
    }
    messages.push({ to: address, ...(await sendOne(rt, sender, body)) })
  }
  return { messages }
}

type Body = Extract<SendRequest, { kind: 'template' }>['body']
type Sent = { message_id: string | null; error: { code: string; message: string } | null }

async function sendOne(rt: Runtime, sender: Sender, body: Body): Promise<Sent> {
  try {
    const { data } = await send(rt, {
      sender,
      request: { kind: 'template', body },
      idempotencyKey: null,
      deadline: sendDeadline(rt),
    })
    return { message_id: (data as SendAnswers['template']).message_id, error: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, extras } = error
    return { message_id: extras.messageId ?? null, error: { code, message } }
  }
}
