import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { type Costs, formatCost } from '../../components/costs/cost-figures.ts'
import { CostTable } from '../../components/costs/cost-table.tsx'
import { FilterSelect, type Option } from '../../components/form/field.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { QueryView } from '../../components/query-view.tsx'

const groupings = ['pricing_category', 'country'] as const
const options: readonly Option[] = [
  { value: 'pricing_category', label: 'By category' },
  { value: 'country', label: 'By country' },
]

/** What the messages of these days cost, and where. The month, its budgets and its tiers have a page of their own. */
export function CostBlock({ from, to }: { from: string; to: string | undefined }) {
  const [grouping, setGrouping] = useState<(typeof groupings)[number]>('pricing_category')
  const query = { from, ...(to === undefined ? {} : { to }), group_by: [grouping] }
  const costs = useQuery({
    queryKey: ['costs', 'analytics', query],
    queryFn: async ({ signal }) => ({
      data: await call(api.GET('/console/api/costs', { params: { query }, signal })),
      grouping,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="stack page-section" aria-labelledby="cost">
      <div className="row row-apart">
        <h2 id="cost">Cost</h2>
        <span className="row">
          <FilterSelect
            label="Costs by"
            options={options}
            value={grouping}
            onChange={({ target }) => setGrouping(groupings.find((one) => one === target.value) ?? 'pricing_category')}
          />
          <Link to="/costs">See the month</Link>
        </span>
      </div>
      <QueryView query={costs}>
        {({ data, grouping: shown }) =>
          data.totals.length === 0 ? (
            <p className="muted">Nothing was delivered in this time.</p>
          ) : (
            <>
              <CostTable data={data} grouping={shown} />
              <p className="small muted">{sumOf(data)}</p>
            </>
          )
        }
      </QueryView>
    </section>
  )
}

function sumOf({ totals, time_zones: zones }: Costs): string {
  const known = totals.filter(({ amount }) => amount !== null)
  const unpriced = totals.reduce((sum, one) => sum + one.unpriced, 0)
  const sum = known.length === 0 ? 'No rate card' : `${known.map(formatCost).join(' + ')} in all`
  const missing = unpriced === 0 ? '' : `, ${formatNumber(unpriced)} messages without a price`
  return `${sum}${missing}. A message counts on the day it arrived; days begin at midnight in ${zones.join(', ')}.`
}
