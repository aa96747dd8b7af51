import { randomBytes } from 'node:crypto'
import { type Actor, type AuditContext, writeAudited } from '../audit/audit.ts'
import type { ChannelKind, OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { claimAppWaba } from '../store/channels/channel-apps.ts'
import { type ChannelRow, findChannelOfBusiness, insertChannel, reconnectChannel } from '../store/channels/channels.ts'
import { preferNumber, saveNumber } from '../store/channels/numbers.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { enqueueJob } from '../store/jobs/jobs.ts'
import type { ChannelApp } from './channel-app.ts'
import type { NumberHealth } from './check/check-number.ts'
import { firstRefreshMs, refreshJob } from './refresh-channel.ts'
import { openRow, sealSecrets } from './require-number.ts'

type Saving = {
  accountId: string
  kind: ChannelKind
  wabaId: string
  phoneNumberId: string
  accessToken: string
  appSecret: string
  appId: string | null
  baseUrl: string
  graphVersion: string
  tokenExpiresAt: number | null
  health: NumberHealth
  /** The app whose address this business account's news may come in through; null where it is not proven. */
  app: ChannelApp | null
  actor: Actor
  context?: AuditContext
}

const triesMax = 5

/** Another account of this gateway is connected to the same business account through the same app. */
export class BusinessTaken extends Error {}

/** Reads, then writes on the revision it read; a request that connects the same account at the same moment costs a second try. */
export async function saveChannel(rt: Runtime, saving: Saving): Promise<{ channel: OpenChannel; numberId: string }> {
  for (let tries = 1; ; tries++) {
    try {
      return await trySave(rt, saving)
    } catch (error) {
      if (error instanceof ConditionFailed && error.operation === claimAppWaba.name) throw new BusinessTaken()
      const raced = error instanceof ConditionFailed || (error instanceof UniqueViolation && error.table === 'channels')
      if (!raced || tries >= triesMax) throw error
    }
  }
}

async function trySave(rt: Runtime, saving: Saving) {
  const { accountId, wabaId, phoneNumberId, health, actor, context } = saving
  const [before] = await rt.store.read(findChannelOfBusiness, { account_id: accountId, waba_id: wabaId })
  const row = toRow(rt, saving, before)
  const now = rt.clock.now()
  let numberCall: ReturnType<typeof addNumber> | undefined
  const targets = [{ type: 'channel', id: row.id, name: health.display_name ?? wabaId }]
  const metadata = { kind: row.kind, phoneNumberId }
  const entry = { accountId, action: 'channel.connected', actor, targets, context, metadata }
  const result = await writeAudited(rt, entry, (unit) => {
    if (before) unit.add(reconnectChannel, { ...row, revision: before.revision, now })
    else unit.add(insertChannel, row)
    numberCall = addNumber(rt, unit, row, { phoneNumberId, health, now })
    if (saving.app) unit.add(claimAppWaba, toClaim(row, saving.app, now))
    unit.add(enqueueJob, refreshJob(rt, { id: row.id, accountId }, firstRefreshMs))
  })
  const numberId = numberCall && result.first(numberCall)?.id
  const channel = openRow(rt, { ...row, revision: before ? before.revision + 1 : row.revision })
  if (!channel || numberId === undefined) throw new Error('A channel was stored without secrets or number.')
  return { channel, numberId }
}

function toRow(rt: Runtime, saving: Saving, before: ChannelRow | undefined): ChannelRow {
  const now = rt.clock.now()
  const id = before?.id ?? rt.newId('chn')
  const owner = { id, account_id: saving.accountId }
  const verifyToken = randomBytes(32).toString('base64url')
  return {
    id,
    callback_id: before?.callback_id ?? randomBytes(16).toString('hex'),
    account_id: saving.accountId,
    kind: saving.kind,
    waba_id: saving.wabaId,
    app_id: saving.appId,
    ...sealSecrets(rt, owner, { accessToken: saving.accessToken, appSecret: saving.appSecret, verifyToken }),
    base_url: saving.baseUrl,
    graph_version: saving.graphVersion,
    status: 'connected',
    name: null,
    business_verified: 0,
    marketing_messages: 0,
    currency: null,
    time_zone: null,
    token_expires_at: saving.tokenExpiresAt,
    last_event_at: null,
    checked_at: null,
    check_steps: null,
    connected_at: now,
    disconnected_at: null,
    updated_at: now,
    revision: 1,
  }
}

function toClaim({ id, account_id, waba_id }: ChannelRow, app: ChannelApp, now: number) {
  return { app_id: app.appId, waba_id, channel_app_id: app.id, channel_id: id, account_id, proved_at: now }
}

function addNumber(
  rt: Runtime,
  unit: Unit,
  channel: ChannelRow,
  { phoneNumberId, health, now }: { phoneNumberId: string; health: NumberHealth; now: number },
) {
  return unit.add(saveNumber, {
    id: rt.newId('pn'),
    channel_id: channel.id,
    account_id: channel.account_id,
    phone_number_id: phoneNumberId,
    ...health,
    preferred_at: 0,
    last_inbound_at: null,
    connected_at: now,
    disconnected_at: null,
    updated_at: now,
  })
}

type DefaultChoice = { accountId: string; numberId: string; actor: Actor; context?: AuditContext }

/** The number that messages without `from` leave from. False: the account has no such connected number. */
export async function setDefaultNumber(
  rt: Runtime,
  { accountId, numberId, actor, context }: DefaultChoice,
): Promise<boolean> {
  const targets = [{ type: 'number', id: numberId, name: numberId }]
  const entry = { accountId, action: 'number.default_set', actor, targets, context }
  try {
    await writeAudited(rt, entry, (unit) =>
      unit.add(preferNumber, { account_id: accountId, id: numberId, now: rt.clock.now() }),
    )
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}
