import type { Actor, AuditContext } from '../audit/audit.ts'
import type { ChannelRecord } from '../channels/channel-record.ts'
import { checkAccess } from '../channels/check/check-access.ts'
import { pointCallback } from '../channels/check/check-callback.ts'
import { checkHealth } from '../channels/check/check-health.ts'
import { checkNumber } from '../channels/check/check-number.ts'
import { type CheckStep, isFailed, skipped } from '../channels/check/check-step.ts'
import { recordHealth } from '../channels/check/record-health.ts'
import { readChannel } from '../channels/list-channels.ts'
import type { ChannelKind } from '../channels/open-channel.ts'
import { saveChannel } from '../channels/save-channel.ts'
import type { Runtime } from '../runtime.ts'
import { seedCatalogDrafts } from '../templates/catalog/seed-catalog.ts'

export type ConnectRequest = {
  accountId: string
  kind: ChannelKind
  /** The business chat account and one of its numbers, by the platform's ids. */
  wabaId: string
  phoneNumberId: string
  accessToken: string
  appSecret: string
  appId?: string | null
  baseUrl?: string | null
  graphVersion?: string | null
  /** Registers a number that cannot send yet. */
  pin?: string | null
  actor: Actor
  context?: AuditContext
}

export type ConnectResult = {
  /** Every step is in order. */
  ok: boolean
  /** Null when the credentials or the number cannot be used: nothing was stored then. */
  channel: ChannelRecord | null
  /** Our id of the number. */
  numberId: string | null
  steps: CheckStep[]
}

/**
 * Connects a number of a business chat account, step by step, live. Token, permissions, secret and number must be in
 * order, or nothing is kept. The callback comes after the row, because the platform calls our address before it agrees;
 * where that fails the channel stays, can send, and says what is missing. Connecting again replaces the credentials.
 */
export async function connectChannel(rt: Runtime, request: ConnectRequest): Promise<ConnectResult> {
  const access = {
    wabaId: request.wabaId,
    accessToken: request.accessToken,
    appSecret: request.appSecret,
    appId: request.appId ?? null,
    baseUrl: request.baseUrl ?? rt.config.channelBaseUrl,
    graphVersion: request.graphVersion ?? rt.config.channelGraphVersion,
  }
  const { steps, token } = await checkAccess(rt, access, request.phoneNumberId)
  if (!token?.valid || steps.some(isFailed)) return refusal([...steps, skipped('number', untouched)])
  const known = { ...access, appId: access.appId ?? token.appId }
  const number = await checkNumber(rt, known, request.phoneNumberId, request.pin ?? null)
  if (!number.health || !number.facts || isFailed(number.step)) return refusal([...steps, number.step])
  const saving = { ...request, ...known, tokenExpiresAt: token.expiresAt, health: number.health }
  const { channel, numberId } = await saveChannel(rt, saving)
  if (request.kind === 'cloud') await seedCatalogDrafts(rt, { accountId: request.accountId, channelId: channel.id })
  const callback = await pointCallback(rt, channel, request.phoneNumberId)
  const health = await checkHealth(rt, channel, number.facts)
  const all = [...steps, number.step, ...callback, health.step]
  await recordHealth(rt, channel, { token, business: health.business, steps: all })
  return {
    ok: !all.some(isFailed),
    channel: await readChannel(rt, request.accountId, channel.id),
    numberId,
    steps: all,
  }
}

const untouched = 'Not looked at: mend the steps above first.'

function refusal(steps: CheckStep[]): ConnectResult {
  const rest = (['subscription', 'callback', 'health'] as const).map((name) => skipped(name, untouched))
  return { ok: false, channel: null, numberId: null, steps: [...steps, ...rest] }
}
