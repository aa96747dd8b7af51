import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { HttpChip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FilterSelect, SearchField } from '../../components/field.tsx'
import { formatDuration } from '../../components/meter.tsx'
import { Page } from '../../components/page.tsx'
import { Pagination, usePages } from '../../components/pagination.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { type Column, RowButton, Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { tokenSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'
import { RequestDrawer } from './request-drawer.tsx'

type LoggedRequest = Schemas['ConsoleLoggedRequest']
type Outcome = 'all' | 'refused' | 'accepted'

const refreshMs = 5_000
const outcomes = [
  { value: 'all', label: 'All outcomes' },
  { value: 'refused', label: 'Refused' },
  { value: 'accepted', label: 'Accepted' },
]

/** Refused calls are here too: they are what people look for first. */
export default function LogsPage() {
  const [search, setSearch] = useSearchParams()
  const [isLive, setLive] = useState(true)
  const [opened, setOpened] = useState<LoggedRequest | null>(null)
  const pages = usePages()
  const outcome = (search.get('outcome') ?? 'all') as Outcome
  const keyId = search.get('key_id') ?? ''
  const wanted = search.get('search') ?? ''
  const query = {
    limit: 25,
    outcome,
    ...pages.at,
    ...(keyId === '' ? {} : { key_id: keyId }),
    ...(wanted === '' ? {} : { search: wanted }),
  }
  const log = useQuery({
    queryKey: ['requests', query],
    queryFn: () => call(api.GET('/console/api/requests', { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && pages.isFirst ? refreshMs : false,
  })
  const filters = [outcome !== 'all', keyId !== '', wanted !== ''].filter(Boolean).length

  function narrow(change: Record<string, string>): void {
    pages.reset()
    setSearch(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(change)) {
          if (value === '' || value === 'all') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  }

  return (
    <Page
      title="API requests"
      lead="Calls of your services to this gateway, newest first. Secrets and contents are removed before anything is stored."
    >
      <search className="toolbar">
        <SearchField
          label="Request id, error code or route"
          value={wanted}
          onChange={(event) => narrow({ search: event.target.value })}
        />
        <FilterSelect
          label="Outcome"
          options={outcomes}
          value={outcome}
          onChange={(event) => narrow({ outcome: event.target.value })}
        />
        {keyId !== '' && (
          <Button icon="close" onClick={() => narrow({ key_id: '' })}>
            One API key
          </Button>
        )}
        <span className="grow" />
        <Button icon={isLive ? 'pause' : 'play'} aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? 'Pause updates' : 'Follow updates'}
        </Button>
      </search>
      <QueryView query={log}>
        {({ requests, pagination, keeps }) =>
          requests.length === 0 && pages.isFirst ? (
            <NothingLogged
              filters={filters}
              keeps={keeps}
              onClear={() => narrow({ outcome: '', key_id: '', search: '' })}
            />
          ) : (
            <>
              <div className="table-box">
                <RequestTable requests={requests} onOpen={setOpened} />
                <Pagination pages={pages} shown={requests.length} pagination={pagination} />
              </div>
              {keeps === 'refused' && (
                <p className="small muted">
                  Refusals and sends are kept for 7 days. <code>POSTERN_REQUEST_LOG=all</code> keeps every call.
                </p>
              )}
            </>
          )
        }
      </QueryView>
      {opened && <RequestDrawer request={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function RequestTable({
  requests,
  onOpen,
}: {
  requests: readonly LoggedRequest[]
  onOpen: (one: LoggedRequest) => void
}) {
  const columns: Column<LoggedRequest>[] = [
    {
      id: 'call',
      title: 'Call',
      cell: (row) => (
        <RowButton onClick={() => onOpen(row)}>
          <code>
            {row.method} {row.route}
          </code>
        </RowButton>
      ),
    },
    { id: 'status', title: 'Status', cell: (row) => <HttpChip status={row.status} /> },
    { id: 'code', title: 'Code', cell: ({ code }) => (code ? <a href={`/docs/errors#${code}`}>{code}</a> : null) },
    { id: 'key', title: 'Key', cell: ({ key_name: name, key_id: id }) => name ?? id },
    { id: 'duration', title: 'Took', number: true, cell: (row) => formatDuration(row.duration_ms) },
    { id: 'time', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  ]
  return <Table caption="API requests" columns={columns} rows={requests} idOf={({ id }) => id} />
}

type NothingProps = { filters: number; keeps: string; onClear: () => void }

function NothingLogged({ filters, keeps, onClear }: NothingProps) {
  const { base_url: baseUrl } = useSession()
  if (filters > 0) {
    return (
      <EmptyState
        icon="search"
        title={`No requests match ${filters} ${filters === 1 ? 'filter' : 'filters'}`}
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    )
  }
  if (keeps === 'off') {
    return (
      <EmptyState icon="list" title="The request log is off">
        <Notice>Start the gateway with POSTERN_REQUEST_LOG=refused or all to keep requests.</Notice>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="list" title="No requests yet">
      <p>{keeps === 'refused' ? 'Refused calls and sends appear here.' : 'Calls appear here.'} Start with a token:</p>
      <CodeBlock samples={tokenSamples({ baseUrl, apiKey: 'YOUR_API_KEY' })} />
    </EmptyState>
  )
}
