import Type, { type Static } from 'typebox'
import { Pagination } from './envelope.ts'
import { eventTypes } from './events.ts'
import { instant, integer, model, momentPattern, object, oneOf, part, ref, text, withHint } from './schema.ts'

export const eventExample = 'evt_01ka3m7y3t4d0v9v4k6q1t7r2c'
export const messageExample = 'wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2'

export const Instant = Type.String({
  pattern: momentPattern,
  examples: ['2026-11-15T10:00:00Z'],
  ...withHint('invalid_format', 'Write it like 2026-11-15T10:00:00Z, or 2026-11-15 for the start of a day in UTC.'),
})

export const Limit = integer('Entries per page.', { minimum: 1, maximum: 100, default: 25 })
export const Cursor = text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })
export const ofType = oneOf(eventTypes, { description: 'Only events of this type.' })
export const OfMessage = text('Only events of this message.', { minLength: 1, maxLength: 255 })
export const at = (description: string) => ({ ...Instant, description })

export const EventQuery = object({
  type: Type.Optional(ofType),
  since: Type.Optional(
    at(
      'Where to start: with the first event recorded at or after this time. Ignored with `cursor`, which remembers it.',
    ),
  ),
  message_id: Type.Optional(OfMessage),
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Limit),
})
export type EventQuery = Static<typeof EventQuery>

export const Event = model('Event', 'Something that happened.', {
  id: text('Id of the event, the same for every webhook and every retry. Use it to ignore repeats.', {
    examples: [eventExample],
  }),
  type: text('Type of the event.', { examples: ['message.delivered'] }),
  api_version: text('Version of the API the event is written in.', { examples: ['v1'] }),
  timestamp: instant({ description: 'When the gateway recorded it.' }),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The message, template, webhook or quota the event is about.',
      examples: [{ sequence: 2, message_id: messageExample, status: 'delivered' }],
    },
  ),
})
export type Event = Static<typeof Event>

export const EventPage = part('A page of events.', {
  events: Type.Array(ref(Event), { description: 'The events of this page, in order.' }),
  pagination: ref(Pagination),
})
