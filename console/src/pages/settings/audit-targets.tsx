import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'

type Target = Schemas['ConsoleAuditEntry']['targets'][number]

/** Where the thing stands that an entry is about; what has no page of its own is only named. */
const pagesOf: Record<string, (id: string) => string | null> = {
  account: () => '/settings/account',
  api_key: () => '/api-keys',
  broadcast: (id) => `/broadcasts/${id}`,
  budget: () => '/costs',
  connection: (id) => `/connections/${id}`,
  channel: () => '/channel',
  // A masked number leads nowhere.
  customer: (id) => (id.includes('•') ? null : `/customer?customer=${encodeURIComponent(id)}`),
  message: (id) => `/messages/${encodeURIComponent(id)}`,
  number: () => '/channel',
  rate_card: () => '/settings/rates',
  template: (id) => `/templates/${id}`,
  user: () => '/settings/members',
  webhook: (id) => `/webhooks/${id}`,
}

export function AuditTargets({ targets }: { targets: readonly Target[] }) {
  return (
    <ul className="audit-targets">
      {targets.map(({ type, id, name }) => {
        const page = pagesOf[type]?.(id)
        return <li key={`${type} ${id}`}>{page ? <Link to={page}>{name}</Link> : name}</li>
      })}
    </ul>
  )
}

/** What a change replaced, where the entry says it. */
export function BeforeAndAfter({ entry }: { entry: Schemas['ConsoleAuditEntry'] }) {
  const { before, after } = changeIn(entry)
  if (before === undefined || after === undefined) return null
  return (
    <>
      <dt>Before</dt>
      <dd className="break">{text(before)}</dd>
      <dt>After</dt>
      <dd className="break">{text(after)}</dd>
    </>
  )
}

function changeIn({ action, metadata, targets }: Schemas['ConsoleAuditEntry']): { before?: unknown; after?: unknown } {
  const { from, to, previous_assignee: previous, assignee } = metadata
  if (action === 'account.renamed') return { before: from, after: targets[0]?.name }
  if (action === 'conversation.assigned') return { before: previous ?? 'Nobody', after: assignee ?? 'Nobody' }
  return { before: from, after: to }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
