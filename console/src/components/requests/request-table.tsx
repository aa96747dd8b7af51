import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { HttpChip } from '../chip.tsx'
import { formatDuration } from '../format-number.ts'
import { type Column, RowButton, Table } from '../table/table.tsx'
import { LogTime } from '../time.tsx'

type LoggedRequest = Schemas['ConsoleLoggedRequest']
type TableProps = {
  requests: readonly LoggedRequest[]
  onOpen: (one: LoggedRequest) => void
  /** The page has said whose they are. */
  ofOneKey?: boolean
}

const keyColumn: Column<LoggedRequest> = {
  id: 'key',
  title: 'Key',
  cell: ({ key_name: name, key_id: id }) => name ?? id,
}

export function RequestTable({ requests, onOpen, ofOneKey = false }: TableProps) {
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
    { id: 'code', title: 'Code', cell: ({ code }) => code && <Link to={`/help/errors#${code}`}>{code}</Link> },
    ...(ofOneKey ? [] : [keyColumn]),
    { id: 'duration', title: 'Duration', number: true, cell: (row) => formatDuration(row.duration_ms) },
    { id: 'time', title: 'When', cell: ({ at }) => <LogTime at={at} /> },
  ]
  return <Table caption="API requests" columns={columns} rows={requests} idOf={({ id }) => id} />
}
