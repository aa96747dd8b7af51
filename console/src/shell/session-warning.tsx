import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/state.tsx'
import { sessionQuery, useSession } from '../session.ts'

const warnMs = 2 * 60_000

/** Two minutes before the session ends, says so; asking for the session again keeps it. */
export function SessionWarning() {
  const { ends_at: endsAt } = useSession()
  const client = useQueryClient()
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
        You will be signed out in two minutes.{' '}
        <Button kind="quiet" onClick={() => void client.refetchQueries(sessionQuery)}>
          Stay signed in
        </Button>
      </Notice>
    </div>
  )
}
