import Type, { type Static } from 'typebox'
import { ConnectionOptions, tools } from '../connections.ts'
import { boolean, instant, model, namedObject, nullable, object, oneOf, optional, ref, text } from '../schema.ts'
import { scopes } from '../scopes.ts'
import { exampleUrl } from '../webhooks.ts'
import { Name } from './people.ts'

export const callbackStates = ['active', 'unverified', 'paused', 'failing', 'gone', 'revoked'] as const

export const ConnectionHealth = model('ConsoleConnectionHealth', 'One thing to know about a connection.', {
  tone: oneOf(['ok', 'info', 'warn', 'error']),
  sentence: text('What it is, and what to do about it.'),
})
export type ConnectionHealth = Static<typeof ConnectionHealth>

const AllowedIps = Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50, uniqueItems: true })
const Scopes = Type.Array(oneOf(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true })

export const ConsoleConnection = namedObject('ConsoleConnection', {
  id: Type.String(),
  key_id: text('What its calls have in the log of API requests.'),
  name: Type.String(),
  tool: oneOf(tools),
  status: oneOf(['active', 'revoked', 'expired']),
  address: text('Base address for the tool.'),
  app_id: text('15 digits, as an app id of Meta.'),
  numbers: Type.Array(
    object({ id: Type.String(), phone_number: Type.String(), phone_number_id: Type.String(), waba_id: Type.String() }),
  ),
  all_numbers: boolean('Whether it may use every number of the account, also later ones.'),
  scopes: Type.Array(oneOf(scopes)),
  allowed_ips: nullable(Type.Array(Type.String())),
  options: ref(ConnectionOptions),
  callback: nullable(
    object({
      webhook_id: text('Its deliveries are read like those of a webhook.'),
      url: Type.String(),
      state: oneOf(callbackStates),
      problem: nullable(Type.String()),
      verified_at: nullable(instant()),
      last_delivered_at: nullable(instant()),
    }),
  ),
  health: Type.Array(ref(ConnectionHealth)),
  created_at: instant(),
  expires_at: nullable(instant()),
  last_used_at: nullable(instant()),
  token_in_address_since: nullable(
    instant({ description: 'Since then requests have had the token in their address, where proxies may log it.' }),
  ),
  previous_token_until: nullable(instant({ description: 'After a rotation the old token works until then.' })),
  next_secret_prepared: boolean('Whether there is a next app secret that does not sign yet.'),
})

export const ConnectionList = namedObject('ConsoleConnectionList', {
  connections: Type.Array(ref(ConsoleConnection)),
  connections_max: Type.Integer(),
})

export const NewConnection = namedObject('ConsoleNewConnection', {
  name: Name,
  tool: oneOf(tools),
  numbers: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Connected numbers by id; without it all, also later ones.',
    }),
  ),
  scopes: optional(Scopes),
  allowed_ips: optional(AllowedIps),
})

export const NewToken = namedObject('ConsoleConnectionToken', {
  connection: ref(ConsoleConnection),
  token: text('Shown once only.'),
})

export const ConnectionSecrets = namedObject('ConsoleConnectionSecrets', {
  app_secret: text('Signs callbacks.'),
  next_app_secret: nullable(text('Signs callbacks after the switch.')),
  verify_token: nullable(text('What the tool is asked for.')),
})

export const ConnectionCallback = namedObject('ConsoleConnectionCallback', {
  url: text('Where the tool accepts callbacks.', { maxLength: 2048, examples: [exampleUrl] }),
  verify_token: optional(
    text('The verify token that the tool shows; without it one is created.', { minLength: 1, maxLength: 256 }),
  ),
  waive: optional(boolean('Do not ask the address: a person knows that it is the tool.')),
})
export const WaivedCheck = namedObject('ConsoleWaivedCheck', {
  waive: optional(boolean('Do not ask the address: a person knows that it is the tool.')),
})
