import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { formatBytes } from '../../components/format-number.ts'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, Table } from '../../components/table/table.tsx'

type Size = Schemas['ConsoleTableSizes']['tables'][number]

const columns: Column<Size>[] = [
  { id: 'name', title: 'Table', cell: ({ name }) => <code>{name}</code> },
  { id: 'bytes', title: 'Size', number: true, cell: ({ bytes }) => formatBytes(bytes) },
]

/** Asked for by hand: on SQLite the whole file is read for it. */
export function DatabaseTables() {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <TableSizes />
  ) : (
    <div>
      <Button onClick={() => setOpen(true)}>Show the size of each table</Button>
    </div>
  )
}

function TableSizes() {
  const tables = useQuery({
    queryKey: ['installation', 'tables'],
    queryFn: ({ signal }) => call(api.GET('/console/api/installation/tables', { signal })),
    staleTime: 60_000,
  })
  return (
    <QueryView query={tables}>
      {({ tables: rows }) => (
        <div className="table-box">
          <Table caption="Tables of the database" columns={columns} rows={rows} idOf={({ name }) => name} />
        </div>
      )}
    </QueryView>
  )
}
