import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call, type Schemas, toFailure } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { PasswordField } from '../../components/form/password-field.tsx'
import { ProviderButton } from '../../components/form/provider-button.tsx'
import { takeFocus } from '../../components/form/take-focus.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice, Notice, Skeleton } from '../../components/state.tsx'
import { CodeField, otherFailure } from '../../components/two-factor/code-field.tsx'
import { enterSession } from '../../session.ts'
import { buttons } from '../../texts.ts'

type SetupLink = Schemas['ConsoleSetupLink']

const headings: Record<SetupLink['purpose'], { title: string; button: string }> = {
  owner: { title: 'Welcome to Postern', button: 'Create owner account' },
  invite: { title: 'Join', button: 'Join' },
  reset: { title: 'Set a new password', button: 'Save and sign in' },
  enter: { title: 'Sign in', button: 'Sign in' },
}

/** Behind a one-time link: the owner of the first start, an invited person, or a forgotten password. */
export default function SetupOwnerPage({ token }: { token: string }) {
  const link = useQuery({
    queryKey: ['setup-link', token],
    queryFn: () => call(api.POST('/console/api/setup/lookup', { body: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => call(api.GET('/console/api/sign-in', { signal })),
    staleTime: 60_000,
  })
  if (!window.isSecureContext) {
    return (
      <SoloPage title="Almost there">
        <Notice tone="warn" icon="lock">
          Sign-in needs https or localhost
        </Notice>
        <p>Open this link over https, or on the gateway host. It has not been used.</p>
      </SoloPage>
    )
  }
  if (link.error && toFailure(link.error).code !== 'setup_link_invalid') {
    return (
      <SoloPage title="Almost there">
        <FailureNotice failure={toFailure(link.error)} />
        <p>The link has not been used.</p>
        <div>
          <Button icon="refresh" onClick={() => void link.refetch()}>
            {buttons.tryAgain}
          </Button>
        </div>
      </SoloPage>
    )
  }
  if (link.error) {
    return (
      <SoloPage title="This link does not work">
        <FailureNotice failure={toFailure(link.error)} />
        <p>
          <a href="/">Go to sign in</a>
        </p>
      </SoloPage>
    )
  }
  if (link.data?.purpose === 'enter') return <EntryForm token={token} link={link.data} />
  return link.data && ways.data ? (
    <SetupForm token={token} link={link.data} ways={ways.data} />
  ) : (
    <SoloPage title="One moment">
      <Skeleton rows={3} />
    </SoloPage>
  )
}

/** By a link of the operator: one press, and the code of who has a second factor. */
function EntryForm({ token, link }: { token: string; link: SetupLink }) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [code, setCode] = useState('')
  const form = useSubmit(async () => {
    const body = { token, ...(link.two_factor ? { code } : {}) }
    enterSession(client, await call(api.POST('/console/api/setup/enter', { body })))
    go('/', { replace: true })
  })
  return (
    <SoloPage title="Sign in">
      <p className="muted">This link signs you in as {link.email ?? link.name}, once.</p>
      <form className="form" onSubmit={form.onSubmit}>
        {link.two_factor && <CodeField value={code} onChange={setCode} failure={form.failure} isFirst />}
        <FailureNotice failure={otherFailure(form.failure)} />
        <Button kind="primary" type="submit" busy={form.busy}>
          Sign in
        </Button>
      </form>
    </SoloPage>
  )
}

type SetupFormProps = { token: string; link: SetupLink; ways: Schemas['ConsoleSignInWays'] }

function SetupForm({ token, link, ways }: SetupFormProps) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [name, setName] = useState(link.name ?? '')
  const [email, setEmail] = useState(link.email ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(link.two_factor)
  const { title, button } = headings[link.purpose]
  const form = useSubmit(async () => {
    const body = { token, name, email, password, ...(asksCode ? { code } : {}) }
    try {
      enterSession(client, await call(api.POST('/console/api/setup', { body })))
      go('/', { replace: true })
    } catch (error) {
      if (asksCode || toFailure(error).code !== 'two_factor_required') throw error
      setAsksCode(true)
    }
  })
  return (
    <SoloPage title={link.purpose === 'invite' ? `Join ${link.account_name}` : title}>
      <p className="muted">{introduction(link)}</p>
      {ways.provider && link.purpose !== 'reset' && <ProviderButton provider={ways.provider} token={token} />}
      {ways.password && ways.provider && link.purpose !== 'reset' && <p className="small muted">Or with a password:</p>}
      {ways.password && (
        <form className="form" onSubmit={form.onSubmit}>
          <Field
            label="Name"
            autoComplete="name"
            required
            maxLength={80}
            value={name}
            error={form.errorOf('name')}
            onChange={(event) => setName(event.target.value)}
            ref={link.name ? null : takeFocus}
          />
          <Field
            label="Email"
            type="email"
            autoComplete="username"
            required
            readOnly={link.email !== null}
            value={email}
            error={form.errorOf('email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <PasswordField
            label="Password"
            autoComplete="new-password"
            required
            minLength={10}
            hint={passwordHint(link)}
            value={password}
            error={form.errorOf('password')}
            onChange={(event) => setPassword(event.target.value)}
            ref={link.name ? takeFocus : null}
          />
          {asksCode && <CodeField value={code} onChange={setCode} failure={form.failure} isFirst={!link.two_factor} />}
          <FailureNotice failure={otherFailure(form.general)} />
          <Button kind="primary" type="submit" busy={form.busy}>
            {button}
          </Button>
        </form>
      )}
    </SoloPage>
  )
}

function passwordHint({ purpose }: SetupLink): string {
  const rule = 'At least 10 characters. A sentence is easier to remember than symbols.'
  if (purpose === 'reset') return rule
  return `${rule} If you already sign in here with this address, enter your existing password: you can then switch accounts.`
}

function introduction({ purpose, account_name: account, role }: SetupLink): string {
  if (purpose === 'reset') return 'All sessions signed in with the old password end.'
  if (purpose === 'invite') return `You were invited as ${role}.`
  return `You are the first person here. You become the owner of ${account}.`
}
