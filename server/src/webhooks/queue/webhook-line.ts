import type { AuditEntry, Author } from '../../audit/audit.ts'
import { maskQuery } from '../../lib/text/mask.ts'

type Target = { id: string; account_id: string; url: string }

/** The line of the audit log about a change of a webhook; null where no person or key asked for it. */
export function webhookLine(
  author: Author | null,
  action: string,
  { id, account_id: accountId, url }: Target,
  metadata: Record<string, unknown> = {},
): AuditEntry | null {
  const targets = [{ type: 'webhook', id, name: maskQuery(url) }]
  return author && { ...author, accountId, action, targets, metadata }
}
