import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FilterSelect } from '../../components/field.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { usePreferences } from '../../preferences.ts'
import { getSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'
import { type Analytics, csvRows } from './analytics-figures.ts'
import { groupNames, groupOptions, type Range, ranges, readQuestion, toQuery } from './analytics-query.ts'
import { DailyCharts } from './daily-charts.tsx'
import { Failures, Funnel } from './funnel.tsx'
import { GroupTable } from './group-table.tsx'
import { toCsv } from './to-csv.ts'
import { Totals } from './totals.tsx'

export default function AnalyticsPage() {
  const { base_url: baseUrl } = useSession()
  const { utc } = usePreferences()
  const [search, setSearch] = useSearchParams()
  const question = readQuestion(search)
  const zone = utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const query = toQuery(question, Date.now(), zone)
  const analytics = useQuery({
    queryKey: ['analytics', query],
    queryFn: () => call(api.GET('/console/api/analytics', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  const ask = (change: Record<string, string>) =>
    setSearch({ days: `${question.days}`, by: question.groupBy, ...change }, { replace: true })
  const path = `/v1/chat/analytics?${new URLSearchParams({ ...query, group_by: question.groupBy }).toString()}`
  return (
    <Page
      title="Analytics"
      lead="What became of your messages. Each counts for the day it was created; delivered and read may still grow."
      action={
        <Button
          icon="download"
          disabled={!analytics.data}
          onClick={() => analytics.data && exportCsv(analytics.data, groupNames[question.groupBy])}
        >
          Export CSV
        </Button>
      }
    >
      <search className="toolbar">
        <RangeChoice days={question.days} onChoose={(days) => ask({ days: `${days}` })} />
        <FilterSelect
          label="Group by"
          options={groupOptions}
          value={question.groupBy}
          onChange={(event) => ask({ by: event.target.value })}
        />
      </search>
      <QueryView query={analytics}>
        {(data) =>
          data.totals.created + data.totals.received === 0 ? (
            <EmptyState icon="analytics" title={`No messages in the last ${question.days} days`}>
              <p>Once your services send or your customers write, you see here how many, how fast and how well.</p>
            </EmptyState>
          ) : (
            <>
              <Totals totals={data.totals} />
              <DailyCharts data={data} />
              <div className="analytics-pair">
                <Funnel totals={data.totals} />
                <Failures failures={data.failures} days={question.days} />
              </div>
              <GroupTable data={data} groupBy={question.groupBy} />
            </>
          )
        }
      </QueryView>
      <SameByCode>
        <CodeBlock title="The same figures" samples={getSamples({ baseUrl, apiKey: '' }, path)} />
      </SameByCode>
    </Page>
  )
}

function RangeChoice({ days, onChoose }: { days: Range; onChoose: (days: Range) => void }) {
  return (
    <fieldset className="row">
      <legend className="visually-hidden">Range</legend>
      {ranges.map((range) => (
        <Button
          key={range}
          kind={range === days ? 'primary' : 'plain'}
          aria-pressed={range === days}
          onClick={() => onChoose(range)}
        >
          {range} days
        </Button>
      ))}
    </fieldset>
  )
}

function exportCsv(data: Analytics, title: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([toCsv(csvRows(data, title))], { type: 'text/csv' }))
  link.download = `analytics-${data.from.slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
