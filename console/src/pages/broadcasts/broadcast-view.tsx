import { useQuery } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Acts } from './broadcast-acts.tsx'
import { BroadcastStatus } from './broadcast-list.tsx'
import { type Broadcast, broadcastQuery } from './broadcast-query.ts'
import { Progress } from './progress.tsx'
import { RecipientTable } from './recipient-table.tsx'
import { ReviewDraft } from './review-draft.tsx'

const trail = [{ title: 'Broadcasts', to: '/broadcasts' }]

/** One broadcast: a draft to check and start, or what it is doing and what became of its recipients. */
export function BroadcastView({ id }: { id: string }) {
  const broadcast = useQuery(broadcastQuery(id))
  return (
    <Page
      title={broadcast.data?.name ?? 'Broadcast'}
      trail={trail}
      lead={broadcast.data && <Lead record={broadcast.data} />}
      action={broadcast.data && <Acts record={broadcast.data} />}
    >
      <QueryView query={broadcast}>
        {(record) =>
          record.status === 'draft' ? (
            <ReviewDraft key={record.id} record={record} />
          ) : (
            <>
              <Progress record={record} />
              <RecipientTable record={record} />
            </>
          )
        }
      </QueryView>
    </Page>
  )
}

function Lead({ record }: { record: Broadcast }) {
  return (
    <span className="row">
      <BroadcastStatus record={record} />
      <span>
        {record.template} ({record.language})
        {record.from && (
          <>
            {' '}
            from <bdi>{record.from}</bdi>
          </>
        )}
      </span>
    </span>
  )
}
