import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { enterSession } from '../../session.ts'

/** The address stays: after signing in the wanted page opens. */
export default function SignInPage() {
  return <SoloPage title="Sign in">{window.isSecureContext ? <SignInForm /> : <InsecureOrigin />}</SoloPage>
}

function SignInForm() {
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const form = useSubmit(async () => {
    const session = await call(api.POST('/console/api/sign-in', { body: { email, password } }))
    enterSession(client, session)
  })
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FailureNotice failure={form.failure} />
      <Button kind="primary" type="submit" busy={form.busy}>
        Sign in
      </Button>
      <p className="small muted">
        Forgot the password? An owner can make a new link under Settings › Members; owners run{' '}
        <code>postern setup-link</code>.
      </p>
    </form>
  )
}

/** The browser drops our cookie here, and signing in would lead back to this form for ever. */
function InsecureOrigin() {
  const local = `http://localhost:${window.location.port || '80'}${window.location.pathname}`
  return (
    <div className="stack">
      <Notice tone="warn" icon="lock">
        Sign-in needs https or localhost
      </Notice>
      <p>
        This page came over plain http from another machine, so anyone on the network could read your password. Put the
        gateway behind https, or open it on the machine itself:
      </p>
      <p>
        <a href={local}>{local}</a>
      </p>
    </div>
  )
}
