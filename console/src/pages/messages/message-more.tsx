import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { type Fact, Facts } from '../../components/facts.tsx'
import { CopyText, shortened } from '../../components/form/copy.tsx'
import { Tabs } from '../../components/overlay/tabs.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples, postSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { Webhook } from './timeline.tsx'

type Message = Schemas['ConsoleMessageDetail']

/** Everything else there is to know: facts, the call, webhooks, and the record as the API gives it. */
export function MessageMore({ message }: { message: Message }) {
  const world = useSampleWorld()
  const [search, setSearch] = useSearchParams()
  const told = message.events.flatMap(({ type, deliveries }) => deliveries.map((delivery) => ({ type, delivery })))
  const tabs = [
    { id: 'details', title: 'Details' },
    { id: 'request', title: 'API request' },
    { id: 'webhooks', title: `Webhook deliveries (${told.length})` },
    { id: 'raw', title: 'Raw JSON' },
  ]
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'details'
  return (
    <Tabs
      label="More about this message"
      tabs={tabs}
      selected={tab}
      onSelect={(next) => setSearch({ tab: next }, { replace: true })}
    >
      <div className="tab-panel stack">
        {tab === 'details' && <Details message={message} />}
        {tab === 'request' && (
          <>
            {message.request ? (
              <CodeBlock title="Send it" samples={postSamples(world, message.request.path, message.request.body)} />
            ) : (
              <p className="muted">There is no API call for this: {whyNoRequest(message)}</p>
            )}
            <CodeBlock
              title="Read it"
              samples={getSamples(world, `/v1/chat/messages/${encodeURIComponent(message.id)}`)}
            />
          </>
        )}
        {tab === 'webhooks' &&
          (told.length === 0 ? (
            <NothingTold />
          ) : (
            <ul className="plain-list card">
              {told.map(({ type, delivery }) => (
                <li key={delivery.delivery_id} className="row">
                  <code>{type}</code>
                  <Webhook told={delivery} />
                </li>
              ))}
            </ul>
          ))}
        {tab === 'raw' && (
          <CodeBlock title="API response" samples={{ json: JSON.stringify(message.record, null, 2) }} />
        )}
      </div>
    </Tabs>
  )
}

/** Why is not known: no webhook may have subscribed by then, or what was told is no longer kept. */
function NothingTold() {
  const mayOpen = useMay('webhooks:read')
  return (
    <p className="muted">
      No webhook deliveries are stored for this message. Events go to the webhooks subscribed at that moment, and
      deliveries are deleted after some time. {mayOpen && <Link to="/webhooks">See the webhooks</Link>}
    </p>
  )
}

function whyNoRequest({ direction, hidden }: Message): string {
  if (direction === 'inbound') return 'a customer wrote it.'
  return hidden ? 'your role cannot see its content.' : 'its content is no longer kept.'
}

function Details({ message }: { message: Message }) {
  const rows: readonly Fact[] = [
    ['Message id', <CopyText key="id" text={message.id} what="message id" />],
    ['Gateway id', <CopyText key="own" text={message.own_id} what="gateway id" />],
    ['From', message.from],
    ['To', message.to],
    ['Customer', message.name],
    ['Type', message.type.replaceAll('_', ' ')],
    ['Template', message.template && `${message.template} (${message.language})`],
    ['Reference', message.client_reference && <CopyText key="ref" text={message.client_reference} what="reference" />],
    [
      'Reply to',
      message.reply_to && (
        <CopyText key="reply" text={message.reply_to} shown={shortened(message.reply_to, 12, 6)} what="message id" />
      ),
    ],
    ['Group', message.group_id && <CopyText key="group" text={message.group_id} what="group id" />],
    ['API key', message.key_name],
    ['Sent manually', message.sent_by ?? (message.direction === 'outbound' && !message.key_name && 'In the console')],
    ['Created', <ExactTime key="created" at={message.created_at} />],
    ['Window', windowText(message.window)],
    ['Marketing', marketingText(message.marketing)],
    ['Held', message.held ? 'Meta is checking the quality of this template first' : null],
  ]
  return <Facts rows={rows} className="card card-body" />
}

function marketingText({ state, since }: Message['marketing']): ReactNode {
  if (state === 'unknown' || since === null) return null
  return (
    <>
      {state === 'opted_out'
        ? 'The customer opted out of marketing messages'
        : 'The customer accepts marketing messages'}{' '}
      <RelativeTime at={since} />
    </>
  )
}

function windowText({ state, expires_at: expiresAt }: Message['window']): ReactNode {
  if (state !== 'open' || expiresAt === null) return state === 'closed' ? 'Closed: only templates' : 'Not known'
  return (
    <>
      Open, closes <RelativeTime at={expiresAt} />
    </>
  )
}
