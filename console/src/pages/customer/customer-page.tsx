import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Facts } from '../../components/facts.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { WindowChip } from '../../components/window-chip.tsx'
import { conversationAddress } from '../../conversation-address.ts'
import { forgetDraftsTo } from '../../drafts.ts'
import { useMay } from '../../session.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { LastMessages } from './last-messages.tsx'
import { MarketingDialog } from './marketing-dialog.tsx'

type Customer = Schemas['ConsoleCustomer']

/** Who a customer is, what they allow, and the way to forget them. */
export default function CustomerPage() {
  const [search] = useSearchParams()
  const customer = search.get('customer')?.trim()
  return customer ? <OneCustomer customer={customer} /> : <Redirect to="/conversations" replace />
}

function OneCustomer({ customer }: { customer: string }) {
  const mayErase = useMay('customers:erase')
  const [isErasing, setErasing] = useState(false)
  const [isErased, setErased] = useState(false)
  const query = useQuery({
    queryKey: ['conversations', 'customer', customer],
    queryFn: ({ signal }) => call(api.GET('/console/api/customer', { params: { query: { customer } }, signal })),
  })
  // Behind the receipt nothing of the person is left to be seen.
  const title = isErased ? 'Erased customer' : (query.data?.names[0] ?? customer)
  function onErased(): void {
    setErased(true)
    forgetDraftsTo([customer, ...(query.data?.addresses ?? []).map(({ address }) => address)])
  }
  return (
    <Page
      title={title}
      trail={[{ title: 'Conversations', to: '/conversations' }]}
      action={
        !isErased && (
          <div className="row">
            <ButtonLink to={conversationAddress(customer)} icon="chat" kind="primary">
              Open conversation
            </ButtonLink>
            {mayErase && (
              <Button kind="danger" icon="ban" onClick={() => setErasing(true)}>
                Erase
              </Button>
            )}
          </div>
        )
      }
    >
      {!isErased && (
        <QueryView query={query}>
          {(data) => (
            <>
              <Who customer={data} />
              <Preferences customer={data} />
              <LastMessages customer={data.customer} />
            </>
          )}
        </QueryView>
      )}
      {isErasing && <EraseDialog {...{ customer, onErased }} onClose={() => setErasing(false)} />}
    </Page>
  )
}

function Who({ customer }: { customer: Customer }) {
  const { names, addresses, last_message_at: last } = customer
  return (
    <section className="card" aria-labelledby="who">
      <div className="card-head">
        <h2 id="who">Profile</h2>
      </div>
      <div className="card-body">
        <Facts
          rows={[
            ['Name', names.length > 0 && <span dir="auto">{names.join(', ')}</span>],
            [
              'Known as',
              <ul key="addresses" className="plain-list customer-addresses">
                {addresses.map(({ address, kind }) => (
                  <li key={address}>
                    <CopyText text={address} what={kind === 'phone' ? 'phone number' : 'user id'} />{' '}
                    {kind === 'user_id' && <span className="muted small">WhatsApp user id</span>}
                  </li>
                ))}
              </ul>,
            ],
            ['Last message', last ? <RelativeTime key="last" at={last} /> : 'None stored'],
          ]}
        />
      </div>
    </section>
  )
}

const marketingWords = {
  opted_out: 'No marketing messages',
  opted_in: 'Accepts marketing messages',
  unknown: 'No marketing preference',
} as const

function Preferences({ customer: { customer, numbers, marketing_enforced: isEnforced } }: { customer: Customer }) {
  const maySend = useMay('messages:send')
  const [isAsking, setAsking] = useState(false)
  const isStopped = numbers.some(({ marketing }) => marketing.state === 'opted_out')
  return (
    <section className="card" aria-labelledby="preferences">
      <div className="card-head">
        <h2 id="preferences">Window and preferences</h2>
        {maySend && isEnforced && (
          <Button icon={isStopped ? 'check' : 'ban'} onClick={() => setAsking(true)}>
            {isStopped ? 'Allow marketing' : 'Stop marketing'}
          </Button>
        )}
      </div>
      {numbers.length === 0 ? (
        <p className="card-body muted">They have not written to any of your numbers.</p>
      ) : (
        <ul className="plain-list">
          {numbers.map(({ phone_number: number, window, marketing, last_inbound_at: last }) => (
            <li key={number} className="row customer-number">
              <span className="mono">{number ?? 'Removed number'}</span>
              <WindowChip window={window} />
              <span className="muted small">
                {last ? (
                  <>
                    wrote <RelativeTime at={last} />
                  </>
                ) : (
                  'never wrote'
                )}
              </span>
              <Chip
                tone={marketing.state === 'opted_out' ? 'warn' : 'neutral'}
                icon={marketing.state === 'opted_out' ? 'ban' : 'info'}
              >
                {marketingWords[marketing.state]}
              </Chip>
              {marketing.since && (
                <span className="muted small">
                  since <ExactTime at={marketing.since} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAsking && (
        <MarketingDialog
          customer={customer}
          preference={isStopped ? 'opted_in' : 'opted_out'}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}
