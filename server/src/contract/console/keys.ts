import Type from 'typebox'
import { instant, integer, namedObject, nullable, oneOf, optional, ref, text } from '../schema.ts'
import { scopes } from '../scopes.ts'
import { Name } from './people.ts'

export const ConsoleApiKey = namedObject('ConsoleApiKey', {
  id: Type.String(),
  key: text('The public half, in full: it is an identifier, not a secret.'),
  name: Type.String(),
  scopes: Type.Array(oneOf(scopes)),
  status: oneOf(['active', 'revoked', 'expired']),
  created_at: instant(),
  created_by: nullable(text('Name of the person; null for keys of the command line.')),
  expires_at: nullable(instant()),
  allowed_ips: nullable(Type.Array(Type.String())),
  last_used_at: nullable(instant()),
  last_used_ip: nullable(Type.String()),
  calls_24h: integer('Accepted calls: the last 24 UTC hours, the running one included.'),
  previous_secret_until: nullable(instant({ description: 'After a rotation the old secret works until then.' })),
})

export const ApiKeyList = namedObject('ConsoleApiKeyList', { keys: Type.Array(ref(ConsoleApiKey)) })

const Scopes = Type.Array(oneOf(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true })
const AllowedIps = optional(
  Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
)

export const NewApiKey = namedObject('ConsoleNewApiKey', {
  name: Name,
  scopes: Scopes,
  expires_at: optional(instant()),
  allowed_ips: AllowedIps,
})
export const KeyAccess = namedObject('ConsoleKeyAccess', { name: Name, scopes: Scopes, allowed_ips: AllowedIps })

export const CreatedApiKey = namedObject('ConsoleCreatedApiKey', {
  key: ref(ConsoleApiKey),
  api_secret: text('Shown once only.'),
})
