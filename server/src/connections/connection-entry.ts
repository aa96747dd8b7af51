import type { Actor, AuditContext, AuditEntry } from '../audit/audit.ts'
import type { ApiKeyRow } from '../store/accounts/api-keys.ts'
import type { ConnectionRow } from '../store/connections/connections.ts'

/** Who changes a connection, for the audit log. */
export type By = { actor: Actor; context?: AuditContext }

export type StoredConnection = { row: ConnectionRow; key: ApiKeyRow }

/** The line of the audit log about a change of a connection. */
export function entryOf({ row, key }: StoredConnection, by: By, action: string): AuditEntry {
  return { accountId: row.account_id, action, actor: by.actor, context: by.context, targets: [target(row, key)] }
}

export function target(row: ConnectionRow, key: ApiKeyRow) {
  return { type: 'connection', id: row.id, name: key.name }
}
