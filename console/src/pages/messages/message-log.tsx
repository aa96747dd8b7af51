import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FilterSelect, SearchField } from '../../components/field.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { Pagination, usePages } from '../../components/pagination.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { getSamples, postSamples } from '../../samples.ts'
import { useMay, useSession } from '../../session.ts'
import { directionOptions, filterNames, readFilter, statusOptions, timeOptions, typeOptions } from './log-filter.ts'
import { useMessageLog } from './log-query.ts'
import { MessageTable } from './message-table.tsx'

export function MessageLog() {
  const [search, setSearch] = useSearchParams()
  const { owners, user, base_url: baseUrl } = useSession()
  const pages = usePages()
  const filter = readFilter(search, Date.now())
  const { log, news, catchUp } = useMessageLog(filter, pages)
  const active = filterNames.filter((name) => search.get(name)).length

  function narrow(change: Record<string, string>): void {
    pages.reset()
    catchUp()
    setSearch(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(change)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  }

  const clear = () => narrow(Object.fromEntries(filterNames.map((name) => [name, ''])))
  return (
    <Page title="Messages" lead="What was sent and received, and what was refused before it could be.">
      <LogToolbar search={search} onNarrow={narrow} active={active} onClear={clear} />
      <QueryView query={log}>
        {({ entries, pagination, hidden }) => (
          <>
            <div className="live-line" role="status">
              <span className="live-dot" aria-hidden="true" />
              Live
              {news !== null && pages.isFirst && <Button onClick={catchUp}>{news} new – show</Button>}
            </div>
            {hidden && (
              <Notice>
                Your role {user.role} cannot see phone numbers and message contents. Owners: {owners.join(', ')}.
              </Notice>
            )}
            {entries.length === 0 && pages.isFirst ? (
              <NothingHere active={active} onClear={clear} />
            ) : (
              <div className="table-box">
                <MessageTable entries={entries} onCustomer={(customer) => narrow({ search: customer })} />
                <Pagination pages={pages} shown={entries.length} pagination={pagination} />
              </div>
            )}
          </>
        )}
      </QueryView>
      <SameByCode>
        <CodeBlock title="List messages" samples={getSamples({ baseUrl, apiKey: '' }, listPath(filter))} />
      </SameByCode>
    </Page>
  )
}

/** The same list from the API, as far as it has the same filters. */
function listPath({ key_id, search, ...filter }: ReturnType<typeof readFilter>): string {
  const known = { ...filter, ...(key_id ? { api_key_id: key_id } : {}) }
  const phone = search?.startsWith('+') ? { phone_number: search } : {}
  const query = new URLSearchParams({ ...known, ...phone, limit: '25' })
  return `/v1/chat/messages?${query.toString()}`
}

type ToolbarProps = {
  search: URLSearchParams
  onNarrow: (change: Record<string, string>) => void
  active: number
  onClear: () => void
}

function LogToolbar({ search, onNarrow, active, onClear }: ToolbarProps) {
  const filters = useQuery({
    queryKey: ['message-filters'],
    queryFn: () => call(api.GET('/console/api/message-filters')),
    staleTime: 60_000,
  })
  const templates = [
    { value: '', label: 'All templates' },
    ...(filters.data?.templates ?? []).map((name) => ({ value: name, label: name })),
  ]
  const keys = [
    { value: '', label: 'All keys' },
    ...(filters.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const select = (name: string, label: string, options: readonly { value: string; label: string }[]) => (
    <FilterSelect
      label={label}
      options={options}
      value={search.get(name) ?? ''}
      onChange={(event) => onNarrow({ [name]: event.target.value })}
    />
  )
  return (
    <search className="toolbar">
      <SearchField
        label="Id, phone or reference"
        value={search.get('search') ?? ''}
        onChange={(event) => onNarrow({ search: event.target.value })}
      />
      {select('time', 'Time', timeOptions)}
      {select('direction', 'Direction', directionOptions)}
      {select('status', 'Status', statusOptions)}
      {select('type', 'Type', typeOptions)}
      {select('template', 'Template', templates)}
      {select('key_id', 'API key', keys)}
      {active > 0 && (
        <Button kind="quiet" icon="close" onClick={onClear}>
          Clear
        </Button>
      )}
    </search>
  )
}

function NothingHere({ active, onClear }: { active: number; onClear: () => void }) {
  const { base_url: baseUrl, account } = useSession()
  const mayPlay = useMay('sandbox:use')
  if (active > 0) {
    return (
      <EmptyState
        icon="search"
        title={`No messages match ${active} ${active === 1 ? 'filter' : 'filters'}`}
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        <p>Ids, phone numbers and references are found whole, not by parts.</p>
      </EmptyState>
    )
  }
  const message = { to: '+12025550100', message: 'Hello from Postern' }
  return (
    <EmptyState
      icon="message"
      title="No messages yet"
      action={
        account.sandbox && mayPlay ? (
          <ButtonLink to="/sandbox" icon="phone" kind="primary">
            Open sandbox
          </ButtonLink>
        ) : undefined
      }
    >
      <p>Everything your services send and your customers write appears here. Send the first one:</p>
      <CodeBlock samples={postSamples({ baseUrl, apiKey: '' }, '/v1/chat/messages/send', message)} />
    </EmptyState>
  )
}
