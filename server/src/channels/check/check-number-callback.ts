import type { OpenChannel } from '../../open-channels.ts'
import type { NumberFacts } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import { credentialsOf } from '../open-channel.ts'
import { callbackPath } from './check-callback.ts'
import { type CheckStep, failed, failedCall, ok } from './check-step.ts'
import { describeAddress } from './describe-address.ts'

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
