import { instant, momentPattern, nullable, oneOf, part, text, withHint } from '../schema.ts'

/** White space, dashes, dots, parentheses, and the invisible marks of copied numbers; lib/phone.ts removes them. */
const separator = String.raw`[\s\-.()\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060\u2066-\u2069\u2212]`
export const recipientPattern = `^${separator}*\\+${separator}*[1-9](?:${separator}*[0-9]){6,15}${separator}*$|^[A-Z]{2}\\.(?:ENT\\.)?[0-9A-Za-z]{1,128}$`

export const recipient = (description: string) =>
  text(description, {
    maxLength: 255,
    pattern: recipientPattern,
    examples: ['+12025550100'],
    ...withHint('invalid_phone_number', "Start with '+' and the country code, for example +351912345678."),
  })

export const moment = (description: string) =>
  text(description, {
    maxLength: 64,
    pattern: momentPattern,
    ...withHint('invalid_format', 'Write a date or a date-time, for example 2026-11-15T10:30:00Z.'),
  })

export const exampleId = 'wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2'
export const messageId = text('Id of the message at WhatsApp.', { examples: [exampleId] })
export const Window = part('24-hour window that opens with each message of the customer.', {
  state: oneOf(['open', 'closed', 'unknown'], { description: 'Whether you may send more than templates now.' }),
  expires_at: nullable(
    instant({
      description:
        '24 hours after the last message of the customer: when an open window closes, or when it closed. Null when no message was seen.',
    }),
  ),
})
