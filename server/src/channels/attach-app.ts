import type { Static } from 'typebox'
import type { ManualSetup as ManualSetupSchema } from '../contract/console/channel.ts'
import type { OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { claimAppWaba, findAppWaba } from '../store/channels/channel-apps.ts'
import { findChannel } from '../store/channels/channels.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { appCallbackUrl, type ChannelApp, ensureApp, findApp, isShared } from './channel-app.ts'
import type { Access } from './check/check-access.ts'
import { type CheckStep, failed, ok } from './check/check-step.ts'
import type { ChannelAccess } from './require-number.ts'

/** The operator's app is joined only by a token that Meta itself says is of that app. */
export async function appFor(
  rt: Runtime,
  accountId: string,
  { appId, appSecret }: Pick<ChannelAccess, 'appId' | 'appSecret'>,
  { appProven }: Pick<Access, 'appProven'>,
): Promise<ChannelApp | null | 'refused'> {
  if (appId === null) return null
  if (isShared(rt, appId) && !appProven) return 'refused'
  return ensureApp(rt, { accountId, appId, appSecret })
}

/** One (app, business account) belongs to one account. */
export async function isTaken(
  rt: Runtime,
  accountId: string,
  wabaId: string,
  app: ChannelApp | null,
): Promise<boolean> {
  if (!app) return false
  const [claim] = await rt.store.read(findAppWaba, { app_id: app.appId, waba_id: wabaId })
  return claim !== undefined && claim.account_id !== accountId
}

/** Lets a connected channel hear what its app is told, once its token has proved its access; also after an upgrade. */
export async function attachApp(
  rt: Runtime,
  channel: OpenChannel,
  proven: Pick<Access, 'appId' | 'appProven'>,
): Promise<ChannelApp | null | 'taken'> {
  const appId = channel.appId ?? proven.appId
  const app = await appFor(rt, channel.accountId, { appId, appSecret: channel.appSecret }, proven)
  if (app === null || app === 'refused') return null
  if (!proven.appProven) return app
  const unit = new Unit()
  unit.add(claimAppWaba, {
    app_id: app.appId,
    waba_id: channel.wabaId,
    channel_app_id: app.id,
    channel_id: channel.id,
    account_id: channel.accountId,
    proved_at: rt.clock.now(),
  })
  try {
    await rt.store.write(unit)
    return app
  } catch (error) {
    if (error instanceof ConditionFailed) return 'taken'
    throw error
  }
}

/** The same without storing anything: for a look with settings that may not be those of the server. */
export async function findAttachedApp(
  rt: Runtime,
  channel: OpenChannel,
  proven: Pick<Access, 'appId' | 'appProven'>,
): Promise<ChannelApp | null | 'taken'> {
  const appId = channel.appId ?? proven.appId
  const shared = isShared(rt, appId)
  if (appId === null || (shared && !proven.appProven)) return null
  const app = await findApp(rt, shared ? '' : channel.accountId, appId)
  return (await isTaken(rt, channel.accountId, channel.wabaId, app)) ? 'taken' : app
}

export const businessTaken = failed(
  'app_callback',
  'Another account of this gateway is connected to this WhatsApp Business account through the same app.',
  'Disconnect it there first, or connect through another app.',
)
export const notOfOperator = failed(
  'app_callback',
  "Meta did not confirm that the token belongs to the operator's app.",
  "Create the token for the operator's app, or give the id and the secret of an app of your own.",
)

/** The fields of the webhook object `whatsapp_business_account` that the gateway supports. */
const overridableFields = ['messages', 'calls'] as const

/**
 * Fields that an app may not have, by its permissions or the version of Graph: other responders, the WhatsApp Business app,
 * and news that is kept as it comes. Without them the gateway works; with them nothing that Meta says is lost. Whether an
 * override moves them differs from field to field, so the app is subscribed to all.
 */
export const extraFields: readonly string[] = [
  'standby',
  'messaging_handovers',
  'smb_message_echoes',
  'message_echoes',
  'history',
  'smb_app_state_sync',
  'business_username_updates',
  'template_correct_category_detection',
  'account_settings_update',
  'flows',
  'payment_configuration_update',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
]

/** These never follow an override: Meta reports them to the address of the app alone. */
const appOnlyFields = [
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
  'security',
  'user_preferences',
] as const

export const webhookFields: readonly string[] = [...overridableFields, ...appOnlyFields]

/** The values to enter in the App Dashboard under WhatsApp, Configuration, if the gateway can't do it. */
export type ManualSetup = Static<typeof ManualSetupSchema>

export function describeManual(rt: Runtime, app: ChannelApp): ManualSetup {
  return {
    callback_url: appCallbackUrl(rt, app),
    verify_token: app.verifyToken,
    fields: [...webhookFields, ...extraFields],
    verified: app.handshakeAt !== null,
  }
}

/** For the account that owns the app alone: the operator's is the operator's to set. Null: nothing to enter by hand. */
export async function readChannelManual(
  rt: Runtime,
  accountId: string,
  channelId: string,
): Promise<ManualSetup | null> {
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  const app = row?.app_id == null ? null : await findApp(rt, accountId, row.app_id)
  return app && describeManual(rt, app)
}

export function waitingForHandshake(rt: Runtime, app: ChannelApp): CheckStep {
  const url = appCallbackUrl(rt, app)
  if (app.handshakeAt !== null) return ok('app_callback', `Meta verified ${url}.`)
  return failed(
    'app_callback',
    `Meta has not verified ${url} yet.`,
    'In the App Dashboard under WhatsApp, Configuration, enter the callback URL and the verify token, choose Verify and save, and subscribe the fields. Then run the check with --repair.',
  )
}
