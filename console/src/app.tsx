import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { type ApiFailure, toFailure } from './api.ts'
import { Button } from './components/form/button.tsx'
import { LoadAgain, LoadBoundary, notLoaded } from './components/load/load-boundary.tsx'
import { SoloPage } from './components/solo-page.tsx'
import { FailureNotice, Skeleton } from './components/state.tsx'
import { SessionProvider, sessionQuery } from './session.ts'
import { Shell } from './shell/shell.tsx'
import { buttons } from './texts.ts'

const SignInPage = lazy(() => import('./pages/sign-in/sign-in-page.tsx'))
const TwoFactorPage = lazy(() => import('./pages/two-factor/two-factor-page.tsx'))
const SwitchedPage = lazy(() => import('./pages/sign-in/switched-page.tsx'))
const SetupOwnerPage = lazy(() => import('./pages/setup-owner/setup-owner-page.tsx'))

/** Chooses by the person: one with a one-time link, one signed in, or one who has to sign in. */
export function App() {
  const [path] = useLocation()
  // Behind the #, where it reaches no log of a proxy and no other site.
  const fragment = useLocationProperty(() => window.location.hash.slice(1))
  const token = path === '/setup' ? new URLSearchParams(fragment).get('token') : null
  return (
    <LoadBoundary at={path} instead={<NotLoaded />}>
      <Suspense fallback={<Waiting />}>{token === null ? <SignedIn /> : <SetupOwnerPage token={token} />}</Suspense>
    </LoadBoundary>
  )
}

function SignedIn() {
  const { session, failure, ask } = useOwnSession()
  // Stays until the recovery codes are saved, although the session needs nothing more once there is a second factor.
  const [settingUp, setSettingUp] = useState<string | null>(null)
  if (session && session.id !== settingUp && session.user.two_factor === 'setup_required') setSettingUp(session.id)
  if (session && failure?.code === 'account_switched') return <SwitchedPage session={session} failure={failure} />
  if (failure?.code === 'missing_credentials') return <SignInPage ended={session} />
  if (session) {
    return (
      <SessionProvider value={session}>
        {session.id === settingUp ? <TwoFactorPage onDone={() => setSettingUp(null)} /> : <Shell />}
      </SessionProvider>
    )
  }
  return failure ? <Unavailable failure={failure} onRetry={ask} /> : <Waiting />
}

const askAgainMs = 5_000

/** The session, or why there is none. Where the gateway is not able to tell, it is asked until it is. */
function useOwnSession() {
  const query = useQuery({
    ...sessionQuery,
    refetchInterval: ({ state: { data, error } }) =>
      data === undefined && error && toFailure(error).code !== 'missing_credentials' ? askAgainMs : false,
  })
  // While a session is asked for again, as when the tab comes back to the front, the query forgets its refusal. The form
  // that answers it would lose what was written into it.
  const [error, setError] = useState<Error | null>(null)
  if (query.status !== 'pending' && query.error !== error) setError(query.error)
  return { session: query.data, failure: error && toFailure(error), ask: () => void query.refetch() }
}

/** Before there is a frame to show it in. */
function Unavailable({ failure, onRetry }: { failure: ApiFailure; onRetry: () => void }) {
  return (
    <SoloPage title="The console could not be loaded">
      <FailureNotice failure={failure} />
      <p className="muted">It retries every five seconds.</p>
      <div>
        <Button icon="refresh" onClick={onRetry}>
          {buttons.tryAgain}
        </Button>
      </div>
    </SoloPage>
  )
}

/** A page before the sign-in, or the frame itself. */
function NotLoaded() {
  return (
    <SoloPage title={notLoaded}>
      <LoadAgain />
    </SoloPage>
  )
}

/** The frame is there first, and what it holds comes into it. */
function Waiting() {
  return (
    <div className="shell shell-waiting">
      <div className="sidebar" aria-hidden="true" />
      <div className="main-column">
        <div className="top-bar" aria-hidden="true" />
        <main className="page">
          <Skeleton />
        </main>
      </div>
    </div>
  )
}
