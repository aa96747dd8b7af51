import type { Static } from 'typebox'
import { invalidField } from '../../contract/app-error.ts'
import type { SendReaction } from '../../contract/messages/send-content.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { isEmoji } from '../content/check-text.ts'
import { type Draft, draftInWindow, requireAddress, requireMessageOf, type Sender } from './draft.ts'

export type ReactionRequest = Static<typeof SendReaction>

/** An emoji on a message of the customer's chat, within the 24-hour window; an empty one takes it back. */
export async function draftReaction(rt: Runtime, sender: Sender, request: ReactionRequest): Promise<Draft> {
  const { message_id: id, emoji } = request
  const address = requireAddress(request.to)
  if (emoji !== '' && !isEmoji(emoji)) {
    throw invalidField('emoji', 'invalid_value', 'Give exactly one emoji, or an empty text to remove your reaction.')
  }
  const target = await requireMessageOf(rt, sender.accountId, address, {
    field: 'message_id',
    id,
    ofGroup: 'you can only react to messages of private chats.',
    ofOther: 'Send to the customer who wrote or received it.',
  })
  requireReactable(rt, target)
  const channelMessageId = target.channel_message_id
  const from = request.from ?? target.number_id
  const draft = await draftInWindow(
    rt,
    sender,
    { ...request, from },
    {
      type: 'reaction',
      outbound: { type: 'reaction', channelMessageId, emoji },
      content: { reaction: { message_id: channelMessageId, emoji: emoji === '' ? null : emoji } },
    },
  )
  if (draft.number.id !== target.number_id) {
    throw invalidField(
      'from',
      'invalid_value',
      'This message is in a chat with another of your numbers. Leave from out.',
    )
  }
  return draft
}

const ageMaxMs = 30 * dayMs

/** Reactions that Meta accepts and later reports as failed. */
function requireReactable(rt: Runtime, { type, created_at }: MessageRow): void {
  if (type === 'reaction') {
    const message = 'This message is a reaction itself. Use the id of the message that it is about.'
    throw invalidField('message_id', 'invalid_value', message)
  }
  if (created_at < rt.clock.now() - ageMaxMs) {
    throw invalidField('message_id', 'invalid_value', 'This message is older than 30 days, too old to react to.')
  }
}
