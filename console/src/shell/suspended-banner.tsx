import { Link } from 'wouter'
import { Notice } from '../components/state.tsx'
import { ExactTime } from '../components/time.tsx'
import { useSession } from '../session.ts'

/** Everything can still be read; why nothing can be sent must not be a riddle. */
export function SuspendedBanner() {
  const { account } = useSession()
  if (account.status === 'active') return null
  const deleteAt = account.delete_at
  return (
    <section className="banner" aria-label="State of the account">
      <Notice tone="error" icon="ban">
        {deleteAt === null ? (
          <>
            The account <bdi>{account.name}</bdi> is {account.status}: messages and API calls are rejected until the
            operator of this gateway resumes it.
          </>
        ) : (
          <>
            The account <bdi>{account.name}</bdi> is suspended and <strong>will be deleted on </strong>
            <strong>
              <ExactTime at={deleteAt} />
            </strong>
            , with all it holds. Until then you can read and export everything. To keep it, ask the operator of this
            gateway.
          </>
        )}{' '}
        <Link to="/help/errors#account_suspended">What that means</Link>
      </Notice>
    </section>
  )
}
