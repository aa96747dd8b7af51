import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { DayOf } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'

type Account = Schemas['ConsoleAccountSettings']

export function AccountSection() {
  const world = useSampleWorld()
  const account = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => call(api.GET('/console/api/account', { signal })),
  })
  return (
    <QueryView query={account}>
      {(data) => (
        <>
          <section className="card card-body stack" aria-label="Account">
            <dl className="facts">
              <dt>Account id</dt>
              <dd>
                <CopyText text={data.id} what="account id" />
              </dd>
              <dt>Created</dt>
              <dd>
                <DayOf at={data.created_at} />
              </dd>
            </dl>
            <NameForm account={data} />
          </section>
          <section className="card card-body stack" aria-labelledby="retention">
            <h2 id="retention">Retention</h2>
            <dl className="facts">
              <dt>Message texts and media</dt>
              <dd>{data.retention.content_days} days</dd>
              <dt>Message records and audit log</dt>
              <dd>{data.retention.metadata_days} days</dd>
              <dt>Webhook deliveries</dt>
              <dd>{data.retention.deliveries_days} days</dd>
            </dl>
            <p className="small muted">
              Set by the operator of the gateway: <code>POSTERN_RETENTION_CONTENT_DAYS</code>,{' '}
              <code>_METADATA_DAYS</code>, <code>_DELIVERIES_DAYS</code>.
            </p>
          </section>
          <SameByCode>
            <CodeBlock title="Your account, from the API" samples={getSamples(world, '/v1/auth/me')} />
            <CodeBlock
              title="On the gateway host, in the clone"
              samples={{ shell: 'npx --no-install postern accounts list' }}
            />
          </SameByCode>
        </>
      )}
    </QueryView>
  )
}

function NameForm({ account }: { account: Account }) {
  const client = useQueryClient()
  const mayWrite = useMay('account:write')
  const [name, setName] = useState(account.name)
  const form = useSubmit(async () => {
    await call(api.PUT('/console/api/account', { body: { name } }))
    await client.invalidateQueries()
    toast('Saved the account name')
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field
        label="Account name"
        required
        maxLength={80}
        readOnly={!mayWrite}
        value={name}
        error={form.errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <FailureNotice failure={form.general} />
      {mayWrite && (
        <div>
          <Button type="submit" busy={form.busy} disabled={name === account.name}>
            Save name
          </Button>
        </div>
      )}
    </form>
  )
}
