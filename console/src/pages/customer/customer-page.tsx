import { useState } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { Preferences, useCustomer, Who } from '../../components/customer/customer-details.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { conversationAddress } from '../../conversation-address.ts'
import { forgetDraftsTo } from '../../drafts.ts'
import { useMay } from '../../session.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { LastMessages } from './last-messages.tsx'

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
  const query = useCustomer(customer)
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
