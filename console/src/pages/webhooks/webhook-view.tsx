import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CopyText } from '../../components/copy.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { formatDuration, formatNumber } from '../../components/meter.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useMay } from '../../session.ts'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { TestDialog } from './test-dialog.tsx'
import { VerifyTab } from './verify-tab.tsx'
import { shortUrl, WebhookState } from './webhook-state.tsx'

type Detail = Schemas['ConsoleWebhookDetail']

const tabs = [
  { id: 'deliveries', title: 'Deliveries' },
  { id: 'settings', title: 'Settings' },
  { id: 'verify', title: 'Verify your code' },
]

export function WebhookView({ id }: { id: string }) {
  const [search, setSearch] = useSearchParams()
  const [isTesting, setTesting] = useState(false)
  const mayWrite = useMay('webhooks:write')
  const tab = search.get('tab') ?? 'deliveries'
  const webhook = useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => call(api.GET('/console/api/webhooks/{webhook_id}', { params: { path: { webhook_id: id } } })),
    refetchInterval: 5_000,
  })
  const { data } = webhook
  return (
    <Page
      title={data ? shortUrl(data.webhook.url) : 'Webhook'}
      trail={[{ title: 'Webhooks', to: '/webhooks' }]}
      lead={data && <WebhookState webhook={data.webhook} />}
      action={
        data &&
        mayWrite && (
          <Button kind="primary" icon="play" onClick={() => setTesting(true)}>
            Send test
          </Button>
        )
      }
    >
      <QueryView query={webhook}>
        {(loaded) => (
          <>
            <Health detail={loaded} />
            <Tabs
              label="About this webhook"
              tabs={tabs}
              selected={tab}
              onSelect={(next) => setSearch({ tab: next }, { replace: true })}
            >
              <div className="tab-panel">
                {tab === 'settings' ? (
                  <SettingsTab key={loaded.webhook.updated_at} detail={loaded} />
                ) : tab === 'verify' ? (
                  <VerifyTab detail={loaded} />
                ) : (
                  <DeliveriesTab webhook={loaded.webhook} />
                )}
              </div>
            </Tabs>
            {isTesting && <TestDialog webhook={loaded.webhook} onClose={() => setTesting(false)} />}
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Health({ detail }: { detail: Detail }) {
  const { webhook, pending, next_attempt_at: nextAt, duration_ms_p95: p95, hours } = detail
  const { stats } = webhook
  const sum = (name: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0)
  const isHeld = nextAt !== null && Date.parse(nextAt) > Date.now()
  return (
    <>
      <Trouble detail={detail} />
      <div className="card card-body stack">
        <p className="row">
          <CopyText text={webhook.id} what="webhook id" />
          <span className="muted">
            {formatNumber(stats.total_sent)} sent · {formatNumber(stats.total_failed)} failed
            {p95 !== null && ` · 95 % within ${formatDuration(p95)}`}
            {pending > 0 && ` · ${formatNumber(pending)} pending`}
            {webhook.last_triggered && ' · last '}
          </span>
          {webhook.last_triggered && <RelativeTime at={webhook.last_triggered} />}
          {pending > 0 && isHeld && nextAt && (
            <span className="muted">
              next attempt <RelativeTime at={nextAt} />
            </span>
          )}
        </p>
        <LineChart
          title={stats.total_sent === 0 ? 'Success' : `Success ${stats.success_rate} %`}
          summary={`${formatNumber(sum('delivered'))} arrived and ${formatNumber(sum('failed'))} have not, in the last 24 hours.`}
          labels={hours.map(({ start }) => hourOf(start))}
          series={[
            { name: 'Arrived', values: hours.map(({ delivered }) => delivered) },
            { name: 'Not arrived', values: hours.map(({ failed }) => failed) },
          ]}
        />
      </div>
    </>
  )
}

/** What keeps events back, in one sentence, with the one thing to do. */
function Trouble({ detail }: { detail: Detail }) {
  const client = useQueryClient()
  const mayWrite = useMay('webhooks:write')
  const { webhook } = detail
  const path = { webhook_id: webhook.id }
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const check = useSubmit(async () => {
    try {
      await call(api.POST('/console/api/webhooks/{webhook_id}/verify', { params: { path } }))
      toast('The receiver returned the challenge')
    } finally {
      await refresh()
    }
  })
  const enable = useSubmit(async () => {
    await call(api.PUT('/console/api/webhooks/{webhook_id}', { params: { path }, body: { active: true } }))
    await refresh()
    toast('Switched on')
  })
  if (!webhook.active) {
    return (
      <Notice tone={webhook.disabled_at ? 'error' : 'warn'} icon="pause">
        <p>
          {webhook.disabled_at
            ? 'We switched it off because it kept failing. Events since then are kept: switch it on, then replay.'
            : 'It is inactive: events are kept, and nothing is sent.'}
        </p>
        {mayWrite && (
          <Button busy={enable.busy} onClick={() => void enable.submit()}>
            Switch on
          </Button>
        )}
        <FailureNotice failure={enable.failure} />
      </Notice>
    )
  }
  if (webhook.verification.status === 'verified') return null
  return (
    <Notice tone={webhook.verification.status === 'failed' ? 'error' : 'info'} icon="shield">
      <p>
        Nothing is sent until the receiver returns our challenge: it answers the POST of type{' '}
        <code>webhook.verification</code> with the value of <code>challenge</code>. Events wait for it.
      </p>
      {webhook.verification.last_error && <p>Last time: {webhook.verification.last_error}</p>}
      {mayWrite && (
        <Button busy={check.busy} onClick={() => void check.submit()}>
          Check again now
        </Button>
      )}
    </Notice>
  )
}

function hourOf(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at))
}
