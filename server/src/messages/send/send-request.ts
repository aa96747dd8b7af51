import type { Static } from 'typebox'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import { sentTypes } from '../../contract/messages/send-requests.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { customerOf, publicId } from '../message-record.ts'
import type { Sent } from './dispatch-message.ts'
import type { Draft, Sender, TemplateRequest } from './draft.ts'
import { type ContactsRequest, draftContacts } from './send-contacts.ts'
import { draftInteractive, type InteractiveRequest } from './send-interactive.ts'
import { draftLocation, type LocationRequest } from './send-location.ts'
import { draftMedia, type MediaRequest, type StickerRequest } from './send-media.ts'
import { draftReaction, type ReactionRequest } from './send-reaction.ts'
import { draftTemplate } from './send-template.ts'
import { draftText, type TextRequest } from './send-text.ts'

/** What a caller wants to send. */
export type SendRequest =
  | { kind: 'text'; body: TextRequest }
  | { kind: 'template'; body: TemplateRequest }
  | { kind: 'media'; body: MediaRequest }
  | { kind: 'interactive'; body: InteractiveRequest }
  | { kind: 'location'; body: LocationRequest }
  | { kind: 'contacts'; body: ContactsRequest }
  | { kind: 'sticker'; body: StickerRequest }
  | { kind: 'reaction'; body: ReactionRequest }

/** Of the path, which has a method before it or not. */
export function kindOf(path: string): SendRequest['kind'] {
  const last = Object.values(sentTypes).find((name) => path.endsWith(`/${name}`)) ?? 'send'
  return last === 'send' ? 'text' : last
}

/** Checks a request in full and makes it ready for the platform. */
export function draftMessage(rt: Runtime, sender: Sender, request: SendRequest): Promise<Draft> {
  switch (request.kind) {
    case 'text':
      return draftText(rt, sender, request.body)
    case 'template':
      return draftTemplate(rt, sender, request.body)
    case 'media':
      return draftMedia(rt, sender, request.body)
    case 'interactive':
      return draftInteractive(rt, sender, request.body)
    case 'location':
      return draftLocation(rt, sender, request.body)
    case 'contacts':
      return draftContacts(rt, sender, request.body)
    case 'sticker':
      return draftMedia(rt, sender, { ...request.body, type: 'sticker' })
    case 'reaction':
      return draftReaction(rt, sender, request.body)
  }
}

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
