import { dayMs, minuteMs } from '../../lib/durations.ts'
import type { OpenChannel } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import { findChannel } from '../../store/channels/channels.ts'
import { respondersOf } from '../../store/messages/threads.ts'
import { attachApp, businessTaken, findAttachedApp } from '../attach-app.ts'
import { type ChannelRecord, readChannel } from '../channel-record.ts'
import { numbersOf } from '../refresh-channel.ts'
import { type ChannelAccess, openRow } from '../require-number.ts'
import { checkAccess } from './check-access.ts'
import { checkAppCallback, checkNumberCallback } from './check-app-callback.ts'
import { checkCallback, pointCallback } from './check-callback.ts'
import { checkHealth, type HealthReport, recordHealth } from './check-health.ts'
import { checkNumber } from './check-number.ts'
import { type CheckStep, failed, isFailed, ok, skipped } from './check-step.ts'

type CheckResult = { ok: boolean; channel: ChannelRecord; steps: CheckStep[] }
export type CheckOptions = {
  /** Sets again what points at this gateway no more. */
  repair?: boolean
  /** Replaces callback addresses of other systems too. */
  takeOver?: boolean
  /** Only the operator may move the address of the operator's app. */
  byOperator?: boolean
  /** Stores what was found, which people then see in the console; true unless told otherwise. */
  record?: boolean
}

/** Looks at a connected channel as connecting did. Null: there is no such channel. */
export async function checkChannel(
  rt: Runtime,
  accountId: string,
  channelId: string,
  options: CheckOptions = {},
): Promise<CheckResult | null> {
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  const channel = row && openRow(rt, row)
  if (!channel) return null
  // To a number of the sandbox nobody writes by chance, and its app needs no publishing.
  const isQuiet = row.last_event_at === null && rt.clock.now() - row.connected_at > quietMs
  const silent = row.kind !== 'sandbox' && isQuiet
  const { steps, report } = await runSteps(rt, channel, silent, options)
  if (options.record !== false) await recordHealth(rt, channel, { ...report, steps })
  const record = await readChannel(rt, accountId, channelId)
  return record && { ok: !steps.some(isFailed), channel: record, steps }
}

/** Long enough for a first message and its statuses. */
const quietMs = 10 * minuteMs

async function runSteps(
  rt: Runtime,
  channel: OpenChannel,
  silent: boolean,
  { repair = false, takeOver = false, byOperator = false, record = true }: CheckOptions,
): Promise<{ steps: CheckStep[]; report: HealthReport }> {
  const numbers = await numbersOf(rt, channel)
  const firstId = numbers[0]?.phone_number_id ?? ''
  const address = checkAddress(rt, channel)
  const access = await checkAccess(rt, channel, firstId)
  if (!access.token?.valid) {
    const rest = remaining.map((name) => skipped(name, 'Skipped: fix the token first.'))
    return { steps: [address, ...access.steps, ...rest], report: { token: access.token, business: null } }
  }
  const looks = []
  for (const number of numbers) {
    looks.push({ id: number.id, ...(await checkNumber(rt, channel, number.phone_number_id)) })
  }
  const facts = looks.flatMap(({ facts }) => facts ?? [])
  const health = facts[0] ? await checkHealth(rt, channel, facts[0]) : null
  const proven = { appId: access.appId, appProven: access.appProven && health?.business != null }
  const app = await (record ? attachApp : findAttachedApp)(rt, channel, proven)
  const change = repair || takeOver
  const ownApp = app === 'taken' || app?.accountId !== ''
  const appStep =
    app === 'taken'
      ? businessTaken
      : await checkAppCallback(rt, channel, app, {
          phoneNumberId: firstId,
          change,
          takeOver: takeOver && (ownApp || byOperator),
        })
  const callback = await checkCallback(rt, channel, firstId, silent)
  const repaired = change && callback.some(isFailed) ? await pointCallback(rt, channel, firstId, takeOver) : callback
  const own = []
  for (const one of facts) own.push(await checkNumberCallback(rt, channel, one, takeOver))
  const responders = []
  for (const { id, facts: found } of looks) {
    const onBusinessApp = found?.onBusinessApp ?? null
    if (found) responders.push(await checkResponders(rt, { numberId: id, onBusinessApp }))
  }
  const last = health?.step ?? skipped('health', 'Skipped: no number could be read.')
  return {
    steps: [
      address,
      ...access.steps,
      ...looks.map(({ step }) => step),
      appStep,
      ...repaired,
      ...own,
      ...responders,
      last,
    ],
    report: {
      token: access.token,
      business: health?.business ?? null,
      numbers: looks.flatMap(({ id, health: found }) => (found ? [{ id, health: found }] : [])),
    },
  }
}

const remaining = ['number', 'app_callback', 'subscription', 'callback', 'number_callback', 'health'] as const

const sinceDays = 30

/** Other responders of a number. Meta has no call for this, so it lists those seen; none of them is an error. */
async function checkResponders(
  rt: Runtime,
  { numberId, onBusinessApp }: { numberId: string; onBusinessApp: boolean | null },
): Promise<CheckStep> {
  const since = rt.clock.now() - sinceDays * dayMs
  const rows = await rt.store.read(respondersOf, { number_id: numberId, since })
  const app = onBusinessApp
    ? ' The number is also used in the WhatsApp Business app: 20 messages a second, and it ends if the phone stays off for 14 days.'
    : ''
  if (rows.length === 0) return ok('responders', `No other responder was seen at this number.${app}`)
  const who = rows.map(({ role, threads }) => `${role ?? 'unnamed'} (${threads})`).join(', ')
  return ok('responders', `Other responders handle conversations of this number: ${who}.${app}`)
}

const privateHost = /^(localhost|.*\.(local|internal|localhost|test|invalid|lan)|\[?(::1|f[cd]|fe80).*|[^.]+)$/i
const privateAddress = /^(127|10|0|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./

/** Meta calls back from the internet and takes nothing but https; a platform on this machine may call this machine. */
export function checkAddress(rt: Runtime, { baseUrl }: Pick<ChannelAccess, 'baseUrl'>): CheckStep {
  const { base } = rt.urls
  // Whether it answers is not known before it is called.
  if (isLoopback(baseUrl)) return ok('address', `The callback address is ${base}. A sandbox needs no public one.`)
  const url = URL.parse(base)
  if (url?.protocol === 'https:' && !privateHost.test(url.hostname) && !privateAddress.test(url.hostname)) {
    return ok('address', `The callback address is ${base}, public and https.`)
  }
  return failed(
    'address',
    `Meta cannot call ${base}: it needs a public https address.`,
    'Set POSTERN_BASE_URL to the public https address of this gateway, restart it, and repeat. For a test, a tunnel is enough.',
  )
}

function isLoopback(text: string): boolean {
  const host = URL.parse(text)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
