import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { formatCost } from '../../components/costs/cost-figures.ts'
import { formatNumber } from '../../components/format-number.ts'

/** What this month has cost so far. Without messages there is nothing to say. */
export function CostsTile() {
  const costs = useQuery({
    queryKey: ['costs', 'tile'],
    queryFn: ({ signal }) => call(api.GET('/console/api/costs', { signal })),
  })
  const totals = costs.data?.totals ?? []
  if (totals.length === 0) return null
  const delivered = totals.reduce((sum, { priced, unpriced }) => sum + priced + unpriced, 0)
  const known = totals.filter(({ amount }) => amount !== null)
  return (
    <section className="card card-body home-spent" aria-label="Spent this month">
      <p>
        <Link to="/costs">Spent this month</Link>
        <span className="small muted block">{formatNumber(delivered)} delivered messages</span>
      </p>
      <strong className="big-number">{known.length > 0 ? known.map(formatCost).join(' + ') : 'No rate card'}</strong>
    </section>
  )
}
