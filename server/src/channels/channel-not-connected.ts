import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

/** The refusal for lack of a connection, with the page where a person makes one. */
export function channelNotConnected(
  { urls }: Pick<Runtime, 'urls'>,
  sentence = 'No WhatsApp Business account is connected.',
): AppError {
  return new AppError('channel_not_connected', `${sentence} Connect one at ${urls.console}/channel`)
}
