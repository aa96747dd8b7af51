import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Drawer } from '../../components/overlay/dialog.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { type Column, RowButton, Table } from '../../components/table/table.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { buttons } from '../../texts.ts'
import { auditSentence } from './audit-sentence.ts'
import { AuditTargets, BeforeAndAfter } from './audit-targets.tsx'
import { AuditToolbar, readAuditFilter } from './audit-toolbar.tsx'

type Entry = Schemas['ConsoleAuditEntry']

/** A sentence per line; the line cannot be changed later, because each carries the hash of the one before. */
export function AuditSection() {
  const [opened, setOpened] = useState<Entry | null>(null)
  const { search, narrow, clear } = useNarrow()
  const filter = readAuditFilter(search)
  const queryKey = ['audit', filter]
  const audit = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      return call(api.GET('/console/api/audit', { params: { query }, signal }))
    },
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const columns: Column<Entry>[] = [
    {
      id: 'what',
      title: 'What happened',
      cell: (entry) => <RowButton onClick={() => setOpened(entry)}>{auditSentence(entry)}</RowButton>,
    },
    { id: 'from', title: 'Address', cell: ({ ip }) => ip && <code>{ip}</code> },
    { id: 'when', title: 'When', cell: (entry) => <RelativeTime at={entry.occurred_at} /> },
  ]
  return (
    <>
      <AuditToolbar search={search} onNarrow={narrow} />
      <QueryView query={audit} shape="table">
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          const pagination = <Pagination list={audit} shown={entries.length} onNewest={backToNewest} />
          if (entries.length === 0 && audit.hasNextPage) return pagination
          return entries.length === 0 ? (
            <EmptyState
              icon="search"
              title="Nothing in the audit log matches"
              action={<Button onClick={clear}>{buttons.clearFilters}</Button>}
            />
          ) : (
            <div className="table-box">
              <Table caption="Audit log" columns={columns} rows={entries} idOf={({ id }) => id} />
              {pagination}
            </div>
          )
        }}
      </QueryView>
      <SameByCode>
        <CodeBlock
          title="Verify that no entry was changed, on the gateway host, in the clone"
          samples={{ shell: 'npx --no-install postern audit verify' }}
        />
      </SameByCode>
      {opened && <EntryDrawer entry={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  return (
    <Drawer title={auditSentence(entry)} onClose={onClose}>
      <dl className="facts">
        <dt>Action</dt>
        <dd>
          <code>{entry.action}</code>
        </dd>
        <dt>When</dt>
        <dd>
          <ExactTime at={entry.occurred_at} />
        </dd>
        <dt>Who</dt>
        <dd>{entry.actor.name}</dd>
        {entry.targets.length > 0 && (
          <>
            <dt>About</dt>
            <dd>
              <AuditTargets targets={entry.targets} />
            </dd>
          </>
        )}
        <BeforeAndAfter entry={entry} />
        <dt>Address</dt>
        <dd>{entry.ip ?? 'On the gateway host'}</dd>
        {entry.user_agent && (
          <>
            <dt>Browser</dt>
            <dd>{entry.user_agent}</dd>
          </>
        )}
        {entry.request_id && (
          <>
            <dt>Request id</dt>
            <dd>
              <CopyText text={entry.request_id} what="request id" />
            </dd>
          </>
        )}
      </dl>
      <CodeBlock title="Entry" samples={{ json: JSON.stringify(entry, null, 2) }} />
    </Drawer>
  )
}
