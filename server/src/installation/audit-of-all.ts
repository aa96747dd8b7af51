import { type Actor, installationLog, type Target } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { readAuditOfAll } from '../store/accounts/audit-log.ts'

const page = 100
/** Behind every id. */
const last = '~'

/**
 * What happened in all accounts, newest first: which kind of act, by whom as a kind. Names of people and customers, targets
 * and details belong to the account. Those of the installation are about accounts as a whole.
 */
export async function describeAuditOfAll(rt: Runtime, before: string | undefined) {
  const rows = await rt.store.read(readAuditOfAll, { before: before ?? last, count: page + 1 })
  const entries = rows.slice(0, page).map(({ id, account_id, account_name, action, occurred_at, entry }) => {
    const { actor, targets } = JSON.parse(entry) as { actor: Actor; targets: Target[] }
    const isOurs = actor.type === 'operator' || actor.type === 'gateway'
    return {
      ...{ id, at: formatInstant(occurred_at), account_id, account_name, action },
      target: account_id === installationLog ? (targets[0]?.name ?? null) : null,
      ...{ actor_type: actor.type, actor_name: isOurs ? actor.name : null },
    }
  })
  return { entries, more: rows.length > page }
}
