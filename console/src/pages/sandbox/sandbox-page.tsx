import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { FilterSelect } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import { Controls } from './controls.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import { EventLog } from './event-log.tsx'
import { LastCall } from './last-call.tsx'
import { People } from './people.tsx'
import { Phone } from './phone.tsx'

type Lines = Schemas['ConsoleSandboxLines']
const seeded = '+12025550100'

/** You are the customer: read what was sent, answer, tap, and decide what becomes of the next message. */
export default function SandboxPage() {
  const lines = useQuery({
    queryKey: ['sandbox', 'numbers'],
    queryFn: ({ signal }) => call(api.GET('/console/api/sandbox/numbers', { signal })),
  })
  return (
    <QueryView query={lines}>
      {(data) => {
        const first = data.numbers[0]
        return first ? <Playground lines={data} first={first.id} /> : <NoSandbox available={data.available} />
      }}
    </QueryView>
  )
}

function Playground({ lines, first }: { lines: Lines; first: string }) {
  const [search, setSearch] = useSearchParams()
  const [isAdding, setAdding] = useState(false)
  const numberId = lines.numbers.find(({ id }) => id === search.get('number'))?.id ?? first
  const customer = search.get('customer') ?? seeded
  const phone = useQuery({
    queryKey: ['sandbox', 'phone', numberId],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/sandbox/phone', { params: { query: { number_id: numberId } }, signal })),
  })
  const conversation = useQuery({
    queryKey: ['sandbox', 'conversation', numberId, customer],
    queryFn: ({ signal }) => {
      const query = { number_id: numberId, customer }
      return call(api.GET('/console/api/sandbox/conversation', { params: { query }, signal }))
    },
  })
  const choose = (change: Record<string, string>) =>
    setSearch((previous) => ({ ...Object.fromEntries(previous), ...change }), { replace: true })
  const at = { numberId, customer }
  return (
    <Page
      title="Sandbox"
      lead="You are the customer. Messages you type here reach your services as they would from a real phone."
      action={
        <span className="row">
          {lines.numbers.length > 1 && (
            <FilterSelect
              label="Business number"
              value={numberId}
              options={lines.numbers.map(({ id, phone_number: label }) => ({ value: id, label }))}
              onChange={(event) => choose({ number: event.target.value })}
            />
          )}
          <Button icon="plus" onClick={() => setAdding(true)}>
            New customer
          </Button>
        </span>
      }
    >
      <QueryView query={phone}>
        {(data) => (
          <div className="sandbox">
            <People customers={data.customers} chosen={customer} onChoose={(next) => choose({ customer: next })} />
            <Phone at={at} conversation={conversation} name={nameOf(data, customer)} />
            <div className="stack">
              <Controls at={at} phone={data} conversation={conversation.data} />
              <EventLog />
              <LastCall conversation={conversation.data} />
            </div>
          </div>
        )}
      </QueryView>
      {isAdding && (
        <CustomerDialog
          numberId={numberId}
          onClose={() => setAdding(false)}
          onAdded={(added) => choose({ customer: added })}
        />
      )}
    </Page>
  )
}

function nameOf({ customers }: Schemas['ConsoleSandboxPhone'], phone: string): string {
  return customers.find((customer) => customer.phone === phone)?.name ?? phone
}

function NoSandbox({ available }: { available: boolean }) {
  const client = useQueryClient()
  const mayWrite = useMay('channel:write')
  const connect = useSubmit(async () => {
    await call(api.POST('/console/api/channels/sandbox'))
    await client.invalidateQueries()
    toast('The sandbox is connected')
  })
  return (
    <Page title="Sandbox">
      <EmptyState
        icon="phone"
        title="No sandbox number"
        action={
          available && mayWrite ? (
            <Button kind="primary" busy={connect.busy} onClick={() => void connect.submit()}>
              Try the sandbox
            </Button>
          ) : (
            <ButtonLink to="/channel">Open the channel</ButtonLink>
          )
        }
      >
        <p>
          {available
            ? 'The sandbox gives you a simulated number and test customers: no approval, no cost.'
            : 'This gateway runs no sandbox.'}
        </p>
        <FailureNotice failure={connect.failure} />
      </EmptyState>
    </Page>
  )
}
