import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { BlockDialog } from '../../components/message/block-dialog.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { conversationAddress } from '../../conversation-address.ts'
import { useMay } from '../../session.ts'

type Blocked = Schemas['BlockedList']['blocked'][number]

/** Who cannot write to the number, as Meta has them. */
export function BlockedList({ id }: { id: string }) {
  const mayWrite = useMay('blocked:write')
  const [chosen, setChosen] = useState<Blocked | null>(null)
  const queryKey = ['blocked', id]
  const blocked = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { from: id, ...pageAt(pageParam) }
      return call(api.GET('/console/api/blocked', { params: { query }, signal }))
    },
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const columns: Column<Blocked>[] = [
    {
      id: 'customer',
      title: 'Customer',
      cell: ({ customer, name }) => (
        <div>
          <RowLink to={conversationAddress(customer)}>
            <span dir="auto">{name ?? customer}</span>
          </RowLink>
          {name && <span className="mono small block">{customer}</span>}
        </div>
      ),
    },
    ...(mayWrite
      ? [
          {
            id: 'act',
            title: 'Unblock',
            quietTitle: true,
            corner: true,
            cell: (row: Blocked) => <Button onClick={() => setChosen(row)}>Unblock</Button>,
          },
        ]
      : []),
  ]
  return (
    <>
      <QueryView query={blocked}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.blocked)
          return rows.length === 0 ? (
            <EmptyState icon="ban" title="Nobody is blocked">
              <p>
                Block a customer from their conversation, within 24 hours of their last message. They can then no longer
                write to this number.
              </p>
            </EmptyState>
          ) : (
            <div className="table-box">
              <Table caption="Blocked customers" columns={columns} rows={rows} idOf={({ customer }) => customer} />
              <Pagination list={blocked} shown={rows.length} onNewest={backToNewest} />
            </div>
          )
        }}
      </QueryView>
      {chosen && <BlockDialog act="unblock" {...chosen} number={{ id }} onClose={() => setChosen(null)} />}
    </>
  )
}
