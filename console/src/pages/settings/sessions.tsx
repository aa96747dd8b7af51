import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { browserName } from './browser-name.ts'

type OpenSession = Schemas['ConsoleSessionList']['sessions'][number]

/** Where people are signed in, and the way to end it. */
export function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call(api.GET('/console/api/sessions', { signal })),
  })
  const others = useSubmit(async () => {
    await call(api.POST('/console/api/sessions/revoke-others'))
    await client.invalidateQueries({ queryKey: ['sessions'] })
    toast('Signed out everywhere else')
  })
  return (
    <section className="stack" aria-labelledby="sessions">
      <div className="row row-apart">
        <h2 id="sessions">Sessions</h2>
        <Button busy={others.busy} onClick={() => void others.submit()}>
          Sign out my other sessions
        </Button>
      </div>
      <FailureNotice failure={others.failure} />
      <QueryView query={sessions}>
        {(data) => (
          <div className="table-box">
            <Table caption="Sessions" columns={columns} rows={data.sessions} idOf={({ id }) => id} />
          </div>
        )}
      </QueryView>
    </section>
  )
}

const columns: Column<OpenSession>[] = [
  { id: 'who', title: 'Person', cell: (row) => <strong dir="auto">{row.user_name}</strong> },
  { id: 'account', title: 'Account', cell: (row) => <span dir="auto">{row.account_name}</span> },
  {
    id: 'where',
    title: 'Browser',
    cell: (row) => <span title={row.user_agent ?? ''}>{browserName(row.user_agent)}</span>,
  },
  { id: 'ip', title: 'Address', cell: ({ ip }) => <code>{ip}</code> },
  { id: 'began', title: 'Signed in', cell: (row) => <RelativeTime at={row.created_at} /> },
  { id: 'seen', title: 'Last active', cell: (row) => <RelativeTime at={row.last_seen_at} /> },
  { id: 'act', title: 'Actions', quietTitle: true, cell: (row) => <SessionAct session={row} /> },
]

function SessionAct({ session }: { session: OpenSession }) {
  const client = useQueryClient()
  const revoke = useSubmit(async () => {
    await call(api.DELETE('/console/api/sessions/{session_id}', { params: { path: { session_id: session.id } } }))
    await client.invalidateQueries({ queryKey: ['sessions'] })
    toast('Signed out one session')
  })
  if (session.current) {
    return (
      <Chip tone="ok" icon="check">
        This browser
      </Chip>
    )
  }
  return (
    <>
      <Button
        busy={revoke.busy}
        onClick={() => void revoke.submit()}
        aria-label={`Sign out ${session.user_name}, ${browserName(session.user_agent)}`}
      >
        Sign out
      </Button>
      <FailureNotice failure={revoke.failure} />
    </>
  )
}
