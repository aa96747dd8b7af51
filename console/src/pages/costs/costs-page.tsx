import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import {
  type Cost,
  type Costs,
  csvRows,
  daysBefore,
  daysOf,
  differenceOf,
  formatCost,
  type Grouping,
  groupOptions,
  lastMonths,
  type Month,
  monthName,
  monthOf,
  readGrouping,
  readMonth,
} from '../../components/costs/cost-figures.ts'
import { CostTable } from '../../components/costs/cost-table.tsx'
import { Button } from '../../components/form/button.tsx'
import { FilterSelect } from '../../components/form/field.tsx'
import { formatChange, formatNumber } from '../../components/format-number.ts'
import { Page, SameByCode } from '../../components/page.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { download } from '../../components/table/download.ts'
import { toCsv } from '../../components/table/to-csv.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { BudgetsSection } from './budgets-section.tsx'
import { TierTable } from './tier-table.tsx'

type Answered = { data: Costs; month: Month; grouping: Grouping }

/** What a month costs, beside the month before. */
export default function CostsPage() {
  const world = useSampleWorld()
  const [search, setSearch] = useSearchParams()
  const now = new Date()
  const current = monthOf(now)
  const month = readMonth(search.get('month'), current)
  const grouping = readGrouping(search.get('group_by'))
  const query = { ...daysOf(month), group_by: [grouping] }
  const costs = useQuery({
    queryKey: ['costs', query],
    queryFn: async ({ signal }): Promise<Answered> => ({
      data: await call(api.GET('/console/api/costs', { params: { query }, signal })),
      month,
      grouping,
    }),
    placeholderData: keepPreviousData,
  })
  const days = daysBefore(month, current, now)
  const before = useQuery({
    queryKey: ['costs', 'before', days],
    queryFn: ({ signal }) => call(api.GET('/console/api/costs', { params: { query: days }, signal })),
  })
  const ask = (change: { month?: string; group_by?: string }) =>
    setSearch({ month, group_by: grouping, ...change }, { replace: false })
  const path = `/v1/chat/costs?${new URLSearchParams({ from: query.from, to: query.to, group_by: grouping })}`
  return (
    <Page
      title="Costs"
      lead="Cost of delivered messages, by Meta's rate cards that you import. Taxes, and partners' fees and discounts, are not included."
      action={
        <Button
          icon="download"
          disabled={!costs.data || costs.isPlaceholderData}
          onClick={() => costs.data && exportCsv(costs.data)}
        >
          Export CSV
        </Button>
      }
    >
      <search className="toolbar">
        <FilterSelect
          label="Month"
          options={lastMonths(current).map((value) => ({ value, label: monthName(value) }))}
          value={month}
          onChange={(event) => ask({ month: event.target.value })}
        />
        <FilterSelect
          label="Group by"
          options={groupOptions}
          value={grouping}
          onChange={(event) => ask({ group_by: event.target.value })}
        />
      </search>
      <QueryView query={costs} shape="figures">
        {(answered) => (
          <Figures
            answered={answered}
            // Figures of another month are no comparison.
            before={answered.month === month ? (before.data?.totals ?? null) : null}
            isGrowing={month === current}
          />
        )}
      </QueryView>
      <TierTable tiers={costs.data?.data.volume_tiers ?? []} />
      <BudgetsSection currencies={(costs.data?.data.totals ?? []).flatMap(({ currency }) => currency ?? [])} />
      <SameByCode>
        <CodeBlock title="The same figures" samples={getSamples(world, path)} />
      </SameByCode>
    </Page>
  )
}

type FiguresProps = { answered: Answered; before: readonly Cost[] | null; isGrowing: boolean }

function Figures({ answered: { data, month, grouping }, before, isGrowing }: FiguresProps) {
  if (data.totals.length === 0) {
    return (
      <EmptyState icon="coins" title={`Nothing was delivered in ${monthName(month)}`}>
        <p>Meta charges for delivered messages. Costs appear here after the first delivery.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <Unpriced totals={data.totals} />
      {data.totals.map((cost) => (
        <Sum
          key={cost.currency}
          cost={cost}
          before={before?.find(({ currency }) => currency === cost.currency)}
          isGrowing={isGrowing}
        />
      ))}
      <CostTable data={data} grouping={grouping} />
      <p className="small muted">
        A message counts on the day it arrived. Days begin at midnight in {data.time_zones.join(', ')}.
        {data.groups_left_out > 0 && ` ${countOf(data.groups_left_out, 'smaller group')} are not shown.`}
      </p>
    </>
  )
}

/** Why an amount is missing, and who can do something about it. */
function Unpriced({ totals }: { totals: readonly Cost[] }) {
  const mayImport = useMay('rates:write')
  const unpriced = totals.reduce((sum, cost) => sum + cost.unpriced, 0)
  if (unpriced === 0) return null
  const unknown = totals.some(({ currency }) => currency === null)
  return (
    <Notice tone="warn" icon="alert">
      <p>
        {countOf(unpriced, 'message')} without a price:{' '}
        {unknown
          ? 'Meta has not reported the currency of the account yet. The next check of the phone number asks for it.'
          : 'no rate card has a rate for their day, country and category.'}{' '}
        {mayImport && <Link to="/settings/rates">Rate cards</Link>}
      </p>
    </Notice>
  )
}

type SumProps = { cost: Cost; before: Cost | undefined; isGrowing: boolean }

function Sum({ cost, before, isGrowing }: SumProps) {
  const change = before?.amount && cost.amount ? formatChange(Number(cost.amount), Number(before.amount)) : null
  const span = isGrowing ? 'up to this day of the month before' : 'the month before'
  const was = before?.amount && `was ${formatCost(before)} ${span}`
  const figures = [
    {
      name: cost.currency === null ? 'Cost' : `Cost in ${cost.currency}`,
      value: formatCost(cost),
      detail: [change, was],
    },
    {
      name: "Meta's own figure",
      value: formatCost({ currency: cost.currency, amount: cost.reported }),
      detail: [differenceOf(cost) && `difference ${differenceOf(cost)}`, 'approximate, updated once a day'],
    },
    {
      name: 'Messages with a price',
      value: formatNumber(cost.priced),
      detail: [before && `was ${formatNumber(before.priced)}`],
    },
    {
      name: 'Free messages',
      value: formatNumber(cost.free),
      detail: [before && `was ${formatNumber(before.free)}`, `${formatNumber(cost.unpriced)} without a price`],
    },
  ]
  return (
    <dl className="figures figures-four">
      {figures.map(({ name, value, detail }) => (
        <div key={name} className="card figure">
          <dt>{name}</dt>
          <dd>
            <span className="big-number">{value}</span>
            <span className="small muted">{detail.filter(Boolean).join(' · ') || '\u00A0'}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function exportCsv({ data, month, grouping }: Answered): void {
  download(toCsv(csvRows(data, grouping)), `costs-${month}-by-${grouping}.csv`, 'text/csv')
}
