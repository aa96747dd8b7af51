import { operator } from '../audit/audit.ts'
import { addConnection as add, type NewConnection, requireConnection } from '../connections/change-connection.ts'
import type { StoredConnection } from '../connections/connection.ts'
import type { Runtime } from '../runtime.ts'
import { findOwner } from '../store/accounts/users.ts'
import { listConnections as list } from '../store/connections/connections.ts'

/** Connections of tools, their callback addresses, and what was passed on to them. */
export {
  pauseCallback,
  removeCallback,
  resumeCallback,
  setCallback,
  verifyCallback,
} from '../connections/callback-address.ts'
export {
  changeOptions,
  deleteConnection,
  prepareAppSecret,
  requireConnection,
  rotateToken,
  switchAppSecret,
} from '../connections/change-connection.ts'
export { describeConnection, type StoredConnection } from '../connections/connection.ts'
export { listDeliveries } from '../webhooks/replay/list-deliveries.ts'
export { replayDeliveries } from '../webhooks/replay/replay-deliveries.ts'

/** In the name of the owner of its account. */
export async function addConnection(rt: Runtime, input: Omit<NewConnection, 'createdBy' | 'actor'>) {
  const [owner] = await rt.store.read(findOwner, { account_id: input.accountId })
  return add(rt, { ...input, createdBy: owner?.id ?? '', actor: operator })
}

export async function listConnections(rt: Runtime, accountId: string): Promise<StoredConnection[]> {
  const rows = await rt.store.read(list, { account_id: accountId })
  return Promise.all(rows.map(({ id }) => requireConnection(rt, accountId, id)))
}
