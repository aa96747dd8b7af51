import Type from 'typebox'
import { boolean, instant, integer, model, named, nullable, object, oneOf, ref, text, withHint } from '../schema.ts'

export const budgetsMax = 20
const amount = String.raw`^\d{1,9}(\.\d{1,6})?$`

export const BudgetPath = object({
  budget_id: text('Id of the budget.', { minLength: 1, maxLength: 64, examples: ['bdg_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
})

const setting = {
  name: text('Your name for it.', { minLength: 1, maxLength: 120, examples: ['Marketing'] }),
  limit: text('The maximum amount per period, as a decimal number.', {
    pattern: amount,
    examples: ['500.00'],
    ...withHint('invalid_format', 'Write it as 500.00, with a point and up to six decimals.'),
  }),
  warn_at: integer('The percentage at which `budget.warned` is sent. Default: 80.', {
    minimum: 1,
    maximum: 100,
    examples: [80],
  }),
  stop: boolean('Whether sends over the limit are rejected. Default: true; with false, the budget only notifies you.'),
  exempt: Type.Array(oneOf(['authentication', 'marketing', 'service', 'utility']), {
    uniqueItems: true,
    maxItems: 4,
    description:
      'Categories that are never blocked and reserve nothing; their cost still counts as spent. Default: authentication.',
    examples: [['authentication']],
  }),
}
const { name, limit, ...others } = setting
const optionals = Object.fromEntries(
  Object.entries(others).map(([key, schema]) => [key, Type.Optional(schema)]),
) as unknown as {
  warn_at: ReturnType<typeof Type.Optional<typeof setting.warn_at>>
  stop: ReturnType<typeof Type.Optional<typeof setting.stop>>
  exempt: ReturnType<typeof Type.Optional<typeof setting.exempt>>
}

export const BudgetRequest = named(
  'BudgetRequest',
  object(
    {
      name,
      limit,
      period: oneOf(['day', 'month'], {
        description: 'A calendar day or month in the time zone of the WhatsApp Business account.',
        examples: ['month'],
      }),
      currency: text('The currency in which Meta bills the numbers whose messages count.', {
        pattern: '^[A-Z]{3}$',
        examples: ['USD'],
      }),
      api_key_id: Type.Optional(
        nullable(
          text('Only sends with this API key; its id. Default: all sends of the account.', {
            maxLength: 64,
          }),
        ),
      ),
      ...optionals,
    },
    {
      description: 'A spending limit.',
      examples: [{ name: 'Marketing', limit: '500.00', period: 'month', currency: 'EUR' }],
    },
  ),
)

export const BudgetChange = named(
  'BudgetChange',
  object(
    { name: Type.Optional(name), limit: Type.Optional(limit), ...optionals },
    { description: 'Omitted fields stay as they are.', examples: [{ limit: '750.00' }], minProperties: 1 },
  ),
)

export const Budget = model('Budget', 'A spending limit per day or month, and how much of it is used.', {
  budget_id: text('Id of the budget.', { examples: ['bdg_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  name: text('Your name for it.', { examples: ['Marketing'] }),
  api_key_id: nullable(
    text('The API key whose sends count; null for all sends of the account.', {
      examples: ['key_01ka3m7y3t4d0v9v4k6q1t7r2c'],
    }),
  ),
  period: oneOf(['day', 'month'], { description: 'In the time zone of the WhatsApp Business account.' }),
  currency: text('The currency of all amounts.', { examples: ['EUR'] }),
  limit: text('The maximum amount per period.', { examples: ['500.0000'] }),
  warn_at: integer('The percentage at which `budget.warned` is sent.', { examples: [80] }),
  stop: boolean('Whether sends over the limit are rejected.'),
  exempt: Type.Array(Type.String(), {
    description: 'Categories that are never blocked.',
    examples: [['authentication']],
  }),
  state: oneOf(['ok', 'warned', 'exceeded'], {
    description:
      'How much is used: below `warn_at`, below the limit, or all. A send that costs more than what is `left` is rejected before that.',
  }),
  period_start: text('The first day of this period.', { examples: ['2026-11-01'] }),
  starts_anew_at: instant({ description: 'When the next period begins.' }),
  reserved: text('Maximum cost of messages in flight.', { examples: ['1.2000'] }),
  spent: text('Cost of delivered messages.', { examples: ['124.5000'] }),
  left: text('The remaining amount; 0 when the limit is exceeded.', { examples: ['374.3000'] }),
  has_rates: boolean(
    'False when no rate card in the currency applies today: messages are sent and counted without a price.',
  ),
  created_at: instant({ description: 'When it was set.' }),
  updated_at: instant({ description: 'When it was last changed.' }),
})

export const BudgetList = model('BudgetList', 'The budgets of the account, the oldest first.', {
  budgets: Type.Array(ref(Budget), { description: `At most ${budgetsMax}.` }),
})

export const BudgetDeleted = model('BudgetDeleted', 'The deleted budget.', {
  budget_id: text('Id of the budget.', { examples: ['bdg_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  deleted: boolean('Always true.', { examples: [true] }),
})
