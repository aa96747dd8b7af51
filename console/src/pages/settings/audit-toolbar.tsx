import { useQuery } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import type { Option } from '../../components/form/field.tsx'
import { type Narrowing, NarrowSelect } from '../../components/form/narrow-select.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { auditNouns } from './audit-sentence.ts'

/** What the audit log is narrowed by, and the file of what is left. */
export function AuditToolbar(narrowing: Narrowing) {
  const members = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => call(api.GET('/console/api/members', { signal })),
  })
  const query = readAuditFilter(narrowing.search)
  const { action = '', actor = '' } = query
  const people = (members.data?.members ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const actors = [...people, { value: 'operator', label: 'Operator' }, { value: 'gateway', label: 'The gateway' }]
  return (
    <search className="toolbar">
      <NarrowSelect
        {...narrowing}
        name="action"
        label="Action"
        options={[{ value: '', label: 'All actions' }, ...withChosen(nouns, action)]}
      />
      <NarrowSelect
        {...narrowing}
        name="actor"
        label="Who"
        options={[{ value: '', label: 'Anyone' }, ...withChosen(actors, actor)]}
      />
      <input
        type="date"
        className="input input-small"
        aria-label="From"
        value={query.from ?? ''}
        onChange={(event) => narrowing.onNarrow({ from: event.target.value })}
      />
      <input
        type="date"
        className="input input-small"
        aria-label="To"
        value={query.to ?? ''}
        onChange={(event) => narrowing.onNarrow({ to: event.target.value })}
      />
      <SearchField
        label="Search names and changes"
        value={query.search ?? ''}
        onSettled={(search) => narrowing.onNarrow({ search })}
      />
      <span className="grow" />
      <ExportButton
        what="the audit log"
        ask={() => api.GET('/console/api/exports/audit', { params: { query }, parseAs: 'blob' })}
      />
    </search>
  )
}

const filters = ['action', 'actor', 'from', 'to', 'search'] as const
type AuditFilter = Partial<Record<(typeof filters)[number], string>>

export function readAuditFilter(search: URLSearchParams): AuditFilter {
  const given = filters.flatMap((name) => {
    const value = search.get(name)
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(given)
}

const nounLabels: Record<string, string> = {
  api_key: 'API keys',
  audit: 'Exports of the audit log',
  auth: 'Tokens',
  console: 'Rejected in the console',
  messages: 'Exports of messages',
  owner: 'Setup',
  requests: 'Exports of API requests',
  session: 'Sign-ins and sessions',
  two_factor: 'Two-factor sign-in',
}

const nouns = auditNouns.map((noun) => ({ value: noun, label: nounLabels[noun] ?? capitalised(noun) }))

function capitalised(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`
}

/** An address may name what the list does not: one action, or a person who has left. */
function withChosen(options: readonly Option[], chosen: string): readonly Option[] {
  const isKnown = chosen === '' || options.some(({ value }) => value === chosen)
  return isKnown ? options : [...options, { value: chosen, label: chosen }]
}
