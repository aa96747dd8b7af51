import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { StatusChip } from '../../components/chip.tsx'
import { ErrorCode } from '../../components/error-code.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { CopyText, shortened } from '../../components/form/copy.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Bubble } from '../../components/message/bubble.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { Words } from '../../components/words.tsx'
import { conversationAddress } from '../../conversation-address.ts'
import { useMay } from '../../session.ts'
import { MessageMore } from './message-more.tsx'
import { SendAgainDialog } from './send-again-dialog.tsx'
import { Timeline } from './timeline.tsx'

type Message = Schemas['ConsoleMessageDetail']

export function MessageView({ id }: { id: string }) {
  const message = useQuery({
    queryKey: ['messages', 'one', id],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/messages/{message_id}', { params: { path: { message_id: id } as never }, signal })),
  })
  const data = message.data
  return (
    <Page
      title={data ? titleOf(data) : 'Message'}
      trail={[{ title: 'Messages', to: '/messages' }]}
      lead={data && <Lead message={data} />}
      action={data && <Acts message={data} />}
    >
      <QueryView query={message}>
        {(loaded) => (
          <>
            {loaded.failure && <WhyItFailed failure={loaded.failure} />}
            <div className="split">
              <section className="card">
                <div className="card-head">
                  <h2>Timeline</h2>
                </div>
                <Timeline message={loaded} />
              </section>
              <AsSeen message={loaded} />
            </div>
            <MessageMore message={loaded} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

/** By the person; the id stands below, to be copied. */
function titleOf({ direction, name, customer, id }: Message): string {
  const who = name ?? customer ?? shortened(id, 10, 6)
  return direction === 'inbound' ? `Message from ${who}` : `Message to ${who}`
}

function Lead({ message }: { message: Message }) {
  return (
    <span className="row">
      <StatusChip status={message.status} />
      <RelativeTime at={message.created_at} />
      <CopyText text={message.id} shown={shortened(message.id, 12, 6)} what="message id" />
    </span>
  )
}

function Acts({ message }: { message: Message }) {
  const [isSending, setSending] = useState(false)
  const maySend = useMay('messages:send')
  const { customer } = message
  return (
    <div className="row">
      {customer && !message.hidden && (
        <ButtonLink icon="chat" to={conversationAddress(customer)}>
          Open conversation
        </ButtonLink>
      )}
      {maySend && message.status === 'waiting' && <CancelWaiting id={message.id} />}
      {maySend && message.request && message.status !== 'waiting' && (
        <Button icon="refresh" onClick={() => setSending(true)}>
          Send again
        </Button>
      )}
      {isSending && <SendAgainDialog message={message} onClose={() => setSending(false)} />}
    </div>
  )
}

function CancelWaiting({ id }: { id: string }) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/messages/cancel', { body: { message_id: id } }))
    await client.invalidateQueries({ queryKey: ['messages'] })
    toast('Canceled')
  })
  return (
    <>
      <Button kind="danger" icon="ban" busy={form.busy} onClick={() => void form.submit()}>
        Cancel message
      </Button>
      <FailureNotice failure={form.failure} />
    </>
  )
}

/** What happened, why, and what to do about it. */
function WhyItFailed({ failure }: { failure: NonNullable<Message['failure']> }) {
  return (
    <Notice tone="error" icon="alert">
      <p>
        <strong>
          <Words text={failure.what} />
        </strong>
        {failure.why && ` Meta says: ${failure.why}`}
      </p>
      <p>
        <Words text={failure.help} /> <ErrorCode code={failure.code} />
        {failure.upstream_code !== null && ` (Meta code ${failure.upstream_code})`}
      </p>
    </Notice>
  )
}

const unseen: Record<string, string> = {
  failed: 'What we tried to send',
  waiting: 'What will be sent',
  canceled: 'What was not sent',
}

function AsSeen({ message }: { message: Message }) {
  const { content, direction, type, status, hidden, content_purged_at: purgedAt } = message
  // Nobody has seen what did not arrive.
  const title = direction === 'outbound' ? unseen[status] : undefined
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title ?? 'As the customer sees it'}</h2>
      </div>
      <div className="screen">
        {content ? (
          <Bubble type={type} content={content} side={direction === 'outbound' ? 'business' : 'customer'} />
        ) : (
          <p className="muted">
            {hidden
              ? 'Your role cannot see message contents.'
              : purgedAt
                ? 'The content was deleted after its retention period. The record stays.'
                : 'There is no content.'}
          </p>
        )}
      </div>
    </section>
  )
}
