import { operation, query, type RowOf } from './operation.ts'

export const templateChangeColumns = {
  template_id: 'text',
  number: 'int',
  account_id: 'text',
  kind: 'text',
  cause: 'text',
  status: 'text',
  version: 'int',
  diff: 'text',
  content: 'text?',
  at: 'int',
} as const

export type TemplateChangeRow = RowOf<typeof templateChangeColumns>
const columns = Object.keys(templateChangeColumns).join(', ')

export const insertTemplateChange = operation({
  name: 'template_changes.insert',
  input: templateChangeColumns,
  key: ['template_id', 'number'],
  sql: `insert into template_changes (${columns}) select ${columns} from rows`,
})

export const deleteHistory = operation({
  name: 'template_changes.delete',
  input: { template_id: 'text' },
  key: ['template_id'],
  sql: 'delete from template_changes where template_id in (select template_id from rows)',
})

/** Newest first. */
export const readTemplateChanges = query({
  name: 'template_changes.read',
  params: { account_id: 'text', template_id: 'text', count: 'int' },
  returns: templateChangeColumns,
  sql: `select ${columns} from template_changes where template_id = :template_id and account_id = :account_id
        order by number desc limit :count`,
})
