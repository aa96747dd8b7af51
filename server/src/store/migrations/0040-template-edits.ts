import type { Migration } from './migration.ts'

/** An approved template that is edited stays in use, so the edit waits for its review beside the approved content. */
export const templateEdits: Migration = {
  id: 40,
  name: 'template edits',
  statements: ['alter table templates add column pending_edit text'],
}
