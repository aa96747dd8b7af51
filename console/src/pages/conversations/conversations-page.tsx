import { lazy } from 'react'
import { useSearchParams } from 'wouter'
import { ButtonLink } from '../../components/form/button.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { OnDemand } from '../../components/load/load-boundary.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/state.tsx'
import { useMedia } from '../../components/use-media.ts'
import { useMay, useSession } from '../../session.ts'
import { ConversationList } from './conversation-list.tsx'
import { useConversations, wantedIn } from './conversations-query.ts'
import { Thread } from './thread.tsx'

/** For wide screens alone. */
const CustomerColumn = lazy(() => import('./customer-column.tsx'))

/** Customers at the left, what was written with one of them at the right; on a phone one after the other. */
export default function ConversationsPage() {
  const [search] = useSearchParams()
  const customer = search.get('customer')
  const isWide = useMedia('(min-width: 1500px)')
  return (
    <Page title="Conversations" action={<LiveMark />}>
      <div className="inbox" data-open={customer !== null}>
        <ConversationList chosen={customer} />
        {customer === null ? <NoThread /> : <Thread key={customer} customer={customer} at={search.get('at')} />}
        {isWide && customer !== null && (
          <OnDemand at={customer}>
            <CustomerColumn key={customer} customer={customer} />
          </OnDemand>
        )}
      </div>
    </Page>
  )
}

/** Nobody is chosen, or there is nobody to choose. */
function NoThread() {
  const [search] = useSearchParams()
  const wanted = wantedIn(search)
  const { list, lines } = useConversations(wanted)
  const hasNone = list.data !== undefined && lines.length === 0
  const isEmpty = hasNone && wanted.search === '' && wanted.view === 'all' && wanted.order === 'activity'
  return (
    <section className="card thread thread-none" aria-label="Conversation" data-empty={isEmpty}>
      {isEmpty ? (
        <NoConversations />
      ) : (
        <EmptyState icon="chat" title="No conversation selected">
          {list.data && !hasNone && <p>Select a customer to read and reply.</p>}
        </EmptyState>
      )}
    </section>
  )
}

/** Only what a customer wrote begins a conversation. */
function NoConversations() {
  const { account } = useSession()
  const mayPlay = useMay('sandbox:use') && account.sandbox
  const maySeeNumber = useMay('channel:read')
  return (
    <EmptyState
      icon="chat"
      title="No conversations yet"
      action={
        mayPlay ? (
          <ButtonLink to="/sandbox" icon="phone" kind="primary">
            Open sandbox
          </ButtonLink>
        ) : (
          maySeeNumber && <ButtonLink to="/channel">Open the channel</ButtonLink>
        )
      }
    >
      <p>
        A conversation appears here when a customer writes to your number.{' '}
        {mayPlay
          ? 'In the sandbox, you write as the customer.'
          : 'To write first, press New message and send a template.'}
      </p>
    </EmptyState>
  )
}
