import type { Static } from 'typebox'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import { formatInstant } from '../../lib/instant.ts'
import { customerOf, publicId } from '../message-record.ts'
import type { Sent } from './dispatch-message.ts'

/** The response to each kind of send; kept with the idempotency key. */
export type SendAnswers = {
  text: Static<typeof SentText>
  template: Static<typeof SentTemplate>
  media: Static<typeof SentOther>
  interactive: Static<typeof SentOther>
}

export const sendAnswers: { [Kind in keyof SendAnswers]: (sent: Sent) => SendAnswers[Kind] } = {
  text: ({ row }) => ({
    message_id: publicId(row),
    status: 'sent',
    ...(row.used === null ? {} : { used: row.used as 'text' | 'template' }),
  }),
  template: ({ row, timestamp }) => ({
    message_id: publicId(row),
    to: customerOf(row),
    template: row.template ?? '',
    status: 'sent',
    timestamp: formatInstant(timestamp),
  }),
  media: typedAnswer,
  interactive: typedAnswer,
}

function typedAnswer({ row, timestamp }: Sent): Static<typeof SentOther> {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    type: row.type,
    status: 'sent',
    timestamp: formatInstant(timestamp),
  }
}
