import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyText } from '../../components/copy.tsx'
import { Drawer } from '../../components/dialog.tsx'
import { Pagination, usePages } from '../../components/pagination.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, RowButton, Table } from '../../components/table.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { auditSentence } from './audit-sentence.ts'

type Entry = Schemas['ConsoleAuditEntry']

/** A sentence per line; the line cannot be changed later, because each carries the hash of the one before. */
export function AuditSection() {
  const pages = usePages()
  const [opened, setOpened] = useState<Entry | null>(null)
  const query = { limit: 25, ...pages.at }
  const audit = useQuery({
    queryKey: ['audit', query],
    queryFn: () => call(api.GET('/console/api/audit', { params: { query } })),
    placeholderData: keepPreviousData,
  })
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
    <QueryView query={audit}>
      {({ entries, pagination }) => (
        <div className="table-box">
          <Table caption="Audit log" columns={columns} rows={entries} idOf={({ id }) => id} />
          <Pagination pages={pages} shown={entries.length} pagination={pagination} />
          {opened && <EntryDrawer entry={opened} onClose={() => setOpened(null)} />}
        </div>
      )}
    </QueryView>
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
        <dt>Address</dt>
        <dd>{entry.ip ?? 'On the machine itself'}</dd>
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
