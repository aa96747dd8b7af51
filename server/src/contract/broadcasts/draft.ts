import Type, { type Static } from 'typebox'
import { boolean, instant, integer, model, named, nullable, object, oneOf, optional, text } from '../schema.ts'
import {
  CountryCounts,
  components,
  from,
  language,
  Money,
  max_per_second,
  message_events,
  name,
  QuietHours,
  recipients,
  start_at,
  template,
  valid_for,
} from './fields.ts'

/** With a template that every account of a sandbox has. */
const exampleDraft = {
  name: 'Orders of May',
  template: 'order_confirmation',
  language: 'en_US',
  components: [
    {
      type: 'body',
      parameters: ['{{first_name|customer}}', '{{order}}', '{{total}}'].map((text) => ({ type: 'text', text })),
    },
  ],
}

export const BroadcastDraft = named(
  'BroadcastDraft',
  object(
    {
      name,
      from: optional(from),
      template,
      language,
      components: optional(components),
      quiet_hours: optional(QuietHours),
      valid_for: optional(valid_for),
      max_per_second: optional(max_per_second),
      message_events: optional(message_events),
      recipients: optional(recipients),
      start: optional(boolean('Start at once. Needs `recipients`, all of them valid. Default: false.')),
      start_at: optional(start_at),
    },
    { description: 'A broadcast to create.', examples: [exampleDraft] },
  ),
)
export type BroadcastDraft = Static<typeof BroadcastDraft>

export const BroadcastChanges = named(
  'BroadcastChanges',
  object(
    {
      name: Type.Optional(name),
      from: Type.Optional(from),
      template: Type.Optional(template),
      language: Type.Optional(language),
      components: optional(components),
      quiet_hours: optional(QuietHours),
      valid_for: Type.Optional(valid_for),
      max_per_second: optional(max_per_second),
      message_events: Type.Optional(message_events),
    },
    {
      description: 'What is to change. `from`, `template`, `language` and `components` can be changed in a draft only.',
      examples: [{ name: 'Spring sale, second try' }],
      minProperties: 1,
    },
  ),
)
export type BroadcastChanges = Static<typeof BroadcastChanges>

export const BroadcastStart = named(
  'BroadcastStart',
  object(
    {
      start_at: optional(start_at),
      recipients: optional(
        integer('The number of recipients you expect; if it differs, the call is rejected.', { minimum: 0 }),
      ),
      max_cost: optional(Money),
    },
    { description: 'How to start.', examples: [{ recipients: 48_211 }] },
  ),
)
export type BroadcastStart = Static<typeof BroadcastStart>

export const BroadcastEstimate = model('BroadcastEstimate', 'What a broadcast would do now.', {
  recipients: integer('Recipients who have not been processed yet.'),
  countries: CountryCounts,
  skipped: Type.Record(Type.String(), Type.Integer(), {
    description: 'Recipients who would be skipped, by reason.',
    examples: [{ opted_out: 9, blocked: 2 }],
  }),
  category: nullable(text('Category of the template.', { examples: ['marketing'] })),
  cost: nullable(
    object(
      {
        amount: text('At most this.'),
        currency: text('Its currency.'),
        basis: text('What it was computed from.'),
      },
      { description: 'Null without a rate card for every country.', examples: [null] },
    ),
  ),
  per_second: Type.Number({ description: 'Messages a second it may send.' }),
  duration_seconds: nullable(integer('How long it would take; null if a limit makes that unpredictable.')),
  limited_by: oneOf(['number_rate', 'max_per_second', 'quota', 'messaging_limit'], {
    description: 'What limits it most.',
  }),
  ends_at: nullable(instant({ description: 'When it would end if it started now, quiet hours left out.' })),
  fits_valid_for: boolean('Whether it would end within `valid_for`.'),
  as_of: instant({ description: 'When it was computed.' }),
})
