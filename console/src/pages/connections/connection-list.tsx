import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Page } from '../../components/page.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { never } from '../../texts.ts'
import { ConnectionForm } from './connection-form.tsx'
import { type Connection, HealthChip, toolNames } from './connection-state.tsx'
import { useConnections } from './connections-query.ts'
import { TokenDialog } from './token-dialog.tsx'

export function ConnectionList() {
  const mayWrite = useMay('connections:write')
  const [search, setSearch] = useSearchParams()
  const [, go] = useLocation()
  const [created, setCreated] = useState<Schemas['ConsoleConnectionToken'] | null>(null)
  const connections = useConnections()
  const add = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setSearch({ create: '' })}>
      Connect a tool
    </Button>
  )
  return (
    <Page
      title="Connections"
      lead="Tools written for Meta's Cloud API send and receive through Postern. Each has its own token and callback address."
      action={add}
    >
      <QueryView query={connections} shape="table">
        {(data) =>
          data.connections.length === 0 ? (
            <EmptyState icon="link" title="No tools connected yet" action={add}>
              <p>
                Connect Chatwoot, n8n, Typebot, pywa and other tools unchanged: only their address and token change.
                Retries don’t send a message twice, and several tools can share one number.
              </p>
              <p>
                <Link to="/help/tools">How tools work behind Postern</Link>
              </p>
            </EmptyState>
          ) : (
            <>
              <div className="table-box">
                <ConnectionTable rows={data.connections} />
              </div>
              <p className="small muted">
                {data.connections.length} of {countOf(data.connections_max, 'connection')}
              </p>
            </>
          )
        }
      </QueryView>
      {search.has('create') && mayWrite && (
        <ConnectionForm
          onClose={() => setSearch({}, { replace: true })}
          onCreated={(made) => {
            setSearch({}, { replace: true })
            setCreated(made)
          }}
        />
      )}
      {created && <TokenDialog created={created} onClose={() => go(`/connections/${created.connection.id}`)} />}
    </Page>
  )
}

function ConnectionTable({ rows }: { rows: readonly Connection[] }) {
  const columns: Column<Connection>[] = [
    {
      id: 'name',
      title: 'Tool',
      cell: ({ id, name, tool }) => (
        <RowLink to={`/connections/${id}`}>
          <span className="cut" dir="auto" title={name}>
            {name}
          </span>
          <span className="muted small">{toolNames[tool]}</span>
        </RowLink>
      ),
    },
    { id: 'health', title: 'Health', cell: (row) => <HealthChip connection={row} /> },
    { id: 'numbers', title: 'Numbers', cell: (row) => <Numbers connection={row} /> },
    { id: 'call', title: 'Last call', cell: ({ last_used_at: at }) => <Moment at={at} /> },
    {
      id: 'callback',
      title: 'Last callback',
      cell: ({ callback }) => <Moment at={callback?.last_delivered_at ?? null} />,
    },
  ]
  return <Table caption="Connections" columns={columns} rows={rows} idOf={({ id }) => id} />
}

function Numbers({ connection: { numbers, all_numbers: all } }: { connection: Connection }) {
  const shown = numbers.map(({ phone_number: phone }) => phone)
  if (all) return <span title={shown.join(', ')}>All</span>
  return <span title={shown.join(', ')}>{shown.length === 1 ? shown[0] : countOf(shown.length, 'number')}</span>
}

function Moment({ at }: { at: string | null }) {
  return at ? <RelativeTime at={at} /> : <span className="muted">{never}</span>
}
