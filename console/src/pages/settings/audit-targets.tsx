import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'

type Target = Schemas['ConsoleAuditEntry']['targets'][number]

/** Where the thing stands that an entry is about; what has no page of its own is only named. */
const pagesOf: Record<string, (id: string) => string> = {
  api_key: () => '/api-keys',
  connection: (id) => `/connections/${id}`,
  channel: () => '/channel',
  customer: (id) => `/customer?customer=${encodeURIComponent(id)}`,
  message: (id) => `/messages/${encodeURIComponent(id)}`,
  number: () => '/channel',
  template: (id) => `/templates/${id}`,
  user: () => '/settings/members',
  webhook: (id) => `/webhooks/${id}`,
}

export function AuditTargets({ targets }: { targets: readonly Target[] }) {
  return (
    <ul className="audit-targets">
      {targets.map(({ type, id, name }) => {
        const page = pagesOf[type]
        return <li key={`${type} ${id}`}>{page ? <Link to={page(id)}>{name}</Link> : name}</li>
      })}
    </ul>
  )
}

/** What a change replaced, where the entry says it. */
export function BeforeAndAfter({ metadata }: { metadata: Record<string, unknown> }) {
  const { from, to } = metadata
  if (from === undefined || to === undefined) return null
  return (
    <>
      <dt>Before</dt>
      <dd className="break">{text(from)}</dd>
      <dt>After</dt>
      <dd className="break">{text(to)}</dd>
    </>
  )
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
