import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useSession } from '../../session.ts'
import { type Broadcast, pathOf } from './broadcast-query.ts'

type Tested = Schemas['BroadcastTest']['messages']

/** The message of the first recipient, really sent to another person. */
export function TestForm({ record }: { record: Broadcast }) {
  const { account } = useSession()
  const [to, setTo] = useState(account.sandbox ? '+12025550100' : '')
  const [tested, setTested] = useState<Tested>([])
  const form = useSubmit(async () => {
    setTested([])
    const body = { to: to.split(/[\s,;]+/).filter(Boolean) }
    const answer = await call(api.POST('/console/api/broadcasts/{broadcast_id}/test', { ...pathOf(record.id), body }))
    setTested(answer.messages)
  })
  return (
    <form className="card card-body form" aria-label="Test" onSubmit={form.onSubmit}>
      <Field
        label="Send a test to"
        inputMode="tel"
        hint="Up to 5 numbers. They get the first recipient’s message; it counts and costs like any other."
        value={to}
        error={form.errorOf('to')}
        onChange={(event) => setTo(event.target.value)}
      />
      {tested.map(({ to: number, error }) => (
        <Notice key={number} tone={error ? 'error' : 'ok'} icon={error ? 'alert' : 'check'}>
          <p>
            <bdi>{number}</bdi>: {error ? error.message : 'sent'}
          </p>
        </Notice>
      ))}
      <FailureNotice failure={form.general} />
      <div className="row">
        <Button icon="message" type="submit" busy={form.busy} disabled={!to.trim()}>
          Send test
        </Button>
      </div>
    </form>
  )
}
