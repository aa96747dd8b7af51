import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import { comparable } from '../../components/chart/change.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { FilterSelect } from '../../components/form/field.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { usePreferences } from '../../preferences.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import type { Analytics } from './analytics-figures.ts'
import {
  type AnalyticsQuestion,
  dateIn,
  dayRange,
  type Grouping,
  groupOptions,
  readQuestion,
  serviceRange,
  toQuery,
  writeQuestion,
} from './analytics-query.ts'
import { previousQuery } from './comparison.ts'
import { CostBlock } from './cost-block.tsx'
import { DailyCharts } from './daily-charts.tsx'
import { ExportAnalytics } from './export-analytics.tsx'
import { Failures, Funnel } from './funnel.tsx'
import { GroupTable, TemplateBlock } from './group-table.tsx'
import { RangeChoice } from './range-choice.tsx'
import { ServiceTimes } from './service-times.tsx'
import { Totals } from './totals.tsx'

/** As many as the API gives; more of them are one line. */
const groupsMax = 50

type Query = ReturnType<typeof toQuery>
type Answered = { data: Analytics; asked: AnalyticsQuestion & { path: string; query: Query; isGrowing: boolean } }

export default function AnalyticsPage() {
  const world = useSampleWorld()
  const { utc } = usePreferences()
  const maySeeCosts = useMay('costs:read')
  const [search, setSearch] = useSearchParams()
  const zone = utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = dateIn(zone, Date.now())
  const question = readQuestion(search, today)
  const query = { ...toQuery(question, today, zone), limit_groups: groupsMax }
  const path = `/v1/chat/analytics?${new URLSearchParams({ ...query, limit_groups: `${groupsMax}`, group_by: question.groupBy }).toString()}`
  const analytics = useQuery({
    queryKey: ['analytics', query],
    // Until the next answer is here the last one is shown, and what it was asked for stays with it.
    queryFn: async ({ signal }) => ({
      data: await call(api.GET('/console/api/analytics', { params: { query }, signal })),
      asked: { ...question, path, query, isGrowing: query.to === undefined },
    }),
    placeholderData: keepPreviousData,
  })
  const before = usePrevious(analytics.isPlaceholderData ? undefined : analytics.data)
  // Each question is a step that Back leads to; the same one again is none.
  const ask = (change: Partial<AnalyticsQuestion>) => {
    const next = writeQuestion({ ...question, ...change })
    setSearch(next, { replace: `${new URLSearchParams(next)}` === `${search}` })
  }
  return (
    <Page
      title="Analytics"
      lead="Message volumes and outcomes. A message counts on the day it was created; delivered and read may still rise."
      action={
        <ExportAnalytics
          shown={
            analytics.data && !analytics.isPlaceholderData
              ? { data: analytics.data.data, groupBy: analytics.data.asked.groupBy }
              : null
          }
        />
      }
    >
      <search className="toolbar">
        <FilterSelect
          label="Group by"
          options={groupOptions}
          value={question.groupBy}
          onChange={(event) => ask({ groupBy: event.target.value as Grouping })}
        />
        <RangeChoice span={question.span} today={today} onChoose={(span) => ask({ span })} />
      </search>
      <QueryView query={analytics} shape="figures">
        {(answered) => <Figures answered={answered} before={before} />}
      </QueryView>
      {maySeeCosts && <CostBlock {...dayRange(question.span, today)} />}
      {analytics.data && <TemplateBlock {...analytics.data.asked} />}
      <ServiceTimes {...serviceRange(question.span, today)} />
      <SameByCode>
        <CodeBlock title="The same figures" samples={getSamples(world, path)} />
      </SameByCode>
    </Page>
  )
}

type FiguresProps = { answered: Answered; before: Analytics['totals'] | null }

function Figures({ answered: { data, asked }, before }: FiguresProps) {
  if (data.totals.created + data.totals.received === 0) {
    return (
      <EmptyState icon="analytics" title={`No messages ${spanWords(asked.span)}`}>
        <p>Volumes, speed and delivery rates appear here once messages are sent or received.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <Totals totals={data.totals} before={before} />
      <DailyCharts data={data} apiPath={asked.path} isGrowing={asked.isGrowing} />
      <div className="analytics-pair">
        <Funnel totals={data.totals} />
        <Failures data={data} isGrowing={asked.isGrowing} />
      </div>
      {asked.groupBy !== 'template' && <GroupTable data={data} groupBy={asked.groupBy} isGrowing={asked.isGrowing} />}
    </>
  )
}

/** The totals of the days before. They come later, and never stand beside the figures of another range. */
function usePrevious(answered: Answered | undefined): Analytics['totals'] | null {
  const query = answered && previousQuery(answered.data, answered.asked.isGrowing)
  const previous = useQuery({
    queryKey: ['analytics', 'before', query],
    queryFn: query ? ({ signal }) => call(api.GET('/console/api/analytics', { params: { query }, signal })) : skipToken,
  })
  return comparable(previous.data?.totals)
}

function spanWords(span: AnalyticsQuestion['span']): string {
  return typeof span === 'number' ? `in the last ${span} days` : `from ${span.from} to ${span.to}`
}
