import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { FilterSelect } from '../../components/form/field.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RequestDrawer } from '../../components/requests/request-drawer.tsx'
import { RequestTable } from '../../components/requests/request-table.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { useNarrow } from '../../components/use-narrow.ts'
import { useLiveInterval } from '../../live-state.ts'
import { keysQuery, useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { buttons, noneMatch } from '../../texts.ts'

type LoggedRequest = Schemas['ConsoleLoggedRequest']
type Outcome = 'all' | 'refused' | 'accepted'

const refreshMs = 5_000
const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'refused', label: 'Rejected' },
  { value: 'accepted', label: 'Accepted' },
]

/** Refused calls are here too: they are what people look for first. */
export default function LogsPage() {
  const world = useSampleWorld()
  const { search, narrow, clear } = useNarrow()
  const [opened, setOpened] = useState<LoggedRequest | null>(null)
  const filter = readFilter(search)
  const queryKey = ['requests', filter]
  const log = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      return call(api.GET('/console/api/requests', { params: { query }, signal }))
    },
    ...byCursor,
    refetchInterval: useLiveInterval(refreshMs),
  })
  const backToNewest = useBackToNewest(queryKey)
  const filters = Object.keys(filter).length - (filter.outcome === 'all' ? 1 : 0)
  return (
    <Page
      title="API requests"
      lead="API calls from your services, newest first. Secrets and customer messages are never stored; sandbox requests are kept with their responses."
      action={
        <ExportButton
          what="API requests"
          ask={() => api.GET('/console/api/exports/requests', { params: { query: filter }, parseAs: 'blob' })}
        />
      }
    >
      <LogToolbar {...{ filter, narrow }} />
      <QueryView query={log} shape="table">
        {({ pages }) => {
          const requests = pages.flatMap((page) => page.requests)
          const keeps = pages[0]?.keeps ?? 'all'
          const pagination = <Pagination list={log} shown={requests.length} onNewest={backToNewest} />
          if (requests.length === 0 && log.hasNextPage) return pagination
          if (requests.length === 0) return <NothingLogged filters={filters} keeps={keeps} onClear={clear} />
          return (
            <>
              <div className="table-box">
                <RequestTable requests={requests} onOpen={setOpened} />
                {pagination}
              </div>
              {keeps === 'refused' && (
                <p className="small muted">
                  Rejected requests and sends are kept for 7 days. <code>POSTERN_REQUEST_LOG=all</code> keeps every
                  call.
                </p>
              )}
              <SameByCode>
                <p>Every API response carries a request id. Search for it here to find the request:</p>
                <CodeBlock title="A sample call" samples={getSamples(world, '/v1/auth/me')} />
              </SameByCode>
            </>
          )
        }}
      </QueryView>
      {opened && <RequestDrawer request={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

type Filter = { outcome: Outcome; key_id?: string; search?: string }

function readFilter(search: URLSearchParams): Filter {
  const keyId = search.get('key_id')
  const wanted = search.get('search')
  return {
    outcome: (search.get('outcome') ?? 'all') as Outcome,
    ...(keyId ? { key_id: keyId } : {}),
    ...(wanted ? { search: wanted } : {}),
  }
}

type ToolbarProps = { filter: Filter; narrow: (change: Record<string, string>) => void }

function LogToolbar({ filter: { outcome, key_id: keyId, search = '' }, narrow }: ToolbarProps) {
  const mayReadKeys = useMay('keys:read')
  const keys = useQuery({ ...keysQuery, enabled: mayReadKeys })
  const keyOptions = [
    { value: '', label: 'All keys' },
    ...(keys.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <search className="toolbar">
      <SearchField
        label="Request id, error code or route"
        value={search}
        onSettled={(text) => narrow({ search: text })}
      />
      <FilterSelect
        label="Outcome"
        options={outcomes}
        value={outcome === 'all' ? '' : outcome}
        onChange={(event) => narrow({ outcome: event.target.value })}
      />
      {mayReadKeys && (
        <FilterSelect
          label="API key"
          options={keyOptions}
          value={keyId ?? ''}
          onChange={(event) => narrow({ key_id: event.target.value })}
        />
      )}
      <span className="grow" />
      <LiveMark />
    </search>
  )
}

type NothingProps = { filters: number; keeps: string; onClear: () => void }

function NothingLogged({ filters, keeps, onClear }: NothingProps) {
  const world = useSampleWorld()
  if (filters > 0) {
    return (
      <EmptyState
        icon="search"
        title={noneMatch('requests', filters)}
        action={<Button onClick={onClear}>{buttons.clearFilters}</Button>}
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
      <p>{keeps === 'refused' ? 'Rejected calls and sends appear here.' : 'Calls appear here.'} Make the first one:</p>
      <CodeBlock samples={getSamples(world, '/v1/auth/me')} />
    </EmptyState>
  )
}
