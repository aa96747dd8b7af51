import { operator } from '../../server/src/audit/audit.ts'
import { everyAccount, importRates } from '../../server/src/costs/rate-cards.ts'
import type { Runtime } from '../../server/src/runtime.ts'

const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }

/** A card in the currency of the sandbox, for all accounts: without one no budget can be set. */
export async function importSampleRates(rt: Runtime): Promise<void> {
  const card = { name: 'rates.csv', from: '2026-01-01', text: 'Market,Currency,Utility\nPortugal,USD,0.01' }
  await importRates(rt, everyAccount, card, author)
}

export const sampleBudget = { name: 'Marketing', limit: '500', period: 'month', currency: 'USD' }
