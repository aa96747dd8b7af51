import Type from 'typebox'
import { boolean, instant, integer, namedObject, nullable, object, oneOf, ref, text } from '../schema.ts'

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
