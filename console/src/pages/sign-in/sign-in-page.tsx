import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, call, toFailure } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CurrentPasswordField } from '../../components/form/current-password-field.tsx'
import { Field } from '../../components/form/field.tsx'
import { ProviderButton, ProviderProblem } from '../../components/form/provider-button.tsx'
import { takeFocus } from '../../components/form/take-focus.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { CodeField, otherFailure } from '../../components/two-factor/code-field.tsx'
import { enterSession, type Session } from '../../session.ts'

/** The address stays: after signing in the wanted page opens. */
export default function SignInPage({ ended }: { ended: Session | undefined }) {
  if (window.isSecureContext) return <SignInWays ended={ended} />
  return (
    <SoloPage title="Sign in">
      <InsecureOrigin />
    </SoloPage>
  )
}

/** What the provider sent back, and the ways that this installation has. */
function SignInWays({ ended }: { ended: Session | undefined }) {
  const [problem] = useState(() => new URLSearchParams(window.location.search).get('sign_in'))
  const [isCode, setCode] = useState(problem === 'code')
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => call(api.GET('/console/api/sign-in', { signal })),
    staleTime: 60_000,
  }).data
  if (isCode) return <ProviderCode onBack={() => setCode(false)} />
  if (ways && !ways.set_up) return <NotSetUp />
  const provider = ways?.provider ?? null
  return (
    <SignInSteps ended={ended} hasPassword={ways?.password ?? true} mail={ways?.mail ?? false}>
      <ProviderProblem problem={problem} />
      {provider && <ProviderButton provider={provider} />}
      {provider && ways?.password && <p className="small muted">Or with your password:</p>}
    </SignInSteps>
  )
}

/** Nobody can sign in yet: the link of the first start comes first. */
function NotSetUp() {
  return (
    <SoloPage title="Not set up yet">
      <p>This installation has no owner yet. The one-time link for its first owner is</p>
      <ul>
        <li>
          in the output of the first start, or in <code>first-run.json</code> in the data folder,
        </li>
        <li>
          or created again with <code>postern setup-link</code> on the gateway host.
        </li>
      </ul>
      <p className="small muted">Open the link in this browser. It works once, for an hour.</p>
    </SoloPage>
  )
}

function ProviderCode({ onBack }: { onBack: () => void }) {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const form = useSubmit(async () => {
    try {
      const session = await call(api.POST('/console/api/oidc/code', { body: { code } }))
      window.history.replaceState(null, '', '/')
      enterSession(client, session)
    } catch (error) {
      setCode('')
      throw error
    }
  })
  return <CodeStep form={form} code={code} onCode={setCode} onBack={onBack} />
}

/** Email and password first; a person with a second factor is asked for its code, with the same two beside it. */
function SignInSteps({ ended, hasPassword, mail, children }: StepsProps) {
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
      {children}
      {hasPassword && (
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
          {mail && <ForgotPassword email={email} />}
          <p className="small muted">
            Forgot the password? An owner can create a new invite link under Settings › Members; the operator of the
            gateway resets it with <code>postern users reset-password</code>.
          </p>
        </form>
      )}
    </SoloPage>
  )
}

/** The same words for every address: nobody learns here who signs in. */
function ForgotPassword({ email }: { email: string }) {
  const [asked, setAsked] = useState<string | null>(null)
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/sign-in/forgot', { body: { email } }))
    setAsked(email)
  })
  return (
    <div className="stack" role="status">
      {asked !== null && asked === email ? (
        <p className="small">If {asked} signs in here with a password, a link to a new one is on its way.</p>
      ) : (
        <Button kind="quiet" busy={form.busy} disabled={email.trim() === ''} onClick={() => void form.submit()}>
          Email me a password reset link
        </Button>
      )}
      <FailureNotice failure={form.failure} />
    </div>
  )
}

type StepsProps = { ended: Session | undefined; hasPassword: boolean; mail: boolean; children: ReactNode }

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
