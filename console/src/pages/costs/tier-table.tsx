import { type Costs, monthName, nameOf, tierWords } from '../../components/costs/cost-figures.ts'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'

type Tier = Costs['volume_tiers'][number]

const columns: Column<Tier>[] = [
  {
    id: 'region',
    title: 'Market',
    order: ({ region }) => region,
    cell: ({ region }) => <span className="break">{region}</span>,
  },
  {
    id: 'category',
    title: 'Category',
    cell: ({ category }) => <span className="break">{nameOf('pricing_category', category)}</span>,
  },
  { id: 'tier', title: 'Messages of the month', cell: ({ tier }) => tierWords(tier) },
  { id: 'month', title: 'Month', cell: ({ month }) => monthName(month) },
  { id: 'waba', title: 'Account', cell: ({ waba_id: id }) => <span className="mono">{id}</span> },
  { id: 'since', title: 'Since', cell: ({ since }) => <DayOf at={since} /> },
]

/** The volume tiers that Meta reports: information, from which no price is computed. */
export function TierTable({ tiers }: { tiers: readonly Tier[] }) {
  if (tiers.length === 0) return null
  return (
    <section className="stack stack-tight page-section" aria-labelledby="tiers">
      <h2 id="tiers">Volume tiers</h2>
      <p className="small muted">
        As reported by Meta. Costs, estimates and budgets use the list rate: within a tier, Meta charges less.
      </p>
      <div className="table-box">
        <Table
          caption="Volume tiers"
          columns={columns}
          rows={tiers}
          idOf={({ waba_id, month, category, region }) => `${waba_id} ${month} ${category} ${region}`}
        />
      </div>
    </section>
  )
}
