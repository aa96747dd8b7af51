import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, call } from '../../api.ts'
import type { paths } from '../../api-types.ts'
import { StatusChip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { NarrowSelect } from '../../components/form/narrow-select.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { broadcastStatus, buttons, noneMatch, statusChoices } from '../../texts.ts'
import { type Broadcast, isMoving } from './broadcast-query.ts'
import { reasons } from './broadcast-texts.ts'
import { ResultBar } from './result-bar.tsx'

type Filter = NonNullable<paths['/console/api/broadcasts']['get']['parameters']['query']>

const lookAgainMs = 5_000

export function BroadcastList() {
  const world = useSampleWorld()
  const mayWrite = useMay('broadcasts:write')
  const { search, narrow, clear } = useNarrow()
  const status = search.get('status')
  const filter = (status ? { status } : {}) as Filter
  const queryKey = ['broadcasts', 'list', filter]
  const broadcasts = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      return call(api.GET('/console/api/broadcasts', { params: { query }, signal }))
    },
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.broadcasts.some(isMoving) ? lookAgainMs : false,
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const add = mayWrite && (
    <ButtonLink kind="primary" icon="plus" to="/broadcasts/new">
      New broadcast
    </ButtonLink>
  )
  return (
    <Page
      title="Broadcasts"
      lead="Send one template to a list of recipients, and see the result for each."
      action={add}
    >
      <search className="toolbar">
        <NarrowSelect
          {...{ search, onNarrow: narrow }}
          name="status"
          label="Status"
          options={statusChoices('All statuses', broadcastStatus)}
        />
      </search>
      <QueryView query={broadcasts} shape="table">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.broadcasts)
          if (rows.length === 0) return <Nothing isFiltered={status !== null} onClear={clear} action={add} />
          return (
            <div className="table-box">
              <Table caption="Broadcasts" columns={columns} rows={rows} idOf={({ id }) => id} />
              <Pagination list={broadcasts} shown={rows.length} onNewest={backToNewest} />
            </div>
          )
        }}
      </QueryView>
      <SameByCode>
        <CodeBlock title="List broadcasts" samples={getSamples(world, '/v1/chat/broadcasts?limit=50')} />
      </SameByCode>
    </Page>
  )
}

const columns: Column<Broadcast>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ id, name }) => (
      <RowLink to={`/broadcasts/${id}`}>
        <span className="break" dir="auto">
          {name}
        </span>
      </RowLink>
    ),
  },
  { id: 'status', title: 'Status', corner: true, cell: (row) => <BroadcastStatus record={row} /> },
  { id: 'progress', title: 'Progress', cell: (row) => <Progress record={row} /> },
  { id: 'recipients', title: 'Recipients', number: true, cell: ({ counts }) => formatNumber(counts.accepted) },
  { id: 'failed', title: 'Failed', number: true, cell: ({ counts }) => formatNumber(counts.failed) },
  {
    id: 'cost',
    title: 'Cost',
    number: true,
    cell: ({ cost }) => (cost ? `${cost.amount} ${cost.currency}` : <span className="muted">–</span>),
  },
  { id: 'template', title: 'Template', cell: ({ template }) => <span className="break">{template}</span> },
  { id: 'created', title: 'Created', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

/** The chip, and in a few words why it does not send, or when it will. */
export function BroadcastStatus({ record: { status, reason, start_at: startAt } }: { record: Broadcast }) {
  return (
    <span className="row">
      <StatusChip status={status === 'running' && reason !== null ? 'held' : status} />
      {reason !== null && <span className="small muted broadcast-reason">{reasons[reason].what}</span>}
      {status === 'scheduled' && startAt && (
        <span className="small muted">
          <ExactTime at={startAt} />
        </span>
      )}
    </span>
  )
}

function Progress({ record: { status, counts } }: { record: Broadcast }) {
  if (status === 'draft' || status === 'scheduled') return <span className="muted">–</span>
  const done = counts.accepted - counts.waiting - counts.under_way
  const share = counts.accepted === 0 ? 0 : Math.floor((100 * done) / counts.accepted)
  return (
    <span className="broadcast-progress">
      <ResultBar counts={counts} />
      <span className="small muted">{share}%</span>
    </span>
  )
}

function Nothing({ isFiltered, onClear, action }: { isFiltered: boolean; onClear: () => void; action: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon="search"
        title={noneMatch('broadcasts', 1)}
        action={<Button onClick={onClear}>{buttons.clearFilters}</Button>}
      />
    )
  }
  return (
    <EmptyState icon="megaphone" title="No broadcasts yet" action={action}>
      <p>
        Choose a template, drop a CSV file with your recipients, and review every message before anything is sent.
        Broadcasts respect the limits of your number and of Meta, and nobody gets one twice.
      </p>
    </EmptyState>
  )
}
