import { type Mutant, mutantsOf } from './mutant.ts'

const recount = 'test/costs/cost-recount.test.ts'
const budgets = 'test/costs/budgets.test.ts'
const tiers = 'test/costs/volume-tiers.test.ts'
const parse = 'server/src/costs/parse-rates.test.ts'

export const costMutants: readonly Mutant[] = mutantsOf('costs', [
  ['cost1', 'server/src/messages/apply-statuses.ts', "context.channel.timeZone ?? 'UTC'", "'UTC'", recount],
  ['cost2', 'server/src/costs/price-of.ts', 'fromDay <= day', 'fromDay < day', recount],
  ['cost3', 'server/src/costs/price-of.ts', 'Number(b.isOwn) - Number(a.isOwn) || ', '', recount],
  ['cost4', 'server/src/costs/price-of.ts', 'if (facts.free) return 0', '', recount],
  [
    'cost5',
    'server/src/costs/parse-rates.ts',
    'this.currency !== null && this.currency !== currency',
    'this.currency === currency',
    parse,
  ],
  ['cost6', 'server/src/store/costs/price-days.ts', 'n = price_days.n + excluded.n', 'n = excluded.n', recount],
  [
    'cost7',
    'server/src/costs/parse-rates.ts',
    '.includes(written.toLowerCase())) return null',
    '.includes(written.toLowerCase())) return 0',
    parse,
  ],
  ['cost8', 'server/src/store/costs/volume-tiers.ts', 'where excluded.since < volume_tiers.since', '', tiers],
  [
    'budget1',
    'server/src/messages/apply-statuses.ts',
    "row.status === 'failed' ? addRelease(unit, row) : row",
    'row',
    budgets,
  ],
  ['budget2', 'server/src/budgets/terms.ts', 'calendarDayOf(now, timeZone)', "calendarDayOf(now, 'UTC')", budgets],
  ['budget3', 'server/src/budgets/follow-budgets.ts', 'add(day, -spent)', 'add(day, 0)', budgets],
  [
    'budget4',
    'server/src/store/costs/budgets.ts',
    'budget_periods.reserved + budget_periods.spent + excluded.reserved <=',
    'budget_periods.reserved + excluded.reserved <=',
    budgets,
  ],
  ['budget5', 'server/src/budgets/hold.ts', 'JSON.stringify(own) }', 'null }', budgets],
  ['budget6', 'server/src/budgets/budgets.ts', 'if (hasOtherLimit) unit', 'unit', budgets],
])
