import type { Static } from 'typebox'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import { formatInstant } from '../../lib/instant.ts'
import { customerOf, publicId } from '../message-record.ts'
import type { Sent } from './dispatch-message.ts'
import type { SendRequest } from './draft-message.ts'

/** The response to each kind of send; kept with the idempotency key. */
export type SendAnswers = { text: Static<typeof SentText>; template: Static<typeof SentTemplate> } & {
  [Kind in Exclude<SendRequest['kind'], 'text' | 'template'>]: Static<typeof SentOther>
}

/** Kinds without fields of their own are answered alike. */
export function answerOf(kind: SendRequest['kind']): (sent: Sent) => SendAnswers[SendRequest['kind']] {
  if (kind === 'text') return textAnswer
  return kind === 'template' ? templateAnswer : typedAnswer
}

function textAnswer({ row }: Sent): SendAnswers['text'] {
  return {
    message_id: publicId(row),
    status: 'sent',
    ...(row.used === null ? {} : { used: row.used as 'text' | 'template' }),
  }
}

function templateAnswer({ row, timestamp }: Sent): SendAnswers['template'] {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    template: row.template ?? '',
    status: 'sent',
    timestamp: formatInstant(timestamp),
  }
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
