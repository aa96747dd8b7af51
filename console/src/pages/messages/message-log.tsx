import { useSearchParams } from 'wouter'
import { api } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { MessageTable } from '../../components/message/message-table.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples, postSamples } from '../../samples.ts'
import { useMay, useSession } from '../../session.ts'
import { buttons, noneMatch } from '../../texts.ts'
import { countFilters, listPath } from './log-filter.ts'
import { useMessageLog } from './log-query.ts'
import { LogToolbar } from './log-toolbar.tsx'

export function MessageLog() {
  const [asked] = useSearchParams()
  const { owners, user } = useSession()
  const world = useSampleWorld()
  const { log, news, filter, catchUp } = useMessageLog(asked)
  const { search, narrow, clear } = useNarrow(catchUp)
  const active = countFilters(search)
  const codes = [...new Set(log.data?.pages.flatMap(({ entries }) => entries.flatMap(({ code }) => code ?? [])))].sort()
  return (
    <Page
      title="Messages"
      lead="Sent and received messages, and messages rejected before sending."
      action={
        <ExportButton
          what="messages"
          ask={() => api.GET('/console/api/exports/messages', { params: { query: filter }, parseAs: 'blob' })}
        />
      }
    >
      <LogToolbar search={search} codes={codes} onNarrow={narrow} active={active} onClear={clear}>
        <LiveMark>{news !== null && <Button onClick={catchUp}>{news} new – show</Button>}</LiveMark>
      </LogToolbar>
      <QueryView query={log} shape="table">
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          const pagination = <Pagination list={log} shown={entries.length} onNewest={catchUp} />
          return (
            <>
              {pages[0]?.hidden && (
                <Notice>
                  Your role <span className="role">{user.role}</span> cannot see phone numbers and message contents.
                  Owners: {owners.join(', ')}.
                </Notice>
              )}
              {entries.length === 0 && !log.hasNextPage && <NothingHere active={active} onClear={clear} />}
              {entries.length === 0 && log.hasNextPage && pagination}
              {entries.length > 0 && (
                <div className="table-box">
                  <MessageTable entries={entries} onCustomer={(customer) => narrow({ search: customer })} />
                  {pagination}
                </div>
              )}
            </>
          )
        }}
      </QueryView>
      <SameByCode>
        <CodeBlock title="List messages" samples={getSamples(world, listPath(filter))} />
      </SameByCode>
    </Page>
  )
}

function NothingHere({ active, onClear }: { active: number; onClear: () => void }) {
  const { account } = useSession()
  const world = useSampleWorld()
  const mayPlay = useMay('sandbox:use')
  if (active > 0) {
    return (
      <EmptyState
        icon="search"
        title={noneMatch('messages', active)}
        action={<Button onClick={onClear}>{buttons.clearFilters}</Button>}
      >
        <p>Search for whole ids, phone numbers and references.</p>
      </EmptyState>
    )
  }
  const message = { to: '+12025550100', message: 'Hello from Postern' }
  return (
    <EmptyState
      icon="message"
      title="No messages yet"
      action={
        account.sandbox && mayPlay ? (
          <ButtonLink to="/sandbox" icon="phone" kind="primary">
            Open sandbox
          </ButtonLink>
        ) : undefined
      }
    >
      <p>Messages from your services and your customers appear here. Send the first one:</p>
      <CodeBlock samples={postSamples(world, '/v1/chat/messages/send', message)} />
    </EmptyState>
  )
}
