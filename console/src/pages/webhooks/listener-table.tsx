import type { Schemas } from '../../api.ts'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { ListenerState } from './listener-state.tsx'

type Listener = Schemas['ConsoleListener']

/** Receivers too, until they have been away for a day. */
export function ListenerTable({ rows }: { rows: readonly Listener[] }) {
  const columns: Column<Listener>[] = [
    {
      id: 'receiver',
      title: 'Receiver',
      cell: ({ id }) => (
        <RowLink to={`/webhooks/${id}`}>
          <code>postern listen</code>
        </RowLink>
      ),
    },
    { id: 'state', title: 'State', cell: (listener) => <ListenerState listener={listener} /> },
    {
      id: 'key',
      title: 'API key',
      cell: ({ key_name: name }) => (
        <span className="cut" dir="auto" title={name ?? undefined}>
          {name ?? '–'}
        </span>
      ),
    },
  ]
  return (
    <section className="stack stack-tight" aria-label="Listeners">
      <h2>On developers&apos; machines</h2>
      <div className="table-box">
        <Table caption="Listeners" columns={columns} rows={rows} idOf={({ id }) => id} />
      </div>
    </section>
  )
}
