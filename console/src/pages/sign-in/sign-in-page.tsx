import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, toFailure } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CurrentPasswordField } from '../../components/form/current-password-field.tsx'
import { Field } from '../../components/form/field.tsx'
import { takeFocus } from '../../components/form/take-focus.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { CodeField, otherFailure } from '../../components/two-factor/code-field.tsx'
import { enterSession, type Session } from '../../session.ts'

/** The address stays: after signing in the wanted page opens. */
export default function SignInPage({ ended }: { ended: Session | undefined }) {
  if (window.isSecureContext) return <SignInSteps ended={ended} />
  return (
    <SoloPage title="Sign in">
      <InsecureOrigin />
    </SoloPage>
  )
}

/** Email and password first; a person with a second factor is asked for its code, with the same two beside it. */
function SignInSteps({ ended }: { ended: Session | undefined }) {
  const client = useQueryClient()
  const [email, setEmail] = useState(ended?.user.email ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const form = useSubmit(async () => {
    try {
      const body = { email, password, ...(asksCode ? { code } : {}) }
      enterSession(client, await call(api.POST('/console/api/sign-in', { body })))
    } catch (error) {
      setCode('')
      if (toFailure(error).code !== 'two_factor_required') throw error
      setAsksCode(true)
    }
  })
  if (asksCode) return <CodeStep form={form} code={code} onCode={setCode} onBack={() => setAsksCode(false)} />
  return (
    <SoloPage title="Sign in">
      {ended && <Notice icon="clock">Your session ended. Sign in again to continue where you left off.</Notice>}
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          ref={ended ? null : takeFocus}
        />
        <CurrentPasswordField value={password} onChange={setPassword} ref={ended ? takeFocus : null} />
        <FailureNotice failure={form.failure} />
        <Button kind="primary" type="submit" busy={form.busy}>
          Sign in
        </Button>
        <p className="small muted">
          Forgot the password? An owner can create a new invite link under Settings › Members; the operator of the
          gateway resets it with <code>postern users reset-password</code>.
        </p>
      </form>
    </SoloPage>
  )
}

type CodeStepProps = {
  form: ReturnType<typeof useSubmit>
  code: string
  onCode: (code: string) => void
  onBack: () => void
}

function CodeStep({ form, code, onCode, onBack }: CodeStepProps) {
  return (
    <SoloPage title="Enter your code">
      <form className="form" onSubmit={form.onSubmit}>
        <CodeField value={code} onChange={onCode} failure={form.failure} isFirst />
        <FailureNotice failure={otherFailure(form.failure)} />
        <Button kind="primary" type="submit" busy={form.busy}>
          Sign in
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
        <p className="small muted">
          Phone and recovery codes lost? An owner can create a new invite link under Settings › Members; the operator of
          the gateway resets it with <code>postern users reset-two-factor</code>.
        </p>
      </form>
    </SoloPage>
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
        This page was loaded over plain http from another machine, so anyone on the network could read your password.
        Put the gateway behind https, or open it on the gateway host:
      </p>
      <p>
        <a href={local}>{local}</a>
      </p>
    </div>
  )
}
