import type { ReactNode } from 'react'
import type { Schemas } from '../../api.ts'
import { LineChart } from '../../components/chart/line-chart.tsx'
import { formatDuration, formatNumber } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { clockText, RelativeTime } from '../../components/time.tsx'
import { usePreferences } from '../../preferences.ts'
import { deliveryStatus } from '../../texts.ts'

type Detail = Schemas['ConsoleWebhookDetail']

/** How deliveries went over the last day. */
export function Health({ detail }: { detail: Detail }) {
  const { webhook, pending, next_attempt_at: nextAt, duration_ms_p95: p95, hours } = detail
  const { stats } = webhook
  const { utc } = usePreferences()
  const sum = (name: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0)
  const isHeld = nextAt !== null && Date.parse(nextAt) > Date.now()
  const figures: readonly [name: string, value: ReactNode, detail: ReactNode][] = [
    [
      'Success',
      stats.total_sent === 0 ? '–' : `${stats.success_rate}%`,
      `of ${countOf(stats.total_sent, 'delivery', 'deliveries')}`,
    ],
    [
      'Not accepted',
      formatNumber(stats.total_failed),
      webhook.last_triggered ? (
        <>
          last attempt <RelativeTime at={webhook.last_triggered} />
        </>
      ) : (
        'no attempt yet'
      ),
    ],
    [
      'Waiting',
      formatNumber(pending),
      pending > 0 && isHeld ? (
        <>
          next <RelativeTime at={nextAt} />
        </>
      ) : pending > 0 ? (
        'due now'
      ) : (
        'nothing to deliver'
      ),
    ],
    ['p95 response time', p95 === null ? '–' : formatDuration(p95), '95% of deliveries are faster'],
  ]
  return (
    <>
      <dl className="figures figures-four">
        {figures.map(([name, value, more]) => (
          <div key={name} className="card figure">
            <dt>{name}</dt>
            <dd>
              <span className="big-number">{value}</span>
              <span className="small muted">{more}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="card card-body">
        <LineChart
          title="Last 24 hours"
          summary={`${formatNumber(sum('delivered'))} delivered, ${formatNumber(sum('failed'))} failed.`}
          labels={hours.map(({ start }) => clockText(start, utc))}
          height={120}
          series={[
            { name: deliveryStatus.delivered, values: hours.map(({ delivered }) => delivered) },
            { name: deliveryStatus.failed, values: hours.map(({ failed }) => failed), tone: 'error' },
          ]}
          apiPath={`/v1/webhooks/${webhook.id}`}
        />
      </div>
    </>
  )
}
