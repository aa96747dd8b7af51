import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { MessageTable } from '../../components/message/message-table.tsx'
import { QueryView } from '../../components/query-view.tsx'

const shown = 10

/** The end of the log of one customer, and the way to all of it. */
export function LastMessages({ customer }: { customer: string }) {
  const log = useQuery({
    queryKey: ['messages', 'of', customer],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/messages', { params: { query: { search: customer, limit: shown } }, signal })),
  })
  return (
    <section aria-labelledby="messages" className="stack stack-tight">
      <div className="row row-apart">
        <h2 id="messages">Messages</h2>
        <Link to={`/messages?${new URLSearchParams({ search: customer })}`}>See all</Link>
      </div>
      <QueryView query={log}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="muted">No messages with this customer are stored.</p>
          ) : (
            <div className="table-box">
              <MessageTable entries={entries} onCustomer={() => {}} />
            </div>
          )
        }
      </QueryView>
    </section>
  )
}
