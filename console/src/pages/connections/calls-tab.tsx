import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { LiveMark } from '../../components/live-mark.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RequestDrawer } from '../../components/requests/request-drawer.tsx'
import { RequestTable } from '../../components/requests/request-table.tsx'
import { EmptyState } from '../../components/state.tsx'
import { useLiveInterval } from '../../live-state.ts'

const shown = 50
const refreshMs = 5_000

/** What the tool called last, and what it was answered. */
export function CallsTab({ keyId }: { keyId: string }) {
  const [opened, setOpened] = useState<Schemas['ConsoleLoggedRequest'] | null>(null)
  const calls = useQuery({
    queryKey: ['requests', 'connection', keyId],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/requests', { params: { query: { key_id: keyId, limit: shown } }, signal })),
    refetchInterval: useLiveInterval(refreshMs),
  })
  return (
    <QueryView query={calls}>
      {({ requests, keeps }) =>
        keeps === 'off' ? (
          <EmptyState icon="list" title="The request log is off">
            <p>Start the gateway with POSTERN_REQUEST_LOG=refused or all to keep calls.</p>
          </EmptyState>
        ) : requests.length === 0 ? (
          <EmptyState icon="list" title="No calls yet">
            <p>The tool’s calls appear here; rejected ones show the reason.</p>
          </EmptyState>
        ) : (
          <>
            <p className="row row-apart">
              <span className="small muted">
                The last {shown} calls. <Link to={`/logs?key_id=${encodeURIComponent(keyId)}`}>All calls</Link>
              </span>
              <LiveMark />
            </p>
            <div className="table-box">
              <RequestTable requests={requests} onOpen={setOpened} ofOneKey />
            </div>
            {opened && <RequestDrawer request={opened} onClose={() => setOpened(null)} />}
          </>
        )
      }
    </QueryView>
  )
}
