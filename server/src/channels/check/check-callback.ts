import type { SubscribedApp } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { credentialsOf, type OpenChannel } from '../open-channel.ts'
import { type CheckStep, failed, failedCall, ok, skipped } from './check-step.ts'

/** Where the platform reaches us for this channel. */
export function callbackUrl(rt: Runtime, channel: Pick<OpenChannel, 'callbackId'>): string {
  return `${rt.urls.base}${callbackPath(channel)}`
}

function callbackPath({ callbackId }: Pick<OpenChannel, 'callbackId'>): string {
  return `/channel/${callbackId}/callback`
}

/** Points the callbacks of the business account at us; the platform calls the address before it agrees. */
export async function pointCallback(rt: Runtime, channel: OpenChannel, phoneNumberId: string): Promise<CheckStep[]> {
  const credentials = credentialsOf(channel, phoneNumberId)
  const url = callbackUrl(rt, channel)
  try {
    await rt.platform.setCallbackOverride(credentials, { url, verifyToken: channel.verifyToken })
    return [
      ok('subscription', 'The app is subscribed to the business chat account.'),
      ok('callback', `The platform reached ${url} and will report there.`),
    ]
  } catch (error) {
    const refused = failedCall('callback', `The platform did not accept ${url}`, error, callbackFix(url))
    return [await subscribeAtLeast(rt, channel, phoneNumberId), refused]
  }
}

/** Reads where callbacks go, and changes nothing. */
export async function checkCallback(rt: Runtime, channel: OpenChannel, phoneNumberId: string): Promise<CheckStep[]> {
  const url = callbackUrl(rt, channel)
  const again = 'Run the check with --repair to point the callbacks here again.'
  try {
    const own = findOwn(channel, await rt.platform.listSubscribedApps(credentialsOf(channel, phoneNumberId)))
    if (!own) {
      return [
        failed('subscription', 'The app is not subscribed to the business chat account: nothing is reported.', again),
        skipped('callback', 'Not looked at: nothing is reported anywhere.'),
      ]
    }
    const subscribed = ok('subscription', 'The app is subscribed to the business chat account.')
    if (own.overrideCallbackUrl === url) return [subscribed, ok('callback', `The platform reports to ${url}.`)]
    const elsewhere = own.overrideCallbackUrl === null ? "the app's own address" : 'another address'
    return [subscribed, failed('callback', `The platform reports to ${elsewhere}, not to ${url}.`, again)]
  } catch (error) {
    const step = failedCall('subscription', 'The subscriptions could not be read', error, again)
    return [step, skipped('callback', 'Not looked at: the subscriptions could not be read.')]
  }
}

/** A plain subscription would take an override of somebody else away, so it is made only where there is none at all. */
async function subscribeAtLeast(rt: Runtime, channel: OpenChannel, phoneNumberId: string): Promise<CheckStep> {
  const credentials = credentialsOf(channel, phoneNumberId)
  try {
    if (!findOwn(channel, await rt.platform.listSubscribedApps(credentials)))
      await rt.platform.subscribeApp(credentials)
    return ok('subscription', 'The app is subscribed to the business chat account.')
  } catch (error) {
    const fix = 'Give the token the management permission and access to the business chat account.'
    return failedCall('subscription', 'The app could not be subscribed', error, fix)
  }
}

function findOwn({ appId }: OpenChannel, apps: SubscribedApp[]): SubscribedApp | undefined {
  return appId === null ? apps[0] : apps.find((app) => app.appId === appId)
}

function callbackFix(url: string): string {
  const running = 'Start the gateway, make sure that the address is reachable from outside, and repeat.'
  return url.startsWith('https:')
    ? running
    : `The platform needs a public https address: set POSTERN_BASE_URL to it. ${running}`
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
    if (!address?.endsWith(callbackPath(channel)))
      return ok('callback', 'The platform was not reporting to this gateway.')
    await rt.platform.subscribeApp(credentials)
    return ok('callback', 'The platform no longer reports to this gateway.')
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const fix = "Remove the callback address in the platform's own manager."
    return failedCall('callback', 'The callback address could not be taken away', error, fix)
  }
}
