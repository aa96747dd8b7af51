import { useInfiniteQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'

type Entry = Schemas['ConsoleOperatorAudit']['entries'][number]

const columns: Column<Entry>[] = [
  { id: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  { id: 'account', title: 'Account', cell: (entry) => <AccountOf {...entry} /> },
  { id: 'action', title: 'What', cell: ({ action }) => <code>{action}</code> },
  {
    id: 'actor',
    title: 'By',
    cell: ({ actor_type: type, actor_name: name }) => name ?? (type === 'api_key' ? 'an API key' : 'a member'),
  },
]

/** What is about the installation names the account, which may be gone. */
function AccountOf({ account_id: id, account_name: name, target }: Entry) {
  if (id !== '') return <span dir="auto">{name}</span>
  return (
    <>
      <span className="muted">Installation</span> {target !== null && <bdi>{target}</bdi>}
    </>
  )
}

/** One log of all accounts: what kind of act, and when. Who and about whom is for the account. */
export function AuditOfAll() {
  const log = useInfiniteQuery({
    queryKey: ['installation', 'audit'],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/console/api/installation/audit', {
          params: { query: pageParam ? { before: pageParam } : {} },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ entries, more }) => (more ? entries.at(-1)?.id : undefined),
  })
  return (
    <section className="stack" aria-labelledby="audit-of-all">
      <h2 id="audit-of-all">Audit log of all accounts</h2>
      <QueryView query={log}>
        {({ pages }) => (
          <>
            <div className="table-box">
              <Table
                caption="Audit log of all accounts"
                columns={columns}
                rows={pages.flatMap(({ entries }) => entries)}
                idOf={({ id }) => id}
              />
            </div>
            {log.hasNextPage && (
              <div>
                <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  Show older entries
                </Button>
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}
