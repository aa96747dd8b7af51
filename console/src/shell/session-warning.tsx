import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call } from '../api.ts'
import { Button } from '../components/form/button.tsx'
import { useSubmit } from '../components/form/use-submit.ts'
import { FailureNotice, Notice } from '../components/state.tsx'
import { sessionQuery, useSession } from '../session.ts'

const warnMs = 2 * 60_000

/** Two minutes before the session ends, says so, and offers what puts the end off: asking again, or a new sign-in. */
export function SessionWarning() {
  const { ends_at: endsAt, extendable } = useSession()
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    setNear(false)
    const leftMs = Date.parse(endsAt) - Date.now() - warnMs
    // A timer holds 24 days at most; sessions end sooner.
    const timer = setTimeout(() => setNear(true), Math.max(0, leftMs))
    return () => clearTimeout(timer)
  }, [endsAt])
  if (!isNear) return null
  return (
    <div className="page" role="alert">
      <Notice tone="warn" icon="clock">
        {extendable ? <StaySignedIn /> : <SignInAgain />}
      </Notice>
    </div>
  )
}

function StaySignedIn() {
  const client = useQueryClient()
  return (
    <>
      You will be signed out in two minutes.{' '}
      <Button kind="quiet" onClick={() => void client.refetchQueries(sessionQuery)}>
        Stay signed in
      </Button>
    </>
  )
}

/** After 7 days a session continues only with the password. The address stays, so the same page is behind the form. */
function SignInAgain() {
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/sign-out'))
    window.location.reload()
  })
  return (
    <>
      You will be signed out in two minutes, because you signed in 7 days ago. Save what you are working on.{' '}
      <Button kind="quiet" busy={form.busy} onClick={() => void form.submit()}>
        Sign in again
      </Button>
      <FailureNotice failure={form.failure} />
    </>
  )
}
