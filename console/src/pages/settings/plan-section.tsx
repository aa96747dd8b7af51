import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { Chip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatBytes, formatNumber, Meter } from '../../components/meter.tsx'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'

type Usage = Schemas['ConsoleUsage']
type PlanRow = Usage['plans'][number]

export function PlanSection() {
  const world = useSampleWorld()
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => call(api.GET('/console/api/usage', { signal })),
  })
  return (
    <QueryView query={usage}>
      {(data) => (
        <>
          <div className="tiles">
            <WindowCard title="This hour" window={data.limits.hour} />
            <WindowCard title="Today" window={data.limits.day} />
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
            <p className="small muted">
              Hours and days are UTC, as the quota counts them. The last bar is still growing.
            </p>
          </div>
          <PlanTable usage={data} />
          <SameByCode>
            <CodeBlock title="Limits are part of the answer" samples={getSamples(world, '/v1/auth/me')} />
          </SameByCode>
        </>
      )}
    </QueryView>
  )
}

function WindowCard({ title, window }: { title: string; window: Usage['limits']['hour'] }) {
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
            Starts again <RelativeTime at={window.resets_at} />
          </p>
        </>
      ) : (
        <p className="muted">Not counted on the Enterprise plan.</p>
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
      <p className="small muted">Uploads beyond the limit are refused. Files from customers are always kept.</p>
    </section>
  )
}

function PlanTable({ usage }: { usage: Usage }) {
  const mayChange = useMay('plan:write')
  const [wanted, setWanted] = useState<PlanRow | null>(null)
  const quota = (value: number | null) => (value === null ? 'Unlimited' : formatNumber(value))
  const columns: Column<PlanRow>[] = [
    { id: 'plan', title: 'Plan', cell: ({ name }) => <strong>{capital(name)}</strong> },
    { id: 'hour', title: 'Requests per hour', number: true, cell: ({ hour }) => quota(hour) },
    { id: 'day', title: 'Requests per day', number: true, cell: ({ day }) => quota(day) },
    {
      id: 'files',
      title: 'Stored files',
      number: true,
      cell: ({ media_bytes }) => (media_bytes === null ? 'Unlimited' : formatBytes(media_bytes)),
    },
    {
      id: 'current',
      title: 'Current plan',
      quietTitle: true,
      cell: (row) =>
        row.name === usage.plan ? (
          <Chip tone="ok" icon="check">
            Your plan
          </Chip>
        ) : (
          mayChange && (
            <Button onClick={() => setWanted(row)} aria-label={`Change to ${capital(row.name)}`}>
              Change
            </Button>
          )
        ),
    },
  ]
  return (
    <div className="table-box">
      <Table caption="Plans" columns={columns} rows={usage.plans} idOf={({ name }) => name} />
      {wanted && <PlanDialog plan={wanted} usage={usage} onClose={() => setWanted(null)} />}
    </div>
  )
}

function PlanDialog({ plan, usage, onClose }: { plan: PlanRow; usage: Usage; onClose: () => void }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const form = useSubmit(async () => {
    await confirmed(() => call(api.PUT('/console/api/account/plan', { body: { plan: plan.name } })))
    await client.invalidateQueries()
    onClose()
    toast(`The plan is ${capital(plan.name)} now`)
  })
  const used = usage.limits.day?.used ?? 0
  const tooSmall = plan.day !== null && used > plan.day
  return (
    <Dialog
      title={`Change to ${capital(plan.name)}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={form.busy} onClick={() => void form.submit()}>
            Change plan
          </Button>
        </>
      }
    >
      <p>
        The new limits hold from the next request on. What was used today stays counted; nothing is charged backwards.
      </p>
      {tooSmall && (
        <p>Today’s {formatNumber(used)} requests are more than this plan allows: calls are refused until 00:00 UTC.</p>
      )}
      <FailureNotice failure={form.failure} />
    </Dialog>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function shortDay(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(at))
}
