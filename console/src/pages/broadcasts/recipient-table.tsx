import { useInfiniteQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import type { paths } from '../../api-types.ts'
import { ErrorCode } from '../../components/error-code.tsx'
import { NarrowSelect } from '../../components/form/narrow-select.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useMay } from '../../session.ts'
import { statusChoices } from '../../texts.ts'
import { type Broadcast, isMoving, pathOf } from './broadcast-query.ts'
import { resultWords, skipWords } from './broadcast-texts.ts'

type Recipient = Schemas['BroadcastRecipient']
type Filter = NonNullable<paths['/console/api/broadcasts/{broadcast_id}/recipients']['get']['parameters']['query']>

const lookAgainMs = 5_000

/** Recipients in their order, with what became of each. */
export function RecipientTable({ record }: { record: Broadcast }) {
  const mayRead = useMay('messages:read')
  const { search, narrow } = useNarrow()
  const filter = Object.fromEntries(
    ['result', 'code'].flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])),
  ) as Filter
  const queryKey = ['broadcasts', 'recipients', record.id, filter]
  const recipients = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const { path } = pathOf(record.id).params
      const params = { path, query: { ...filter, ...pageAt(pageParam) } }
      return call(api.GET('/console/api/broadcasts/{broadcast_id}/recipients', { params, signal }))
    },
    enabled: mayRead,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 && isMoving(record) ? lookAgainMs : false),
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  if (!mayRead) return null
  const codes = [...record.failures.map(({ code }) => code), ...Object.keys(record.skipped)]
  const download = () =>
    api.GET('/console/api/broadcasts/{broadcast_id}/recipients.csv', {
      params: { ...pathOf(record.id).params, query: filter },
      parseAs: 'blob',
    })
  return (
    <section className="stack" aria-label="Recipients">
      <search className="toolbar">
        <h2 className="grow">Recipients</h2>
        <NarrowSelect
          {...{ search, onNarrow: narrow }}
          name="result"
          label="Result"
          options={statusChoices('All results', resultWords)}
        />
        {codes.length > 0 && (
          <NarrowSelect
            {...{ search, onNarrow: narrow }}
            name="code"
            label="Reason"
            options={[
              { value: '', label: 'All reasons' },
              ...codes.map((value) => ({ value, label: skipWords[value] ?? value })),
            ]}
          />
        )}
        <ExportButton what="recipients" ask={download as never} />
      </search>
      <QueryView query={recipients}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.recipients)
          const pagination = <Pagination list={recipients} shown={rows.length} onNewest={backToNewest} />
          if (rows.length === 0 && recipients.hasNextPage) return pagination
          if (rows.length === 0) return <EmptyState icon="search" title="Nobody here" />
          return (
            <div className="table-box">
              <Table
                caption="Recipients"
                columns={columns}
                rows={rows}
                idOf={({ upload_id: upload, line }) => `${upload} ${line}`}
              />
              {pagination}
            </div>
          )
        }}
      </QueryView>
    </section>
  )
}

const columns: Column<Recipient>[] = [
  {
    id: 'to',
    title: 'Recipient',
    cell: ({ to, message_id: id }) => {
      const shown = to === null ? <span className="muted">erased</span> : <bdi>{to}</bdi>
      return id === null ? shown : <RowLink to={`/messages/${encodeURIComponent(id)}`}>{shown}</RowLink>
    },
  },
  {
    id: 'result',
    title: 'Result',
    corner: true,
    cell: ({ result }) => (
      <span className="row">
        <span className="result-mark" data-result={result} />
        {resultWords[result]}
      </span>
    ),
  },
  {
    id: 'code',
    title: 'Reason',
    cell: ({ code }) => {
      if (code === null) return <span className="muted">–</span>
      return skipWords[code] ?? <ErrorCode code={code} />
    },
  },
  { id: 'line', title: 'Line', number: true, cell: ({ line }) => line },
  {
    id: 'at',
    title: 'When',
    cell: (row) => {
      const at = row.failed_at ?? row.read_at ?? row.delivered_at ?? row.sent_at
      return at ? <RelativeTime at={at} /> : <span className="muted">–</span>
    },
  },
]
