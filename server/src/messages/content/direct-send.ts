import type { Static } from 'typebox'
import { type DirectSend, directSendSeconds } from '../../contract/messages/send-requests.ts'
import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import type { OutboundDirectSend } from '../../platform/outbound-message.ts'

export type DirectSendRequest = Static<typeof DirectSend>

const bodyCharactersMax = 1024

type Sent = {
  to: string
  /** The text, and the field that holds it. */
  body: { field: string; text: string | null }
  /** The type of an interactive message. */
  type?: string
}

const interactiveTypes = ['buttons', 'quick_replies', 'cta_url']

/** Meta's form of a direct send: a text or some interactive messages, and of a one-time code the text alone. */
export function checkDirectSend(direct: DirectSendRequest, { to, body, type }: Sent): FieldProblem[] {
  const { category, ttl_seconds: ttl, template_name } = direct
  const [least, most] = directSendSeconds[category]
  const isCode = category === 'authentication'
  const problem = (field: string, code: FieldProblem['code'], message: string) => bodyProblem(field, code, message)
  const place = (field: string) => `direct_send.${field}`
  return [
    ...(ttl == null || (ttl >= least && ttl <= most)
      ? []
      : [problem(place('ttl_seconds'), 'out_of_range', `Give ${least} to ${most} seconds for ${category}.`)]),
    ...(isCode && template_name != null
      ? [problem(place('template_name'), 'unknown_field', 'Only utility messages have a template name.')]
      : []),
    ...(isCode && !to.startsWith('+')
      ? [problem('to', 'invalid_phone_number', 'Meta sends one-time codes to phone numbers only, not to user ids.')]
      : []),
    ...(type === undefined || (!isCode && interactiveTypes.includes(type))
      ? []
      : [
          problem(
            'direct_send',
            'invalid_value',
            isCode
              ? 'A one-time code is a text.'
              : 'Of interactive messages, only buttons and links can be sent directly.',
          ),
        ]),
    ...((body.text ?? '').length > bodyCharactersMax && Array.from(body.text ?? '').length > bodyCharactersMax
      ? [problem(body.field, 'too_long', `A direct send has at most ${bodyCharactersMax} characters.`)]
      : []),
  ]
}

/** As it is kept and sent: what was left out is not there. */
export function directSendOf({ category, ttl_seconds, template_name }: DirectSendRequest): OutboundDirectSend {
  return { category, ...(ttl_seconds != null && { ttl_seconds }), ...(template_name != null && { template_name }) }
}
