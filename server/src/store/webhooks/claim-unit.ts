import type { Engine } from '../engine/dialect.ts'
import type { RowOf } from '../engine/operation.ts'
import { Unit, type UnitResult } from '../engine/unit.ts'
import { type ClaimedDelivery, claimDeliveries, type claimInput, lockWebhooks, spendRate } from './webhook-claims.ts'

export type ClaimRow = RowOf<typeof claimInput>

export type ClaimResult = {
  deliveries: ClaimedDelivery[]
  /** Another process was claiming from one of the webhooks at the same time; its deliveries were left out. */
  contested: boolean
}

/**
 * The statements of one claim and the reader of their result. On PostgreSQL, where nodes compete, the locks of the
 * webhooks are taken first and their rate limits are spent last; SQLite has one writer and needs neither.
 */
export function claimUnit(engine: Engine, rows: readonly ClaimRow[]): [Unit, (result: UnitResult) => ClaimResult] {
  const unit = new Unit()
  const nodesCompete = engine === 'postgres'
  const turns = nodesCompete ? unit.add(lockWebhooks, ...rows.map(({ webhook_id }) => ({ webhook_id }))) : null
  const slot = unit.add(claimDeliveries[engine], ...rows)
  const paced = rows.flatMap(({ webhook_id, per_second, now, claim }) =>
    per_second === null ? [] : [{ webhook_id, per_second, now, claim }],
  )
  if (nodesCompete && paced.length > 0) unit.add(spendRate, ...paced)
  const read = (result: UnitResult): ClaimResult => {
    const taken = turns === null ? rows.length : countWords(result.first(turns)?.turns ?? '')
    return { deliveries: result.rows(slot), contested: taken < rows.length }
  }
  return [unit, read]
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}
