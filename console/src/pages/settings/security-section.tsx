import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Field } from '../../components/field.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useSession } from '../../session.ts'
import { browserName } from './browser-name.ts'

type OpenSession = Schemas['ConsoleSessionList']['sessions'][number]

/** What belongs to the person: name, password, where they are signed in. */
export function SecuritySection() {
  return (
    <div className="stack stack-wide">
      <div className="tiles">
        <section className="card card-body stack" aria-labelledby="own-name">
          <h2 id="own-name">Your name</h2>
          <NameForm />
        </section>
        <section className="card card-body stack" aria-labelledby="own-password">
          <h2 id="own-password">Password</h2>
          <PasswordForm />
        </section>
      </div>
      <Sessions />
    </div>
  )
}

function NameForm() {
  const client = useQueryClient()
  const { user } = useSession()
  const [name, setName] = useState(user.name)
  const form = useSubmit(async () => {
    await call(api.PUT('/console/api/me', { body: { name } }))
    await client.invalidateQueries()
    toast('Saved your name')
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field
        label="Name"
        autoComplete="name"
        required
        maxLength={80}
        value={name}
        error={form.errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <FailureNotice failure={form.general} />
      <div>
        <Button type="submit" busy={form.busy} disabled={name === user.name}>
          Save name
        </Button>
      </div>
    </form>
  )
}

function PasswordForm() {
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const form = useSubmit(async () => {
    await call(api.PUT('/console/api/me/password', { body: { current_password: current, new_password: next } }))
    setCurrent('')
    setNext('')
    await client.invalidateQueries({ queryKey: ['sessions'] })
    toast('Changed the password; your other sessions ended')
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint="At least 10 characters."
        value={next}
        error={form.errorOf('new_password')}
        onChange={(event) => setNext(event.target.value)}
      />
      <FailureNotice failure={form.general} />
      <div>
        <Button type="submit" busy={form.busy}>
          Change password
        </Button>
      </div>
    </form>
  )
}

function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => call(api.GET('/console/api/sessions')) })
  const refresh = () => client.invalidateQueries({ queryKey: ['sessions'] })
  const others = useSubmit(async () => {
    await call(api.POST('/console/api/sessions/revoke-others'))
    await refresh()
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
            <SessionTable sessions={data.sessions} onRevoked={refresh} />
          </div>
        )}
      </QueryView>
    </section>
  )
}

function SessionTable({ sessions, onRevoked }: { sessions: readonly OpenSession[]; onRevoked: () => Promise<void> }) {
  async function revoke({ id }: OpenSession): Promise<void> {
    const path = { session_id: id }
    await call(api.DELETE('/console/api/sessions/{session_id}', { params: { path } }))
    await onRevoked()
    toast('Signed out one session')
  }
  const columns: Column<OpenSession>[] = [
    { id: 'who', title: 'Person', cell: (row) => <strong>{row.user_name}</strong> },
    {
      id: 'where',
      title: 'Browser',
      cell: (row) => <span title={row.user_agent ?? ''}>{browserName(row.user_agent)}</span>,
    },
    { id: 'ip', title: 'Address', cell: ({ ip }) => <code>{ip}</code> },
    { id: 'began', title: 'Signed in', cell: (row) => <RelativeTime at={row.created_at} /> },
    { id: 'seen', title: 'Last active', cell: (row) => <RelativeTime at={row.last_seen_at} /> },
    {
      id: 'act',
      title: 'Actions',
      quietTitle: true,
      cell: (row) =>
        row.current ? (
          <Chip tone="ok" icon="check">
            This browser
          </Chip>
        ) : (
          <Button
            onClick={() => void revoke(row)}
            aria-label={`Sign out ${row.user_name}, ${browserName(row.user_agent)}`}
          >
            Sign out
          </Button>
        ),
    },
  ]
  return <Table caption="Sessions" columns={columns} rows={sessions} idOf={({ id }) => id} />
}
