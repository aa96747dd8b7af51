import { listNumbers } from '../channels/list-numbers.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

/** What is needed of a number to manage the templates of its channel. */
export type TemplateChannel = Pick<ChannelNumber, 'accountId' | 'channelId' | 'kind' | 'credentials'>

/** Any connected number of a channel: templates belong to the channel, so all of them will do. */
export async function findChannelOf(
  rt: Runtime,
  { accountId, channelId }: { accountId: string; channelId: string },
): Promise<TemplateChannel | undefined> {
  const number = (await listNumbers(rt, accountId)).find((candidate) => candidate.channel_id === channelId)
  return number && requireNumber(rt, accountId, { from: number.id })
}

export async function requireChannelOf(
  rt: Runtime,
  template: { accountId: string; channelId: string },
): Promise<TemplateChannel> {
  const channel = await findChannelOf(rt, template)
  if (!channel) {
    throw new AppError('channel_not_connected', 'The channel this template belongs to is not connected.')
  }
  return channel
}
