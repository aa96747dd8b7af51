import type { OpenChannel } from '../open-channels.ts'
import type { Runtime } from '../runtime.ts'
import { claimAppWaba, findAppWaba } from '../store/channels/channel-apps.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { type ChannelApp, ensureApp, findApp, isShared } from './channel-app.ts'
import type { Access } from './check/check-access.ts'
import { failed } from './check/check-step.ts'
import type { ChannelAccess } from './open-channel.ts'

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
