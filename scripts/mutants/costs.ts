import { type Mutant, mutantsOf } from './mutant.ts'

const recount = 'test/costs/cost-recount.test.ts'
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
])
