import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { CurrentPasswordField } from '../../components/form/current-password-field.tsx'
import { Field } from '../../components/form/field.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { SameByCode } from '../../components/page.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { inShell } from '../../sample-quotes.ts'
import { useSession } from '../../session.ts'
import { ProviderCard } from './provider-card.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** What belongs to the person: name, password, second factor, where they are signed in. */
export function SecuritySection() {
  const { user, provider } = useSession()
  const person = inShell(user.email ?? 'ana@acme.example')
  return (
    <div className="stack stack-wide">
      <div className="tiles">
        <section className="card card-body stack" aria-labelledby="own-name">
          <h2 id="own-name">Your name</h2>
          <NameForm />
        </section>
        {user.password && (
          <section className="card card-body stack" aria-labelledby="own-password">
            <h2 id="own-password">Password</h2>
            <PasswordForm />
          </section>
        )}
        {provider && <ProviderCard provider={provider} />}
        <TwoFactorCard />
      </div>
      <Sessions />
      <SameByCode>
        <CodeBlock
          title="Reset a forgotten password, on the gateway host, in the clone"
          samples={{ shell: `npx --no-install postern users reset-password ${person}` }}
        />
        <CodeBlock
          title="Phone and recovery codes lost: disable two-factor sign-in, on the gateway host, in the clone"
          samples={{ shell: `npx --no-install postern users reset-two-factor ${person}` }}
        />
      </SameByCode>
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
      <CurrentPasswordField label="Current password" value={current} onChange={setCurrent} />
      <PasswordField
        label="New password"
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
