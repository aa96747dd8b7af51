import { operation, query, type RowOf } from '../engine/operation.ts'

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

/** Of one template, newest first. */
export const readStatusChanges = query({
  name: 'template_changes.of_status',
  params: { account_id: 'text', template_id: 'text', since: 'int' },
  returns: { cause: 'text', diff: 'text', at: 'int' },
  sql: `select cause, diff, at from template_changes
        where template_id = :template_id and account_id = :account_id and kind = 'status' and at > :since
        order by number desc`,
})

/** Of the templates that had a name and language, newest first. */
export const readDeletions = query({
  name: 'template_changes.deletions',
  params: { account_id: 'text', channel_id: 'text', name: 'text', language: 'text', since: 'int' },
  returns: { diff: 'text', at: 'int' },
  sql: `select c.diff, c.at from templates t join template_changes c on c.template_id = t.id
        where t.account_id = :account_id and t.channel_id = :channel_id and t.name = :name and t.language = :language
          and t.status = 'deleted' and c.kind = 'status' and c.status = 'deleted' and c.at > :since
        order by c.at desc`,
})
