import Type from 'typebox'
import { boolean, instant, namedObject, nullable, object, oneOf, text } from '../schema.ts'

/** What people can be alerted of. */
export const alertKinds = ['quality', 'template', 'webhook', 'token', 'budget'] as const
export type AlertKind = (typeof alertKinds)[number]

const kinds = Type.Array(oneOf(alertKinds), { maxItems: alertKinds.length, uniqueItems: true })
const url = nullable(text('Gets a POST with JSON for each alert; `text` is the sentence.', { maxLength: 2_000 }))

export const AlertChoice = namedObject('ConsoleAlertChoice', { kinds, mail: Type.Boolean(), url })
export const Alerts = namedObject('ConsoleAlerts', {
  kinds,
  mail: Type.Boolean(),
  url,
  possible: Type.Array(oneOf(alertKinds), { description: 'What the role may see.' }),
  mail_available: boolean('The installation sends mail.'),
  failure: nullable(object({ error: Type.String(), at: nullable(instant()) })),
})

export const ForgotRequest = namedObject('ConsoleForgotRequest', {
  email: Type.String({ minLength: 1, maxLength: 254 }),
})
