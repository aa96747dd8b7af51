import Type from 'typebox'
import { Cost } from './costs/costs.ts'
import {
  boolean,
  instant,
  integer,
  model,
  momentPattern,
  nullable,
  object,
  oneOf,
  part,
  ref,
  text,
  withHint,
} from './schema.ts'

export const groupings = ['template', 'type', 'category', 'country', 'phone_number', 'api_key', 'error_code'] as const
const grouping = `(?:${groupings.join('|')})`

const moment = (description: string) =>
  text(description, {
    maxLength: 64,
    pattern: momentPattern,
    ...withHint('invalid_format', 'Give a date such as 2026-11-15, or a date and time such as 2026-11-15T10:30:00Z.'),
  })

export const AnalyticsQuery = object({
  from: Type.Optional(moment('Start of the range, inclusive. Default: the start of the day, 7 days ago.')),
  to: Type.Optional(
    moment('End of the range, exclusive. Default: now. A bare date is the start of that day in `timezone`.'),
  ),
  granularity: Type.Optional(
    oneOf(['hour', 'day', 'month'], {
      default: 'day',
      description: 'Length of one point. A range may have 31 days by hour, 366 days by day, 36 months by month.',
    }),
  ),
  timezone: Type.Optional(
    text('IANA name of the time zone of days and months. Default: UTC.', {
      minLength: 1,
      maxLength: 64,
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
  template: Type.Optional(text('Only messages of this template.', { minLength: 1, maxLength: 512 })),
  type: Type.Optional(text('Only messages of this type, for example `text`.', { minLength: 1, maxLength: 32 })),
  direction: Type.Optional(
    oneOf(['outbound', 'inbound'], { description: 'Only messages you sent, or only those you received.' }),
  ),
  phone_number: Type.Optional(
    text('Only messages of this one of your numbers; the number or its id.', {
      maxLength: 64,
      // A number whose + became a space would be looked for as an id, and be found nowhere.
      pattern: String.raw`^\S|^\s*\+`,
      ...withHint('invalid_phone_number', 'Must not start with a space.', ['pattern']),
    }),
  ),
  api_key: Type.Optional(text('Only messages sent with this API key; its id.', { minLength: 1, maxLength: 64 })),
  limit_groups: Type.Optional(
    integer('Largest groups to return, with points at most 50; all others are one group, `other`.', {
      minimum: 1,
      maximum: 1_000,
      default: 10,
    }),
  ),
  points: Type.Optional(
    boolean('`false` leaves out the points of the series: for the sums of many groups.', { default: true }),
  ),
})

const rate = (description: string, example: number) => nullable(Type.Number({ description, examples: [example] }))

const counts = {
  created: integer('Messages that were requested, whether or not they were sent.', { examples: [123] }),
  sent: integer('Messages that WhatsApp accepted.', { examples: [120] }),
  delivered: integer('Messages that reached the phone of the customer.', { examples: [117] }),
  read: integer('Messages the customer opened.', { examples: [80] }),
  failed: integer('Messages that will not arrive.', { examples: [3] }),
  received: integer('Messages from customers.', { examples: [42] }),
  replies: integer('Messages of customers that quote one of these.', { examples: [9] }),
  taps: integer('Taps on the quick-reply buttons and list rows of these messages.', { examples: [21] }),
  delivery_rate: rate('Delivered of sent, in percent with two decimals; null when nothing was sent.', 97.5),
  read_rate: rate('Read of delivered, in percent with two decimals; null when nothing was delivered.', 68.38),
}

const seconds = (share: string) =>
  nullable(
    Type.Number({
      description: `Seconds from sent to delivered: ${share} Interpolated from fixed buckets.`,
      examples: [1.8],
    }),
  )

const Group = part(
  'One value per grouping; null where messages have none, `other` for all remaining values.',
  Object.fromEntries(
    groupings.map((name) => [name, Type.Optional(nullable(text(`The ${name.replace('_', ' ')} of this group.`)))]),
  ),
)

const costs = nullable(
  Type.Array(ref(Cost), {
    description:
      'Cost of the messages delivered in the range, one sum per currency. A message counts on the day of its delivery, in the time zone of its WhatsApp Business account. Null without the scope `costs:read`, for the group `other`, and when grouped by error code.',
    examples: [null],
  }),
)

const AnalyticsPoint = model('AnalyticsPoint', 'The numbers of one hour, day or month.', {
  start: instant({ description: 'Start of the point, inclusive.' }),
  end: instant({ description: 'End of the point, exclusive.' }),
  ...counts,
})

export const Analytics = model('Analytics', 'Numbers of messages over time.', {
  from: instant({ description: 'Start of the range, inclusive.' }),
  to: instant({ description: 'End of the range, exclusive.' }),
  granularity: oneOf(['hour', 'day', 'month'], { description: 'Length of one point.', examples: ['day'] }),
  timezone: text('Time zone of days and months.', { examples: ['Europe/Lisbon'] }),
  group_by: Type.Array(oneOf(groupings), { description: 'How the series are divided.', examples: [[]] }),
  as_of: instant({
    description: 'When the numbers were counted. Delivered and read may still grow for earlier messages.',
  }),
  totals: part('Sums over the whole range.', {
    ...counts,
    costs,
    unique_recipients: nullable(
      integer(
        'Different customers you wrote to. Null with filters, for ranges that are not whole UTC days, and for ranges older than messages are kept.',
        { examples: [96] },
      ),
    ),
    delivery_seconds_p50: seconds('half of the messages were faster.'),
    delivery_seconds_p95: seconds('95% of the messages were faster.'),
  }),
  series: Type.Array(
    object({
      group: Group,
      totals: part('Sums of this group.', { ...counts, costs }),
      points: Type.Array(ref(AnalyticsPoint), {
        description: 'One entry per hour, day or month, in order; none with `points=false`.',
      }),
    }),
    { description: 'One entry per group; a single one without `group_by`.' },
  ),
  failures: Type.Array(
    object({
      code: text('Error code of the failed messages.', { examples: ['recipient_unreachable'] }),
      count: integer('Failed messages with the code.', { examples: [3] }),
    }),
    { description: 'Why messages failed, most frequent first.' },
  ),
  pricing: Type.Array(
    object({
      category: text('Pricing category.', { examples: ['utility'] }),
      type: nullable(
        text(
          'As Meta names it: `regular`, `free_customer_service`, `free_entry_point`, `free_group_customer_service` or a newer one; null where Meta did not say.',
          {
            examples: ['regular'],
          },
        ),
      ),
      free: boolean('Whether Meta says that it charges nothing for them.', { examples: [false] }),
      count: integer('Delivered messages of the category and type.', { examples: [117] }),
    }),
    { description: "Delivered messages by Meta's pricing category and type, where Meta named them." },
  ),
})
