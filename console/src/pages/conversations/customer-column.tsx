import { Preferences, useCustomer, Who } from '../../components/customer/customer-details.tsx'
import { QueryView } from '../../components/query-view.tsx'

/** On a wide screen the customer stands beside the thread. */
export default function CustomerColumn({ customer }: { customer: string }) {
  const query = useCustomer(customer)
  return (
    <aside className="inbox-customer" aria-label="Customer">
      <QueryView query={query}>
        {(data) => (
          <>
            <Who customer={data} />
            <Preferences customer={data} />
          </>
        )}
      </QueryView>
    </aside>
  )
}
