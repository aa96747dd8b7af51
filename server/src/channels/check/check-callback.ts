import type { SubscribedApp } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { OpenChannel } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import { credentialsOf } from '../require-number.ts'
import { type CheckStep, failed, failedCall, ok, skipped, warning } from './check-step.ts'

/** The callback address of this channel. */
export function callbackUrl(rt: Runtime, channel: Pick<OpenChannel, 'callbackId'>): string {
  return `${rt.urls.base}${callbackPath(channel)}`
}

export function callbackPath({ callbackId }: Pick<OpenChannel, 'callbackId'>): string {
  return `/channel/${callbackId}/callback`
}

/**
 * The plain subscription, the override, and a look at what the platform made of them, in the order it demands. The
 * platform calls the address before it agrees. An address of another system is replaced only on demand.
 */
export async function pointCallback(
  rt: Runtime,
  channel: OpenChannel,
  phoneNumberId: string,
  takeOver = false,
): Promise<CheckStep[]> {
  const credentials = credentialsOf(channel, phoneNumberId)
  const url = callbackUrl(rt, channel)
  const steps: CheckStep[] = []
  try {
    const own = findOwn(channel, await rt.platform.listSubscribedApps(credentials))
    // A plain subscription takes an override away, so it is made only where there is no subscription at all.
    if (!own) await rt.platform.subscribeApp(credentials)
    steps.push(subscribed)
    const other = foreignUrl(channel, own)
    if (other !== null && !takeOver) return [...steps, elsewhere(rt, other), skipped('read_back', nothingSet)]
  } catch (error) {
    const fix = 'Give the token the management permission and access to the WhatsApp Business account.'
    const step = failedCall('subscription', 'The app could not be subscribed to the account', error, fix)
    return [step, skipped('callback', nothingSet), skipped('read_back', nothingSet)]
  }
  try {
    await rt.platform.setCallbackOverride(credentials, { url, verifyToken: channel.verifyToken })
    steps.push(ok('callback', `Meta reached ${url} and will report there.`))
  } catch (error) {
    const step = failedCall('callback', `Meta did not accept ${url}`, error, callbackFix(url))
    return [...steps, step, skipped('read_back', nothingSet)]
  }
  return [...steps, await readBack(rt, channel, phoneNumberId)]
}

async function readBack(rt: Runtime, channel: OpenChannel, phoneNumberId: string): Promise<CheckStep> {
  const url = callbackUrl(rt, channel)
  try {
    const own = findOwn(channel, await rt.platform.listSubscribedApps(credentialsOf(channel, phoneNumberId)))
    if (own?.overrideCallbackUrl === url) return ok('read_back', 'Meta confirms the subscription and the address.')
    return failed('read_back', `Meta accepted ${url} but does not show it.`, 'Wait a minute and run the check again.')
  } catch (error) {
    return failedCall('read_back', 'The subscription could not be read back', error, 'Run the check again.')
  }
}

const subscribed = ok('subscription', 'The app is subscribed to the WhatsApp Business account.')
const nothingSet = 'Skipped: fix the steps above first.'

/** The path has 128 random bits; the host in front of it may have changed since. */
function foreignUrl(channel: OpenChannel, own: SubscribedApp | undefined): string | null {
  const url = own?.overrideCallbackUrl ?? null
  return url === null || url.endsWith(callbackPath(channel)) ? null : url
}

/** Everything is in order, and still nothing comes: Meta's API does not say whether an app is published. */
function nothingArrives(url: string): CheckStep {
  const fix =
    'Write to the number from a phone. If nothing arrives, publish the app in the App Dashboard: Meta sends no callbacks about real messages to an unpublished app.'
  return warning('callback', `Meta reports to ${url}, and nothing has arrived since the channel was connected.`, fix)
}

function elsewhere(rt: Runtime, url: string): CheckStep {
  const fix = 'Repeat with --take-over to let Meta report to this gateway instead.'
  return failed('callback', `Meta reports to ${describeAddress(rt, url)}, not here.`, fix)
}

/** Reads where callbacks go, and changes nothing. `silent`: nothing has arrived although there was time for it. */
export async function checkCallback(
  rt: Runtime,
  channel: OpenChannel,
  phoneNumberId: string,
  silent: boolean,
): Promise<CheckStep[]> {
  const url = callbackUrl(rt, channel)
  const again = 'Run `postern channels check --repair` to point the callbacks here again.'
  try {
    const own = findOwn(channel, await rt.platform.listSubscribedApps(credentialsOf(channel, phoneNumberId)))
    if (!own) {
      return [
        failed(
          'subscription',
          'The app is not subscribed to the WhatsApp Business account: nothing is reported.',
          again,
        ),
        skipped('callback', 'Skipped: nothing is reported anywhere.'),
      ]
    }
    if (own.overrideCallbackUrl === url) {
      return [subscribed, silent ? nothingArrives(url) : ok('callback', `Meta reports to ${url}.`)]
    }
    const other = foreignUrl(channel, own)
    if (other !== null) return [subscribed, elsewhere(rt, other)]
    const place = own.overrideCallbackUrl === null ? "the app's own address" : 'an old address of this gateway'
    return [subscribed, failed('callback', `Meta reports to ${place}, not to ${url}.`, again)]
  } catch (error) {
    const step = failedCall('subscription', 'The subscriptions could not be read', error, again)
    return [step, skipped('callback', 'Skipped: the subscriptions could not be read.')]
  }
}

function findOwn({ appId }: OpenChannel, apps: SubscribedApp[]): SubscribedApp | undefined {
  if (appId !== null) return apps.find((app) => app.appId === appId)
  return apps.length === 1 ? apps[0] : undefined
}

function callbackFix(url: string): string {
  const running = 'Start the gateway, make sure that the address is reachable from outside, and repeat.'
  return url.startsWith('https:')
    ? running
    : `Meta needs a public https address: set POSTERN_BASE_URL to it. ${running}`
}

/**
 * Our override goes, and nobody else's: a plain subscription takes away whichever there is. A token that no longer works
 * must not keep a channel from being disconnected.
 */
export async function releaseCallback(rt: Runtime, channel: OpenChannel, phoneNumberId: string): Promise<CheckStep> {
  const credentials = credentialsOf(channel, phoneNumberId)
  try {
    const address = findOwn(channel, await rt.platform.listSubscribedApps(credentials))?.overrideCallbackUrl
    // The path has 128 random bits; the host in front of it may have changed since.
    if (!address?.endsWith(callbackPath(channel))) return ok('callback', 'Meta was not reporting to this gateway.')
    await rt.platform.subscribeApp(credentials)
    return ok('callback', 'Meta no longer reports to this gateway.')
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const fix =
      'At Meta, POST /{waba}/subscribed_apps without parameters removes the address, and DELETE unsubscribes the app.'
    return failedCall('callback', 'The callback address could not be removed', error, fix)
  }
}

/** An address that callbacks go to, for people. One of this gateway that is not theirs is not for them to see. */
export function describeAddress(rt: Runtime, url: string): string {
  if (url.startsWith(`${rt.urls.base}/channel/`)) return 'the address of another account of this gateway'
  const parsed = URL.parse(url)
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'another address'
}
