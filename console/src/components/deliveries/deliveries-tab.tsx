import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import type { paths } from '../../api-types.ts'
import { eventTypes } from '../../api-values.ts'
import { useMay } from '../../session.ts'
import { buttons, deliveryStatus, noneMatch } from '../../texts.ts'
import { Button } from '../form/button.tsx'
import { type Narrowing, NarrowSelect } from '../form/narrow-select.tsx'
import { LiveMark } from '../live-mark.tsx'
import { QueryView } from '../query-view.tsx'
import { EmptyState } from '../state.tsx'
import { Pagination } from '../table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../table/paging.ts'
import { useNarrow } from '../use-narrow.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

type Filter = NonNullable<paths['/console/api/webhooks/{webhook_id}/deliveries']['get']['parameters']['query']>

const filterNames = ['status', 'type'] as const
const statusOptions = [
  { value: '', label: 'All outcomes' },
  { value: 'delivered', label: deliveryStatus.delivered },
  { value: 'failed,expired,skipped,cancelled', label: 'Not delivered' },
  { value: 'pending,sending,held', label: 'In progress' },
]
const typeOptions = [{ value: '', label: 'All events' }, ...eventTypes.map((type) => ({ value: type, label: type }))]

type TabProps = {
  /** Of a webhook, of a listener or of a tool. */
  webhookId: string
  /** What is sent to a tool has no type of event. */
  of?: 'webhook' | 'tool'
  /** What failed can be replayed: there is a schedule that gave up. */
  canReplay?: boolean
}

export function DeliveriesTab({ webhookId, of = 'webhook', canReplay = false }: TabProps) {
  const { search, narrow } = useNarrow()
  const [, setSearch] = useSearchParams()
  const [isReplaying, setReplaying] = useState(false)
  const mayWrite = useMay('webhooks:write')
  const opened = search.get('delivery')
  const given = filterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : []))
  const filter = Object.fromEntries(given) as Filter
  const queryKey = ['deliveries', webhookId, filter]
  const deliveries = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      const params = { path: { webhook_id: webhookId }, query }
      return call(api.GET('/console/api/webhooks/{webhook_id}/deliveries', { params, signal }))
    },
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const wasPressed = useRef(false)
  const open = (id: string) => {
    wasPressed.current = true
    setSearch((previous) => ({ ...Object.fromEntries(previous), delivery: id }))
  }
  // Where the list lies one step back, closing is that step; a link to a delivery has no list behind it.
  const close = () => {
    if (!wasPressed.current) return narrow({ delivery: '' })
    wasPressed.current = false
    window.history.back()
  }
  return (
    <div className="stack">
      <DeliveryToolbar
        search={search}
        onNarrow={narrow}
        hasTypes={of === 'webhook'}
        onReplay={mayWrite && canReplay ? () => setReplaying(true) : null}
      />
      <QueryView query={deliveries}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries)
          const pagination = <Pagination list={deliveries} shown={rows.length} onNewest={backToNewest} />
          if (rows.length === 0 && deliveries.hasNextPage) return pagination
          if (rows.length === 0) {
            const onClear = () => narrow({ status: '', type: '' })
            return <NoDeliveries of={of} filters={given.length} onClear={onClear} />
          }
          return (
            <div className="table-box">
              <DeliveryTable
                rows={rows}
                attemptsMax={pages[0]?.attempts_max ?? 0}
                webhookId={webhookId}
                onOpen={open}
              />
              {pagination}
            </div>
          )
        }}
      </QueryView>
      {opened && <DeliveryDrawer webhookId={webhookId} id={opened} onClose={close} />}
      {isReplaying && <ReplayDialog webhookId={webhookId} onClose={() => setReplaying(false)} />}
    </div>
  )
}

type ToolbarProps = Narrowing & { hasTypes: boolean; onReplay: (() => void) | null }

function DeliveryToolbar({ hasTypes, onReplay, ...narrowing }: ToolbarProps) {
  return (
    <search className="toolbar">
      <NarrowSelect {...narrowing} name="status" label="Outcome" options={statusOptions} />
      {hasTypes && <NarrowSelect {...narrowing} name="type" label="Event" options={typeOptions} />}
      <span className="grow" />
      <LiveMark />
      {onReplay && (
        <Button icon="refresh" onClick={onReplay}>
          Replay failed…
        </Button>
      )}
    </search>
  )
}

type NoneProps = { of: 'webhook' | 'tool'; filters: number; onClear: () => void }

function NoDeliveries({ of, filters, onClear }: NoneProps) {
  if (filters > 0) {
    return (
      <EmptyState
        icon="search"
        title={noneMatch('deliveries', filters)}
        action={<Button onClick={onClear}>{buttons.clearFilters}</Button>}
      />
    )
  }
  return (
    <EmptyState icon="webhook" title="No deliveries yet">
      <p>
        {of === 'tool'
          ? 'Every callback sent to this tool appears here.'
          : 'Every event sent to this webhook appears here.'}
      </p>
    </EmptyState>
  )
}
