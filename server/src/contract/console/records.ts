import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import { planNames } from '../plans.ts'
import { instant, namedObject, nullable, object, oneOf, part, ref, text } from '../schema.ts'
import { Limits, Name } from './people.ts'

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
}

export const LoggedRequest = namedObject('ConsoleLoggedRequest', {
  id: text('The X-Request-Id of its response.'),
  at: instant(),
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: nullable(Type.String()),
  key_id: nullable(Type.String()),
  key_name: nullable(Type.String()),
  duration_ms: Type.Integer(),
  body: nullable(
    text('At most 2 KiB. Kept for rejected requests, redacted; with `path`, unchanged except for secrets.'),
  ),
  path: nullable(text('The address with ids and query. Kept while all numbers are of the sandbox.')),
  answer: nullable(text('The response, without secrets, at most 2 KiB. Kept together with `path`.')),
})
const requestFilter = {
  outcome: Type.Optional(oneOf(['all', 'refused', 'accepted'])),
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  search: Type.Optional(text('A request id, an error code or part of a route.', { maxLength: 100 })),
}
export const RequestQuery = object({ ...pageQuery, ...requestFilter })
export const RequestExportQuery = object(requestFilter)
export const RequestList = namedObject('ConsoleRequestList', {
  requests: Type.Array(ref(LoggedRequest)),
  pagination: ref(Pagination),
  keeps: oneOf(['all', 'refused', 'off'], { description: 'Which calls are kept (`POSTERN_REQUEST_LOG`).' }),
})

export const AuditEntry = namedObject('ConsoleAuditEntry', {
  id: Type.String(),
  action: Type.String(),
  occurred_at: instant(),
  actor: object({ type: Type.String(), id: nullable(Type.String()), name: Type.String() }),
  targets: Type.Array(object({ type: Type.String(), id: Type.String(), name: Type.String() })),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  request_id: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
})
const day = (description: string) => text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-15'] })
const auditFilter = {
  action: Type.Optional(text('An action, `api_key.created`, or all of a noun, `api_key`.', { maxLength: 64 })),
  actor: Type.Optional(text('The id of a person, or `operator` or `gateway`.', { maxLength: 64 })),
  from: Type.Optional(day('The first day, in UTC.')),
  to: Type.Optional(day('The last day, in UTC.')),
  search: Type.Optional(text('Part of a name, of what was changed, or of an address.', { maxLength: 100 })),
}
export const AuditQuery = object({ ...pageQuery, ...auditFilter })
export const AuditExportQuery = object(auditFilter)
export const AuditList = namedObject('ConsoleAuditList', {
  entries: Type.Array(ref(AuditEntry)),
  pagination: ref(Pagination),
})

const Bucket = object({ start: instant(), used: Type.Integer() })
export const Usage = namedObject('ConsoleUsage', {
  plan: oneOf(planNames),
  limits: ref(Limits),
  media_bytes: part('Bytes of stored files; `quota` is null without a limit.', {
    quota: nullable(Type.Integer()),
    used: Type.Integer(),
  }),
  hours: Type.Array(Bucket, { description: 'The last 24 UTC hours, the running one last.' }),
  days: Type.Array(Bucket, { description: 'The last 30 UTC days, today last.' }),
})

export const AccountSettings = namedObject('ConsoleAccountSettings', {
  id: Type.String(),
  name: Type.String(),
  plan: oneOf(planNames),
  status: Type.String(),
  created_at: instant(),
  retention: object({
    content_days: Type.Integer(),
    metadata_days: Type.Integer(),
    deliveries_days: Type.Integer(),
  }),
})
export const AccountName = namedObject('ConsoleAccountName', { name: Name })
