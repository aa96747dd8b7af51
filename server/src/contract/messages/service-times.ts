import Type from 'typebox'
import { instant, integer, model, momentPattern, nullable, object, text, withHint } from '../schema.ts'

const moment = (description: string) =>
  text(description, {
    maxLength: 64,
    pattern: momentPattern,
    ...withHint('invalid_format', 'Give a date such as 2026-11-15, or a date and time such as 2026-11-15T10:30:00Z.'),
  })

export const ServiceTimesQuery = object({
  from: Type.Optional(
    moment('Start of the range, inclusive. Whole days in UTC: a moment means its day. Default: 6 days ago.'),
  ),
  to: Type.Optional(
    moment(
      'End of the range, exclusive, at most 92 days after the start. A moment within a day includes that day. Default: today is the last day.',
    ),
  ),
})

const counts = {
  replies: integer('Waits that a person ended with a reply.'),
  median_wait_seconds: nullable(integer('Half of the waits were shorter. Estimated from counts in 48 fixed buckets.')),
  average_wait_seconds: nullable(integer('From the first message without a reply to the reply, on average.')),
  within_hour: integer('Replies within an hour.'),
  within_window: integer('Replies within 24 hours, while anything could be sent.'),
  missed: integer('Customers who have been waiting for more than 24 hours.'),
  within_window_percent: nullable(
    Type.Number({ description: 'Share of `within_window` in all replies and misses.', examples: [97.5] }),
  ),
}

export const ServiceTimes = model('ServiceTimes', 'How long customers waited for a reply from a person.', {
  from: instant({ description: 'Start of the range.' }),
  to: instant({ description: 'End of the range.' }),
  totals: Type.Object(
    { ...counts, waiting: integer('Customers who are waiting now.') },
    { additionalProperties: false, description: 'Of the whole range.' },
  ),
  days: Type.Array(
    object({
      date: instant({ description: 'Start of the day.' }),
      ...counts,
      waiting: integer('Customers who wait since this day.'),
    }),
    {
      description: 'By the UTC day on which the wait began; days without waits are omitted.',
    },
  ),
  agents: Type.Array(
    object({
      user_id: text('Id of the person.', { examples: ['usr_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
      name: nullable(text('Null for a former member.', { examples: ['Ana Sousa'] })),
      ...counts,
    }),
    { description: 'By who replied, the most replies first.' },
  ),
})
