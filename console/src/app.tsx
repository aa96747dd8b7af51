import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { toFailure } from './api.ts'
import { ErrorState, Skeleton } from './components/state.tsx'
import { SessionProvider, sessionQuery } from './session.ts'
import { Shell } from './shell/shell.tsx'

const SignInPage = lazy(() => import('./pages/sign-in/sign-in-page.tsx'))
const TwoFactorPage = lazy(() => import('./pages/two-factor/two-factor-page.tsx'))
const SetupOwnerPage = lazy(() => import('./pages/setup-owner/setup-owner-page.tsx'))

/** Chooses by the person: one with a one-time link, one signed in, or one who has to sign in. */
export function App() {
  const [path] = useLocation()
  // Behind the #, where it reaches no log of a proxy and no other site.
  const fragment = useLocationProperty(() => window.location.hash.slice(1))
  const token = path === '/setup' ? new URLSearchParams(fragment).get('token') : null
  return <Suspense fallback={<Waiting />}>{token === null ? <SignedIn /> : <SetupOwnerPage token={token} />}</Suspense>
}

function SignedIn() {
  const session = useQuery(sessionQuery)
  const failure = session.error && toFailure(session.error)
  // Stays until the recovery codes are saved, although the session needs nothing more once there is a second factor.
  const [settingUp, setSettingUp] = useState<string | null>(null)
  const { id, user } = session.data ?? {}
  if (id !== undefined && id !== settingUp && user?.two_factor === 'setup_required') setSettingUp(id)
  if (failure?.code === 'missing_credentials') return <SignInPage />
  if (session.data) {
    return (
      <SessionProvider value={session.data}>
        {session.data.id === settingUp ? <TwoFactorPage onDone={() => setSettingUp(null)} /> : <Shell />}
      </SessionProvider>
    )
  }
  if (failure) {
    return (
      <main className="solo">
        <ErrorState failure={failure} onRetry={() => void session.refetch()} />
      </main>
    )
  }
  return <Waiting />
}

function Waiting() {
  return (
    <main className="page">
      <Skeleton rows={3} />
    </main>
  )
}
