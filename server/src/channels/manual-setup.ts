import type { Static } from 'typebox'
import type { ManualSetup as ManualSetupSchema } from '../contract/console/channel.ts'
import type { Runtime } from '../runtime.ts'
import { findChannel } from '../store/channels/channels.ts'
import { appCallbackUrl, type ChannelApp, findApp } from './channel-app.ts'
import { type CheckStep, failed, ok } from './check/check-step.ts'
import { webhookFields } from './webhook-fields.ts'

/** What a person enters in the App Dashboard under WhatsApp, Configuration, where the gateway cannot do it itself. */
export type ManualSetup = Static<typeof ManualSetupSchema>

export function describeManual(rt: Runtime, app: ChannelApp): ManualSetup {
  return {
    callback_url: appCallbackUrl(rt, app),
    verify_token: app.verifyToken,
    fields: [...webhookFields],
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
