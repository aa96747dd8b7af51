import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { formatNumber } from '../../components/meter.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { shortUrl } from '../../components/short-url.ts'
import { EmptyState } from '../../components/state.tsx'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

type Standing = Schemas['ConsoleWebhookStanding']

export function WebhookList() {
  const world = useSampleWorld()
  const mayWrite = useMay('webhooks:write')
  const [search, setSearch] = useSearchParams()
  const [, go] = useLocation()
  const webhooks = useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => call(api.GET('/console/api/webhooks', { signal })),
  })
  const sample = { url: 'https://acme.example/hooks/chat', events: ['message.delivered', 'message.read'] }
  const add = mayWrite && (
    <Button kind="primary" icon="plus" onClick={() => setSearch({ create: '' })}>
      Add webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="Postern tells your services what happens, as it happens, and retries until they have accepted it."
      action={add}
    >
      <QueryView query={webhooks}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <EmptyState
              icon="webhook"
              title={data.listeners > 0 ? 'postern listen receives your events' : 'No webhooks yet'}
              action={add}
            >
              {data.listeners > 0 && (
                <p>{countOf(data.listeners, 'listener')} connected. Add a webhook for production.</p>
              )}
              <CodeBlock title="On your own machine, without a webhook" samples={{ shell: listenCommand }} />
              <p>A webhook is an address of your service. Each event is posted there, signed, until it is accepted.</p>
              <CodeBlock samples={postSamples(world, '/v1/webhooks', sample)} />
            </EmptyState>
          ) : (
            <>
              <div className="table-box">
                <WebhookTable rows={data.webhooks} />
              </div>
              <p className="small muted">
                {data.webhooks.length} of {data.webhooks_max}
                {data.listeners > 0 && `, and ${countOf(data.listeners, 'listener')} connected with postern listen`}
              </p>
              <SameByCode>
                <CodeBlock title="Add a webhook" samples={postSamples(world, '/v1/webhooks', sample)} />
              </SameByCode>
            </>
          )
        }
      </QueryView>
      {search.has('create') && mayWrite && (
        <WebhookForm onClose={() => setSearch({}, { replace: true })} onAdded={(id) => go(`/webhooks/${id}`)} />
      )}
    </Page>
  )
}

const listenCommand = 'npx postern listen --forward-to http://localhost:3000/hooks'

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
      id: 'success',
      title: 'Success',
      number: true,
      cell: ({ webhook: { stats } }) => (stats.total_sent === 0 ? '–' : `${stats.success_rate}%`),
    },
    { id: 'sent', title: 'Sent', number: true, cell: ({ webhook }) => formatNumber(webhook.stats.total_sent) },
    { id: 'pending', title: 'Pending', number: true, cell: ({ pending }) => formatNumber(pending) },
    {
      id: 'last',
      title: 'Last',
      cell: ({ webhook: { last_triggered: at } }) =>
        at ? <RelativeTime at={at} /> : <span className="muted">Never</span>,
    },
  ]
  return <Table caption="Webhooks" columns={columns} rows={rows} idOf={({ webhook }) => webhook.id} />
}

function Events({ events }: { events: readonly string[] }) {
  if (events.includes('*')) return 'All'
  return <span title={events.join(', ')}>{events.length === 1 ? events[0] : `${events.length} types`}</span>
}
