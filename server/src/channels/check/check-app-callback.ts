import type { AppSubscription, NumberFacts } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { OpenChannel } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import { extraFields, webhookFields } from '../attach-app.ts'
import { appCallbackPath, appCallbackUrl, type ChannelApp } from '../channel-app.ts'
import { type ChannelAccess, credentialsOf } from '../require-number.ts'
import { callbackPath, describeAddress } from './check-callback.ts'
import { type CheckStep, failed, failedCall, ok, warning } from './check-step.ts'

type AppCallbackOptions = {
  /** One of the numbers of the channel. */
  phoneNumberId: string
  /** Sets the address where none is set, or ours is out of date. */
  change: boolean
  /** Replaces an address of another system. */
  takeOver: boolean
}

/**
 * The app's own subscription: without it the platform refuses every override, and what is said about templates and
 * accounts arrives nowhere. An address of another system is replaced only on demand.
 */
export async function checkAppCallback(
  rt: Runtime,
  access: ChannelAccess,
  app: ChannelApp | null,
  { phoneNumberId, change, takeOver }: AppCallbackOptions,
): Promise<CheckStep> {
  if (!app) return failed('app_callback', 'The id of the app is not known, so it cannot be subscribed.', giveAppId)
  const credentials = credentialsOf(access, phoneNumberId)
  const url = appCallbackUrl(rt, app)
  try {
    const found = await rt.platform.appSubscription(credentials, app)
    const foreign = found !== null && !found.url.endsWith(appCallbackPath(app))
    if (foreign && !takeOver) return judgeForeign(rt, found)
    const lacks = (field: string) => !found?.fields.includes(field)
    const missing = webhookFields.filter(lacks)
    const isOurs = found?.url === url && missing.length === 0
    const extra = extraFields.filter(lacks)
    if (isOurs && extra.length === 0) {
      return ok('app_callback', `The app reports to ${url}, templates, accounts and other responders included.`)
    }
    if (isOurs && !change) return warning('app_callback', judgeExtra(extra), repair)
    if (!change && !foreign) return failed('app_callback', judgeMissing(found, url, missing), repair)
    const known = found?.fields ?? []
    const set = (wanted: readonly string[]) =>
      rt.platform.setAppSubscription(credentials, app, {
        url,
        fields: [...new Set([...wanted, ...known])],
        verifyToken: app.verifyToken,
      })
    const refused = await set([...webhookFields, ...extraFields]).then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof PlatformError) || error.upstream.code !== unknownParameter) throw error
        return true
      },
    )
    if (refused) {
      await set(webhookFields)
      return warning('app_callback', judgeExtra(extraFields.filter((field) => !known.includes(field))), tickFields)
    }
    const instead = foreign ? ` instead of ${describeAddress(rt, found.url)}` : ''
    return ok('app_callback', `Meta reached ${url} and the app reports there${instead}.`)
  } catch (error) {
    return failedCall('app_callback', `The app could not be subscribed at ${url}`, error, byHand)
  }
}

function judgeForeign(rt: Runtime, { url, fields }: AppSubscription): CheckStep {
  const whose = describeAddress(rt, url)
  const fix = 'Repeat with --take-over to let the app report to this gateway instead, or use an app of your own.'
  if (!fields.includes('messages')) {
    return failed('app_callback', `The app reports to ${whose} and is not subscribed to messages.`, fix)
  }
  const sentence = `The app reports to ${whose}: updates about templates, the account, the number's quality, customer preferences and other responders do not arrive here. Templates are polled instead.`
  return warning('app_callback', sentence, fix)
}

function judgeMissing(found: AppSubscription | null, url: string, missing: readonly string[]): string {
  if (found === null) return 'The app is not subscribed: Meta rejects an override and sends no callbacks.'
  if (found.url !== url) return `The app reports to ${found.url}, an old address of this gateway, not to ${url}.`
  return `The app is not subscribed to ${missing.join(', ')}.`
}

/** Also Meta's code for a field that an app cannot have. */
const unknownParameter = 100

/** What is not told then: mostly who else replies. */
function judgeExtra(fields: readonly string[]): string {
  return `The app is not subscribed to ${fields.join(', ')}: their events do not arrive.`
}

const tickFields =
  'Meta did not accept these fields for the app. If you need them, subscribe them in the App Dashboard under WhatsApp, Configuration.'

const giveAppId =
  'Repeat with --app-id; Meta shows the id in the App Dashboard under App settings, Basic. Or enter the address manually: repeat with --manual.'
const repair = 'Run `postern channels check --repair`.'
const byHand =
  'Start the gateway, make sure that the address is reachable from outside over https, and repeat. Or enter the address manually: repeat with --manual.'

/** An address of the number itself wins over that of the account; it is shown, and taken away only on demand. */
export async function checkNumberCallback(
  rt: Runtime,
  channel: OpenChannel,
  { callbackUrl, phoneNumberId }: NumberFacts,
  takeOver: boolean,
): Promise<CheckStep> {
  if (callbackUrl === null || callbackUrl.endsWith(callbackPath(channel))) {
    return ok('number_callback', 'The number has no callback address of its own.')
  }
  const place = describeAddress(rt, callbackUrl)
  if (!takeOver) {
    const fix = 'Repeat with --take-over to remove that address from the number.'
    return failed('number_callback', `The number reports to ${place}, which takes precedence over this gateway.`, fix)
  }
  try {
    await rt.platform.removeNumberCallback(credentialsOf(channel, phoneNumberId))
    return ok('number_callback', `The number no longer reports to ${place}.`)
  } catch (error) {
    const fix = "Remove the number's webhook_configuration with the app that set it."
    return failedCall('number_callback', `The number still reports to ${place}`, error, fix)
  }
}
