import { useSearchParams } from 'wouter'
import { ButtonLink } from '../../components/form/button.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/state.tsx'
import { useMay, useSession } from '../../session.ts'
import { ConversationList } from './conversation-list.tsx'
import { useConversations } from './conversations-query.ts'
import { Thread } from './thread.tsx'

/** Customers at the left, what was written with one of them at the right; on a phone one after the other. */
export default function ConversationsPage() {
  const [search] = useSearchParams()
  const customer = search.get('customer')
  return (
    <Page title="Conversations" lead="Messages from your customers. Read and reply here." action={<LiveMark />}>
      <div className="inbox" data-open={customer !== null}>
        <ConversationList chosen={customer} />
        {customer === null ? <NoThread /> : <Thread key={customer} customer={customer} />}
      </div>
    </Page>
  )
}

/** Nobody is chosen, or there is nobody to choose. */
function NoThread() {
  const [search] = useSearchParams()
  const wanted = search.get('search') ?? ''
  const { data } = useConversations(wanted)
  const hasNone = data?.pages[0]?.conversations.length === 0
  const isEmpty = hasNone && wanted === ''
  return (
    <section className="card thread thread-none" aria-label="Conversation" data-empty={isEmpty}>
      {isEmpty ? (
        <NoConversations />
      ) : (
        <EmptyState icon="chat" title="No conversation selected">
          {data && !hasNone && <p>Select a customer to read and reply.</p>}
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
          : 'To write first, search for the phone number of the customer and send a template.'}
      </p>
    </EmptyState>
  )
}
