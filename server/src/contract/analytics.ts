import Type from 'typebox'
import { momentPattern } from './moment-pattern.ts'
import { instant, named, nullable, object, oneOf, ref, withHint } from './schema.ts'

const groupings = ['template', 'type', 'category', 'country', 'phone_number', 'api_key', 'error_code'] as const
const grouping = `(?:${groupings.join('|')})`

const moment = (description: string) =>
  Type.String({
    maxLength: 64,
    pattern: momentPattern,
    description,
    ...withHint('invalid_format', 'Give a date such as 2026-11-15, or a date and time such as 2026-11-15T10:30:00Z.'),
  })

export const AnalyticsQuery = object({
  from: Type.Optional(moment('Inclusive; 7 days ago, from the start of the day, without it.')),
  to: Type.Optional(moment('Exclusive; now without it. A bare date is the start of that day in the zone.')),
  granularity: Type.Optional(
    oneOf(['hour', 'day', 'month'], { default: 'day', description: 'At most 31 days, 366 days, 36 months.' }),
  ),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA name; UTC without it.',
      examples: ['Europe/Lisbon'],
    }),
  ),
  group_by: Type.Optional(
    Type.Array(
      Type.String({
        pattern: `^${grouping}(?:,${grouping})*$`,
        ...withHint('invalid_value', `Use up to two of ${groupings.join(', ')}.`),
      }),
      {
        maxItems: 2,
        uniqueItems: true,
        description: `Up to two of ${groupings.join(', ')}; comma separated or repeated.`,
      },
    ),
  ),
  template: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
  direction: Type.Optional(oneOf(['outbound', 'inbound'])),
  phone_number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'One of your numbers, or its id.' }),
  ),
  api_key: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of an API key.' })),
  limit_groups: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'The rest is one group, other.' }),
  ),
})

const rate = (description: string) => nullable(Type.Number({ description }))

const counts = {
  sent: Type.Integer({ description: 'Accepted by Meta.' }),
  delivered: Type.Integer(),
  read: Type.Integer(),
  failed: Type.Integer(),
  received: Type.Integer(),
  delivery_rate: rate('Delivered of sent, in percent with two decimals.'),
  read_rate: rate('Read of delivered, in percent with two decimals.'),
}

const seconds = nullable(Type.Number({ description: 'From sent to delivered, interpolated from fixed buckets.' }))
const value = nullable(Type.String())

const Group = object(Object.fromEntries(groupings.map((name) => [name, Type.Optional(value)])), {
  description: 'One value per grouping; null where messages have none, `other` for all that is not shown.',
})

export const Analytics = named(
  'Analytics',
  object({
    from: instant(),
    to: instant(),
    granularity: oneOf(['hour', 'day', 'month']),
    timezone: Type.String(),
    group_by: Type.Array(oneOf(groupings)),
    as_of: instant({ description: 'Delivered and read may still grow for messages created before it.' }),
    totals: object({
      ...counts,
      created: Type.Integer({ description: 'Handed in, whatever became of them.' }),
      unique_recipients: nullable(
        Type.Integer({
          description:
            'Null with filters, for ranges that are not whole UTC days, and for those older than messages are kept.',
        }),
      ),
      delivery_seconds_p50: seconds,
      delivery_seconds_p95: seconds,
    }),
    series: Type.Array(
      object({
        group: Group,
        totals: object(counts),
        points: Type.Array(ref(named('AnalyticsPoint', object({ start: instant(), end: instant(), ...counts })))),
      }),
    ),
    failures: Type.Array(object({ code: Type.String(), count: Type.Integer() })),
    pricing: Type.Array(
      object({
        category: Type.String(),
        type: nullable(
          Type.String({
            description: 'regular, free_customer_service or free_entry_point; null where it was not told.',
          }),
        ),
        count: Type.Integer(),
      }),
      { description: "Delivered messages by Meta's pricing category and type, where it named them." },
    ),
  }),
)
