import { Link } from 'wouter'
import { Notice } from '../components/state.tsx'
import { useSession } from '../session.ts'

/** Everything can still be read; why nothing can be sent must not be a riddle. */
export function SuspendedBanner() {
  const { account } = useSession()
  if (account.status === 'active') return null
  return (
    <section className="banner" aria-label="State of the account">
      <Notice tone="error" icon="ban">
        The account {account.name} is {account.status}: messages and API calls are rejected until the operator of this
        gateway resumes it. <Link to="/help/errors#account_suspended">What that means</Link>
      </Notice>
    </section>
  )
}
