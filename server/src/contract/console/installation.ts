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
  nodes: Type.Array(
    object({
      name: Type.String(),
      state: oneOf(['running', 'down', 'stopped']),
      version: Type.String(),
      role: Type.String(),
      started_at: instant(),
      seen_at: instant(),
      clock_offset_ms: Type.Integer({ description: 'From its clock to that of the database.' }),
      loop_lag_ms: Type.Integer({ description: 'p99 delay of its event loop.' }),
      cpu_percent: Type.Integer({ description: 'Of one core.' }),
      memory_bytes: Type.Integer(),
      disk_bytes: Type.Integer({ description: 'Of the file system of its data folder.' }),
      disk_free_bytes: Type.Integer(),
    }),
  ),
  backup: object({
    at: nullable(instant()),
    by: oneOf(['backup', 'archive'], { description: '`archive`: PostgreSQL last archived its log then.' }),
  }),
  growth: Type.Array(object({ date: instant(), bytes: Type.Integer() }), { description: 'The database, day by day.' }),
})

export const Tenant = namedObject('ConsoleTenant', {
  id: Type.String(),
  name: Type.String(),
  plan: oneOf(planNames),
  status: Type.String(),
  delete_at: nullable(instant({ description: 'The account and all it holds will be deleted then.' })),
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

export const TenantDeletion = namedObject('ConsoleTenantDeletion', {
  confirm: text('The name of the account, typed again.', { maxLength: 200 }),
})
export const TenantDeletionPlanned = namedObject('ConsoleTenantDeletionPlanned', { delete_at: instant() })

export const TableSizes = namedObject('ConsoleTableSizes', {
  tables: Type.Array(object({ name: Type.String(), bytes: Type.Integer() }), { description: 'The largest first.' }),
})

export const OperatorAuditQuery = object({ before: Type.Optional(Type.String({ maxLength: 64 })) })
export const OperatorAudit = namedObject('ConsoleOperatorAudit', {
  entries: Type.Array(
    object({
      id: Type.String(),
      at: instant(),
      account_id: text('Empty where it is about the installation.'),
      account_name: Type.String(),
      target: nullable(text('What it was about, of the installation only.')),
      action: Type.String(),
      actor_type: Type.String(),
      actor_name: nullable(text('Of operators and of the gateway; people of an account stay nameless here.')),
    }),
  ),
  more: Type.Boolean(),
})

export const SettingList = namedObject('ConsoleSettingList', {
  settings: Type.Array(
    object({ name: Type.String(), value: text('Of a secret only whether it is set.'), description: Type.String() }),
  ),
})
