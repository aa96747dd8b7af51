import { listNumbers } from '../channels/channel-record.ts'
import { type ChannelNumber, channelNotConnected, requireNumber } from '../channels/require-number.ts'
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
    throw channelNotConnected(rt, 'The WhatsApp Business account of this template is not connected.')
  }
  return channel
}
