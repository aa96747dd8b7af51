import type { RowOf } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'
import { Unit, type UnitResult } from '../engine/unit.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type claimInput,
  lockWebhooks,
  readClaimed,
  spendRate,
} from './delivery-claims.ts'

export type ClaimRow = RowOf<typeof claimInput>

export type ClaimResult = {
  deliveries: ClaimedDelivery[]
  /** Another process was claiming from one of the webhooks at the same time; its deliveries were left out. */
  contested: boolean
}

/**
 * The statements of one claim and the reader of their result. Where nodes compete, the locks of the webhooks are taken
 * first and their rate limits are spent last; a store with one writer needs neither.
 */
export function claimUnit(
  { engine, shared }: Pick<Store, 'engine' | 'shared'>,
  rows: readonly ClaimRow[],
): [Unit, (result: UnitResult) => ClaimResult] {
  const unit = new Unit()
  const locks = shared ? unit.add(lockWebhooks, ...rows.map(({ webhook_id }) => ({ webhook_id }))) : null
  unit.add(claimDeliveries[engine], ...rows)
  const limited = rows.flatMap(({ webhook_id, per_second, now, claim }) =>
    per_second === null ? [] : [{ webhook_id, per_second, now, claim }],
  )
  if (shared && limited.length > 0) unit.add(spendRate, ...limited)
  const claims = unit.add(readClaimed, ...rows.map(({ webhook_id, claim }) => ({ webhook_id, claim })))
  const read = (result: UnitResult): ClaimResult => {
    const locked = locks === null ? rows.length : countWords(result.first(locks)?.locked ?? '')
    return { deliveries: result.rows(claims), contested: locked < rows.length }
  }
  return [unit, read]
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}
