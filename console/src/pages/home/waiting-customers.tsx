import { useSyncExternalStore } from 'react'
import { ButtonLink } from '../../components/form/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { countOf } from '../../components/plural.ts'
import { currentTime, onTick } from '../../components/time.tsx'
import { waitedSince } from '../../components/window-left.ts'
import { useInboxCounts } from '../../inbox/inbox-counts.ts'

/** Customers without a reply, with the longest wait: before everything else that Home says. */
export function WaitingCustomers() {
  const counts = useInboxCounts()
  const now = useSyncExternalStore(onTick, currentTime)
  if (!counts || counts.waiting === 0) return null
  const { waiting, waiting_since: since, counted_max: most } = counts
  const waited = since && waitedSince(since, now)
  return (
    <section className="card card-body home-waiting" aria-label="Waiting customers">
      <Icon name="chat" size={22} />
      <p className="grow">
        <strong>
          {waiting >= most && 'At least '}
          {countOf(waiting, 'customer')} {waiting === 1 ? 'is' : 'are'} waiting for a reply
        </strong>
        {waited && (
          <span className="muted block">
            {waiting === 1 ? 'For' : 'The longest for'} {waited}
          </span>
        )}
      </p>
      <ButtonLink to="/conversations?order=waiting" kind="primary" icon="arrow">
        Reply
      </ButtonLink>
    </section>
  )
}
