import type { Schemas } from '../../api.ts'
import { CopyText } from '../../components/copy.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { formatDuration, formatNumber } from '../../components/meter.tsx'
import { clockText, RelativeTime } from '../../components/time.tsx'
import { usePreferences } from '../../preferences.ts'

type Detail = Schemas['ConsoleWebhookDetail']

/** How deliveries went over the last day. */
export function Health({ detail }: { detail: Detail }) {
  const { webhook, pending, next_attempt_at: nextAt, duration_ms_p95: p95, hours } = detail
  const { stats } = webhook
  const { utc } = usePreferences()
  const sum = (name: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0)
  const isHeld = nextAt !== null && Date.parse(nextAt) > Date.now()
  return (
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
        labels={hours.map(({ start }) => clockText(start, utc))}
        series={[
          { name: 'Arrived', values: hours.map(({ delivered }) => delivered) },
          { name: 'Not arrived', values: hours.map(({ failed }) => failed) },
        ]}
        apiPath={`/v1/webhooks/${webhook.id}`}
      />
    </div>
  )
}
