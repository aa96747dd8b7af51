import type { AuditEntry, Author } from '../audit/audit.ts'
import type { StoredTemplate } from './stored-template.ts'

/** The line of the audit log about a change of a template; null where no person or key asked for it. */
export function templateLine(
  author: Author | null,
  action: string,
  { id, account_id: accountId, name, language }: Pick<StoredTemplate, 'id' | 'account_id' | 'name' | 'language'>,
  metadata: Record<string, unknown> = {},
): AuditEntry | null {
  const targets = [{ type: 'template', id, name: `${name} (${language})` }]
  return author && { ...author, accountId, action, targets, metadata }
}
