import { type Actor, type AuditContext, gateway, operator } from '../audit/audit.ts'
import {
  appFor,
  businessTaken,
  describeManual,
  isTaken,
  type ManualSetup,
  notOfOperator,
  waitingForHandshake,
} from '../channels/attach-app.ts'
import { isShared, sharedApp } from '../channels/channel-app.ts'
import { type ChannelRecord, readChannel } from '../channels/channel-record.ts'
import { checkAccess } from '../channels/check/check-access.ts'
import { checkAppCallback, checkNumberCallback } from '../channels/check/check-app-callback.ts'
import { pointCallback } from '../channels/check/check-callback.ts'
import { checkAddress } from '../channels/check/check-channel.ts'
import { checkHealth, recordHealth } from '../channels/check/check-health.ts'
import { checkNumber } from '../channels/check/check-number.ts'
import { type CheckStep, failed, isFailed, skipped, stepNames } from '../channels/check/check-step.ts'
import type { ChannelAccess } from '../channels/require-number.ts'
import { BusinessTaken, saveChannel } from '../channels/save-channel.ts'
import type { SandboxNumber } from '../platform/sandbox-control.ts'
import type { ChannelKind } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { seedCatalogDrafts } from '../templates/catalog/seed-catalog.ts'

export type ConnectRequest = {
  accountId: string
  kind: ChannelKind
  /** The WhatsApp Business account and one of its numbers, by the platform's ids. */
  wabaId: string
  phoneNumberId: string
  accessToken: string
  /** Left out where the token belongs to the operator's app. */
  appSecret?: string | null
  appId?: string | null
  baseUrl?: string | null
  graphVersion?: string | null
  /** Registers a number that cannot send yet. */
  pin?: string | null
  /** Replaces callback addresses of other systems. */
  takeOver?: boolean
  /** The address of the app is entered at Meta by hand. */
  manual?: boolean
  actor: Actor
  context?: AuditContext
}

export type ConnectResult = {
  /** No step failed. */
  ok: boolean
  /** Null when the credentials or the number cannot be used: nothing was stored then. */
  channel: ChannelRecord | null
  /** Our id of the number. */
  numberId: string | null
  steps: CheckStep[]
  /** The values to enter at Meta manually. */
  manual: ManualSetup | null
}

/**
 * Connects a number of a WhatsApp Business account, step by step, live. Address, token, permissions, secret, number and
 * account must be in order, or nothing is kept. The subscriptions come after the row, because the platform calls our
 * addresses before it agrees; where one fails the channel stays, can send, and says what is missing. Connecting again
 * replaces the credentials.
 */
export async function connectChannel(rt: Runtime, request: ConnectRequest): Promise<ConnectResult> {
  const given = accessOf(rt, request)
  const address = checkAddress(rt, given)
  if (isFailed(address)) return refusal([address])
  if (given.appSecret === '') return refusal([address, noSecret])
  const access = await checkAccess(rt, given, request.phoneNumberId)
  const soFar = [address, ...access.steps]
  if (!access.token?.valid || soFar.some(isFailed)) return refusal(soFar)
  const known = { ...given, appId: access.appId }
  const number = await checkNumber(rt, known, request.phoneNumberId, request.pin ?? null)
  if (!number.health || !number.facts || isFailed(number.step)) return refusal([...soFar, number.step])
  // Reading the account proves that the token may hear of it.
  const health = await checkHealth(rt, known, number.facts)
  if (!health.business) return refusal([...soFar, number.step, health.step])
  const app = await appFor(rt, request.accountId, known, access)
  if (app === 'refused') return refusal([...soFar, number.step, notOfOperator])
  if (await isTaken(rt, request.accountId, request.wabaId, app)) return refusal([...soFar, number.step, businessTaken])
  const saving = {
    ...request,
    ...known,
    tokenExpiresAt: access.token.expiresAt,
    health: number.health,
    app: access.appProven ? app : null,
  }
  const saved = await saveChannel(rt, saving).catch((error: unknown) => {
    if (error instanceof BusinessTaken) return null
    throw error
  })
  if (!saved) return refusal([...soFar, number.step, businessTaken])
  const { channel, numberId } = saved
  if (request.kind === 'cloud') await seedCatalogDrafts(rt, { accountId: request.accountId, channelId: channel.id })
  const { phoneNumberId, takeOver = false, manual = false } = request
  const mayTakeOver = takeOver && (app?.accountId !== '' || request.actor === operator)
  const appStep =
    manual && app
      ? waitingForHandshake(rt, app)
      : await checkAppCallback(rt, channel, app, { phoneNumberId, change: true, takeOver: mayTakeOver })
  const steps = [
    ...soFar,
    number.step,
    appStep,
    ...(await pointCallback(rt, channel, phoneNumberId, takeOver)),
    await checkNumberCallback(rt, channel, number.facts, takeOver),
    health.step,
  ]
  await recordHealth(rt, channel, { token: access.token, business: health.business, steps })
  return {
    ok: !steps.some(isFailed),
    channel: await readChannel(rt, request.accountId, channel.id),
    numberId,
    steps,
    manual: manual && app && app.accountId !== '' ? describeManual(rt, app) : null,
  }
}

/** Without a secret the operator's app is meant, and its secret stays with the operator. */
function accessOf(rt: Runtime, request: ConnectRequest): ChannelAccess {
  const shared = sharedApp(rt)
  const usesShared = shared !== null && (isShared(rt, request.appId ?? null) || !request.appSecret)
  return {
    wabaId: request.wabaId,
    accessToken: request.accessToken,
    appSecret: usesShared ? shared.appSecret : (request.appSecret ?? ''),
    appId: usesShared ? shared.appId : (request.appId ?? null),
    baseUrl: request.baseUrl ?? rt.config.channelBaseUrl,
    graphVersion: request.graphVersion ?? rt.config.channelGraphVersion,
  }
}

const noSecret = failed(
  'app_secret',
  'The app secret is missing.',
  'Give the app secret from App settings, Basic, in POSTERN_CHANNEL_APP_SECRET or the file of --secrets.',
)

function refusal(steps: CheckStep[]): ConnectResult {
  const rest = stepNames
    .filter((name) => !steps.some((step) => step.name === name))
    .map((name) => skipped(name, 'Skipped: fix the steps above first.'))
  return { ok: false, channel: null, numberId: null, steps: [...steps, ...rest], manual: null }
}

/** Asks the sandbox at an address for a fresh number; platform/sandbox-control.ts does it over HTTP. */
export type OpenSandboxNumber = (sandboxUrl: string, wanted: { name: string }) => Promise<SandboxNumber>

/** A fresh sandbox number, connected by the same steps as a real one: only the address of the platform differs. */
export async function connectSandboxChannel(
  rt: Runtime,
  accountId: string,
  sandbox: { url: string; openNumber: OpenSandboxNumber },
  actor: Actor = gateway,
): Promise<ConnectResult> {
  const number = await sandbox.openNumber(sandbox.url, { name: 'Sandbox Business' })
  return connectChannel(rt, {
    accountId,
    kind: 'sandbox',
    wabaId: number.wabaId,
    phoneNumberId: number.phoneNumberId,
    accessToken: number.accessToken,
    appSecret: number.appSecret,
    appId: number.appId,
    baseUrl: sandbox.url,
    graphVersion: number.graphVersion,
    actor,
  })
}
