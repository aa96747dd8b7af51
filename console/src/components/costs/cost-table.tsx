import { formatNumber } from '../format-number.ts'
import { type Column, Table } from '../table/table.tsx'
import {
  type Cost,
  type Costs,
  differenceOf,
  formatCost,
  type Grouping,
  groupNames,
  missingNames,
  nameOf,
} from './cost-figures.ts'

type Row = { id: string; value: string | null; cost: Cost }

const reportedColumns: Column<Row>[] = [
  {
    id: 'reported',
    title: 'Meta',
    number: true,
    order: ({ cost }) => (cost.reported === null ? null : Number(cost.reported)),
    cell: ({ cost }) => formatCost({ currency: cost.currency, amount: cost.reported }),
  },
  { id: 'difference', title: 'Difference', number: true, cell: ({ cost }) => differenceOf(cost) ?? '–' },
]

/** The most expensive first, a row for each currency. */
export function CostTable({ data, grouping }: { data: Costs; grouping: Grouping }) {
  const rows = data.groups.flatMap(({ group, costs }): Row[] =>
    costs.map((cost) => {
      const value = group[grouping] ?? null
      return { id: `${value ?? ''} ${cost.currency ?? ''}`, value, cost }
    }),
  )
  const count = (id: 'priced' | 'free' | 'unpriced', title: string): Column<Row> => ({
    id,
    title,
    number: true,
    order: ({ cost }) => cost[id],
    cell: ({ cost }) => formatNumber(cost[id]),
  })
  const columns: Column<Row>[] = [
    {
      id: 'group',
      title: groupNames[grouping],
      order: ({ value }) => value && nameOf(grouping, value),
      cell: ({ value }) =>
        value === null ? (
          <span className="muted">{missingNames[grouping]}</span>
        ) : (
          <span className="break">{nameOf(grouping, value)}</span>
        ),
    },
    {
      id: 'amount',
      title: 'Cost',
      number: true,
      corner: true,
      order: ({ cost }) => (cost.amount === null ? null : Number(cost.amount)),
      cell: ({ cost }) => formatCost(cost),
    },
    ...(rows.some(({ cost }) => cost.reported !== null) ? reportedColumns : []),
    count('priced', 'With a price'),
    count('free', 'Free'),
    count('unpriced', 'Without a price'),
  ]
  return (
    <div className="table-box">
      <Table
        caption={`Costs by ${groupNames[grouping].toLowerCase()}`}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
      />
    </div>
  )
}
