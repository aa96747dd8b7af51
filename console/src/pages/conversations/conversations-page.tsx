import { useSearchParams } from 'wouter'
import { LiveMark } from '../../components/live-mark.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/state.tsx'
import { ConversationList } from './conversation-list.tsx'
import { Thread } from './thread.tsx'

/** Customers at the left, what was written with one of them at the right; on a phone one after the other. */
export default function ConversationsPage() {
  const [search] = useSearchParams()
  const customer = search.get('customer')
  return (
    <Page title="Conversations" lead="Customers who wrote to you. Read and answer them here." action={<LiveMark />}>
      <div className="inbox" data-open={customer !== null}>
        <ConversationList chosen={customer} />
        {customer === null ? (
          <section className="card thread thread-none" aria-label="Conversation">
            <EmptyState icon="chat" title="No conversation chosen">
              <p>Choose a customer to read and answer.</p>
            </EmptyState>
          </section>
        ) : (
          <Thread key={customer} customer={customer} />
        )}
      </div>
    </Page>
  )
}
