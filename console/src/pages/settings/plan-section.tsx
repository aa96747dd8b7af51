import { useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { formatBytes, formatNumber } from '../../components/format-number.ts'
import { Meter } from '../../components/meter.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'

type Usage = Schemas['ConsoleUsage']

export function PlanSection() {
  const world = useSampleWorld()
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => call(api.GET('/console/api/usage', { signal })),
  })
  return (
    <QueryView query={usage} shape="figures">
      {(data) => (
        <>
          <div className="tiles">
            <WindowCard title="This hour" window={data.limits.hour} used={data.hours.at(-1)?.used ?? 0} />
            <WindowCard title="Today" window={data.limits.day} used={data.days.at(-1)?.used ?? 0} />
            <FilesCard files={data.media_bytes} />
          </div>
          <div className="card card-body stack stack-wide">
            <BarChart
              title="Requests per hour"
              unit="requests"
              bars={data.hours.map(({ start, used }, index) => ({
                label: start.slice(11, 16),
                value: used,
                partial: index === data.hours.length - 1,
              }))}
              apiPath="/v1/auth/me"
              limit={data.limits.hour ? { value: data.limits.hour.quota, label: 'Quota' } : undefined}
            />
            <BarChart
              title="Requests per day"
              unit="requests"
              bars={data.days.map(({ start, used }, index) => ({
                label: shortDay(start),
                value: used,
                partial: index === data.days.length - 1,
              }))}
              apiPath="/v1/auth/me"
              limit={data.limits.day ? { value: data.limits.day.quota, label: 'Quota' } : undefined}
            />
            <p className="small muted">Hours and days are in UTC, like the quota. The last bar is still counting.</p>
          </div>
          <OwnPlan usage={data} />
          <SameByCode>
            <CodeBlock title="Every response includes the limits" samples={getSamples(world, '/v1/auth/me')} />
          </SameByCode>
        </>
      )}
    </QueryView>
  )
}

function WindowCard({ title, window, used }: { title: string; window: Usage['limits']['hour']; used: number }) {
  return (
    <section className="card card-body stack stack-tight" aria-label={title}>
      <h2>{title}</h2>
      {window ? (
        <>
          <p className="big-number">
            {formatNumber(window.used)} <span className="muted">of {formatNumber(window.quota)} requests</span>
          </p>
          <Meter label={`${title}: requests used`} used={window.used} quota={window.quota} />
          <p className="small muted">
            Resets <RelativeTime at={window.resets_at} />
          </p>
        </>
      ) : (
        <>
          <p className="big-number">
            {formatNumber(used)} <span className="muted">requests</span>
          </p>
          <p className="small muted">Your plan has no limit.</p>
        </>
      )}
    </section>
  )
}

function FilesCard({ files: { quota, used } }: { files: Usage['media_bytes'] }) {
  return (
    <section className="card card-body stack stack-tight" aria-label="Stored files">
      <h2>Stored files</h2>
      <p className="big-number">
        {formatBytes(used)} <span className="muted">{quota === null ? 'stored' : `of ${formatBytes(quota)}`}</span>
      </p>
      {quota !== null && <Meter label="Stored files: space used" used={used} quota={quota} />}
      <p className="small muted">Uploads over the limit are rejected. Files from customers are always stored.</p>
    </section>
  )
}

function OwnPlan({ usage: { plan, limits } }: { usage: Usage }) {
  const { hour, day } = limits
  return (
    <section className="card card-body stack stack-tight" aria-label="Your plan">
      <h2>Your plan</h2>
      <p>
        <strong>{capital(plan)}</strong>:{' '}
        {hour && day
          ? `${formatNumber(hour.quota)} requests per hour, ${formatNumber(day.quota)} per day.`
          : 'requests without limit.'}
      </p>
      <p className="small muted">The operator of this gateway changes plans.</p>
    </section>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function shortDay(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(at))
}
