import Type from 'typebox'
import {
  boolean,
  instant,
  integer,
  model,
  namedObject,
  nullable,
  object,
  oneOf,
  part,
  ref,
  text,
  withHint,
} from '../schema.ts'

export const costGroupings = [
  'template',
  'type',
  'category',
  'country',
  'phone_number',
  'api_key',
  'broadcast',
  'day',
  'pricing_category',
] as const
const grouping = `(?:${costGroupings.join('|')})`

const day = (description: string, options: Record<string, unknown> = {}) =>
  text(description, {
    maxLength: 10,
    pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
    examples: ['2026-11-01'],
    ...withHint('invalid_format', 'Give a day such as 2026-11-01.'),
    ...options,
  })

export const CostsQuery = object({
  from: Type.Optional(day('First day. Default: the first day of this month.')),
  to: Type.Optional(day('The day after the last one. Default: tomorrow.')),
  group_by: Type.Optional(
    Type.Array(
      Type.String({
        pattern: `^${grouping}(?:,${grouping})*$`,
        ...withHint('invalid_value', `Use up to two of ${costGroupings.join(', ')}.`),
      }),
      {
        maxItems: 2,
        uniqueItems: true,
        description: `Up to two of ${costGroupings.join(', ')}; comma separated or repeated. \`category\` is that of the template, \`pricing_category\` what Meta charged the message as.`,
      },
    ),
  ),
  template: Type.Optional(text('Only messages of this template.', { minLength: 1, maxLength: 512 })),
  phone_number: Type.Optional(
    text('Only messages of this one of your numbers; its id.', { minLength: 1, maxLength: 64 }),
  ),
  api_key: Type.Optional(text('Only messages sent with this API key; its id.', { minLength: 1, maxLength: 64 })),
  broadcast: Type.Optional(text('Only messages of this broadcast; its id.', { minLength: 1, maxLength: 64 })),
  limit_groups: Type.Optional(
    integer('Most expensive groups to return; all others are left out. Groups by day are all returned.', {
      minimum: 1,
      maximum: 200,
      default: 50,
    }),
  ),
})

export const Cost = model('Cost', 'What messages cost in one currency.', {
  currency: nullable(
    text('Currency in which Meta bills the WhatsApp Business account; null until Meta reports it.', {
      examples: ['EUR'],
    }),
  ),
  amount: nullable(
    text('Sum of the messages that have a price, as a decimal number; null when none has.', { examples: ['475.8880'] }),
  ),
  priced: integer('Delivered messages in the amount, free ones included.', { examples: [9712] }),
  free: integer('Messages that Meta reports as free.', { examples: [311] }),
  unpriced: integer(
    'Delivered messages without a rate: there is no card for the day, or no rate for the country or category.',
    {
      examples: [0],
    },
  ),
  reported: nullable(
    text(
      "Meta's own figure for the same, which it describes as approximate; null if Meta reports none: for groupings and filters other than country, day and `pricing_category`, in analytics, and for accounts on a partner's credit line.",
      { examples: ['476.0000'] },
    ),
  ),
})

const VolumeTier = model(
  'VolumeTier',
  'A volume tier that Meta reports for a month. Amounts still use the list rate.',
  {
    waba_id: text('WhatsApp Business account.', { examples: ['102290129340398'] }),
    month: text('Month it applies to, in the time zone of the account.', { examples: ['2026-11'] }),
    category: text('What Meta charges the messages as.', { examples: ['utility'] }),
    region: text('Market, as Meta names it.', { examples: ['India'] }),
    tier: text("The first and last charged message of the month, in Meta's format.", {
      examples: ['25000001:50000000'],
    }),
    since: instant({ description: 'When the tier was reached.' }),
  },
)

const CostGroupValues = part(
  'One value per grouping; null where messages have none.',
  Object.fromEntries(
    costGroupings.map((name) => [name, Type.Optional(nullable(text(`The ${name.replace('_', ' ')} of this group.`)))]),
  ),
)

export const Costs = model('Costs', 'Cost of delivered messages, by the imported rate cards.', {
  from: day('First day.'),
  to: day('The day after the last one.', { examples: ['2026-12-01'] }),
  group_by: Type.Array(oneOf(costGroupings), { description: 'How the groups are divided.', examples: [[]] }),
  as_of: instant({ description: 'When it was counted.' }),
  time_zones: Type.Array(text('IANA name.', { examples: ['America/Sao_Paulo'] }), {
    description:
      'The time zones in which days begin: those of your WhatsApp Business accounts, if Meta reported them; otherwise UTC.',
  }),
  totals: Type.Array(ref(Cost), { description: 'One sum for each currency; empty when nothing was delivered.' }),
  groups: Type.Array(
    object({
      group: CostGroupValues,
      costs: Type.Array(ref(Cost), { description: 'One sum for each currency.' }),
    }),
    { description: 'The most expensive first, days in their order; empty without `group_by`.' },
  ),
  groups_left_out: integer('Groups beyond `limit_groups`.', { examples: [0] }),
  reported_as_of: nullable(
    instant({
      description: "When Meta's figures were last requested, which happens once a day; null before the first time.",
    }),
  ),
  volume_tiers: Type.Array(ref(VolumeTier), {
    description:
      'The newest tier of each account, category and market in the months of these days, the newest month first; empty while Meta reports none.',
  }),
})

export const RateCard = namedObject('ConsoleRateCard', {
  id: Type.String(),
  kind: oneOf(['rates', 'regions']),
  currency: nullable(Type.String()),
  from: Type.String(),
  name: Type.String(),
  rows: integer('Markets, or countries.'),
  for_all_accounts: boolean('Imported by the operator.'),
  imported_at: instant(),
  imported_by: Type.String(),
  removed_at: nullable(instant()),
  replaced_by: nullable(Type.String()),
})

export const RateCards = namedObject('ConsoleRateCards', {
  cards: Type.Array(ref(RateCard)),
  currencies: Type.Array(Type.String(), { description: 'Those of the connected WhatsApp Business accounts.' }),
})

export const RateImport = namedObject('ConsoleRateImport', {
  name: text('Of the file.', { minLength: 1, maxLength: 200 }),
  from: Type.String({ maxLength: 10 }),
  currency: Type.Optional(nullable(Type.String({ maxLength: 8 }))),
  text: text('The file.', { minLength: 1, maxLength: 200_000 }),
})

export const RateCheck = namedObject('ConsoleRateCheck', {
  kind: nullable(oneOf(['rates', 'regions'])),
  currency: nullable(Type.String()),
  rows: Type.Integer(),
  sample: Type.Array(object({ name: Type.String(), values: Type.Array(Type.String()) }), {
    description: 'The first rows, as they were understood.',
  }),
  columns: Type.Array(Type.String()),
  problems: Type.Array(object({ line: Type.Integer(), column: nullable(Type.String()), message: Type.String() })),
})
