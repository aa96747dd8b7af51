import Type from 'typebox'
import { planNames } from '../plans.ts'
import { instant, namedObject, nullable, object, oneOf, ref, text } from '../schema.ts'
import { Name } from './people.ts'

export const Trouble = namedObject('ConsoleTrouble', {
  kind: text('What is wrong, as one stable word.'),
  tone: oneOf(['error', 'warn']),
  text: Type.String(),
  fix: text('What to do.'),
  since: nullable(instant()),
  account_id: nullable(Type.String()),
})

export const InstallationHealth = namedObject('ConsoleInstallationHealth', {
  troubles: Type.Array(ref(Trouble), { description: 'Worst first; empty when nothing is wrong.' }),
  queues: Type.Array(
    object({
      name: Type.String(),
      waiting: Type.Integer(),
      oldest_at: nullable(instant({ description: 'When the oldest was due; null when nothing is.' })),
    }),
  ),
  database: object({ engine: Type.String(), bytes: Type.Integer(), probe_ms: Type.Integer() }),
  disk: object({ bytes: Type.Integer(), free_bytes: Type.Integer() }),
})

export const Tenant = namedObject('ConsoleTenant', {
  id: Type.String(),
  name: Type.String(),
  plan: oneOf(planNames),
  status: Type.String(),
  requests_today: Type.Integer(),
  requests_quota: nullable(Type.Integer()),
  media_bytes: Type.Integer(),
  media_quota: nullable(Type.Integer()),
  members: Type.Integer(),
  has_owner: Type.Boolean(),
  channels_failing: Type.Integer(),
  webhooks_failing: Type.Integer(),
  created_at: instant(),
  last_active_at: nullable(instant({ description: 'Of a person or an API key.' })),
})
export const TenantQuery = object({ after: Type.Optional(Type.String({ maxLength: 64 })) })
export const TenantList = namedObject('ConsoleTenantList', {
  accounts: Type.Array(ref(Tenant)),
  more: Type.Boolean(),
})
export const NewTenant = namedObject('ConsoleNewTenant', { name: Name, plan: oneOf(planNames) })
export const TenantCreated = namedObject('ConsoleTenantCreated', {
  id: Type.String(),
  name: Type.String(),
  link: text('For the owner. Works once, for one hour; shown only now.'),
  expires_at: instant(),
})
export const TenantPlan = namedObject('ConsoleTenantPlan', { plan: oneOf(planNames) })
export const TenantStatus = namedObject('ConsoleTenantStatus', { status: oneOf(['active', 'suspended']) })

export const SettingList = namedObject('ConsoleSettingList', {
  settings: Type.Array(
    object({ name: Type.String(), value: text('Of a secret only whether it is set.'), description: Type.String() }),
  ),
})
