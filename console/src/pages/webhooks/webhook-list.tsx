import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Page, SameByCode } from '../../components/page.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { shortUrl } from '../../components/short-url.ts'
import { EmptyState } from '../../components/state.tsx'
import { type Column, numberColumn, RowLink, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { never } from '../../texts.ts'
import { useWebhooks } from '../../webhooks-query.ts'
import { ListenCommand } from './listen-command.tsx'
import { ListenerTable } from './listener-table.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { troubleOf, WebhookState } from './webhook-state.tsx'

type Standing = Schemas['ConsoleWebhookStanding']

export function WebhookList() {
  const world = useSampleWorld()
  const mayWrite = useMay('webhooks:write')
  const [search, setSearch] = useSearchParams()
  const [, go] = useLocation()
  const webhooks = useWebhooks()
  const sample = { url: 'https://acme.example/hooks/chat', events: ['message.delivered', 'message.read'] }
  const add = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setSearch({ create: '' })}>
      Add webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="Postern notifies your services of events as they happen, and retries until they accept them."
      action={add}
    >
      <QueryView query={webhooks} shape="table">
        {(data) => (
          <>
            {data.listeners.length > 0 && <ListenerTable rows={data.listeners} />}
            {data.webhooks.length === 0 ? (
              <NoWebhooks heard={data.listeners.length > 0} add={add} sample={sample} />
            ) : (
              <>
                <div className="table-box">
                  <WebhookTable rows={data.webhooks} />
                </div>
                <p className="small muted">
                  {data.webhooks.length} of {countOf(data.webhooks_max, 'webhook')}
                </p>
                <SameByCode>
                  <CodeBlock title="Add a webhook" samples={postSamples(world, '/v1/webhooks', sample)} />
                  <ListenCommand />
                </SameByCode>
              </>
            )}
          </>
        )}
      </QueryView>
      {search.has('create') && mayWrite && (
        <WebhookForm onClose={() => setSearch({}, { replace: true })} onAdded={(id) => go(`/webhooks/${id}`)} />
      )}
    </Page>
  )
}

type NothingProps = { heard: boolean; add: ReactNode; sample: Record<string, unknown> }

/** A developer needs no webhook to begin with: the command comes first. */
function NoWebhooks({ heard, add, sample }: NothingProps) {
  const world = useSampleWorld()
  return (
    <EmptyState icon="webhook" title="No webhooks yet" action={add}>
      {heard ? (
        <p>Your machine receives the events. Add a webhook for production.</p>
      ) : (
        <>
          <p>Start here: receive the events of this account on your own machine, signed like real deliveries.</p>
          <ListenCommand />
        </>
      )}
      <p>
        A webhook is an address of your service. Postern posts each event there, signed, and retries until it is
        accepted.
      </p>
      <CodeBlock samples={postSamples(world, '/v1/webhooks', sample)} />
      <p>
        <Link to="/help/events">Every event and its fields</Link>
      </p>
    </EmptyState>
  )
}

function WebhookTable({ rows }: { rows: readonly Standing[] }) {
  const columns: Column<Standing>[] = [
    {
      id: 'url',
      title: 'Address',
      cell: ({ webhook }) => (
        <RowLink to={`/webhooks/${webhook.id}`}>
          <span className="cut" title={webhook.url}>
            {shortUrl(webhook.url)}
          </span>
          {webhook.description && (
            <span className="muted small cut" dir="auto" title={webhook.description}>
              {webhook.description}
            </span>
          )}
        </RowLink>
      ),
    },
    {
      id: 'state',
      title: 'State',
      cell: ({ webhook, failing_since: since }) => <WebhookState webhook={webhook} failing={since !== null} />,
    },
    { id: 'events', title: 'Events', cell: ({ webhook }) => <Events events={webhook.events} /> },
    {
      ...{ id: 'success', title: 'Success', number: true },
      order: ({ webhook: { stats } }) => (stats.total_sent === 0 ? null : stats.success_rate),
      cell: ({ webhook: { stats } }) => (stats.total_sent === 0 ? '–' : `${stats.success_rate}%`),
    },
    numberColumn('Waiting', ({ pending }) => pending, formatNumber),
    {
      id: 'last',
      title: 'Last success',
      order: ({ last_success: at }) => at,
      cell: ({ last_success: at }) => (at ? <RelativeTime at={at} /> : <span className="muted">{never}</span>),
    },
  ]
  return <Table caption="Webhooks" columns={columns} rows={byTrouble(rows)} idOf={({ webhook }) => webhook.id} />
}

/** What needs attention stands first; what is equal stays as it came. */
function byTrouble(rows: readonly Standing[]): Standing[] {
  return [...rows].sort(
    (a, b) => troubleOf(a.webhook, a.failing_since !== null) - troubleOf(b.webhook, b.failing_since !== null),
  )
}

function Events({ events }: { events: readonly string[] }) {
  if (events.includes('*')) return 'All'
  return <span title={events.join(', ')}>{events.length === 1 ? events[0] : countOf(events.length, 'type')}</span>
}
