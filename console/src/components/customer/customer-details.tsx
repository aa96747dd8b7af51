import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Chip } from '../chip.tsx'
import { Facts } from '../facts.tsx'
import { Button } from '../form/button.tsx'
import { CopyText } from '../form/copy.tsx'
import { ExactTime, RelativeTime } from '../time.tsx'
import { WindowChip } from '../window-chip.tsx'
import { MarketingDialog } from './marketing-dialog.tsx'

type Customer = Schemas['ConsoleCustomer']

export function useCustomer(customer: string) {
  return useQuery({
    queryKey: ['conversations', 'customer', customer],
    queryFn: ({ signal }) => call(api.GET('/console/api/customer', { params: { query: { customer } }, signal })),
  })
}

export function Who({ customer }: { customer: Customer }) {
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

export function Preferences({
  customer: { customer, numbers, marketing_enforced: isEnforced },
}: {
  customer: Customer
}) {
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
