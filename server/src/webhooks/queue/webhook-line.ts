import type { AuditEntry, Author } from '../../audit/audit.ts'

type Target = { id: string; account_id: string; url: string }

/** The line of the audit log about a change of a webhook; null where no person or key asked for it. */
export function webhookLine(
  author: Author | null,
  action: string,
  { id, account_id: accountId, url }: Target,
  metadata: Record<string, unknown> = {},
): AuditEntry | null {
  return author && { ...author, accountId, action, targets: [{ type: 'webhook', id, name: url }], metadata }
}
