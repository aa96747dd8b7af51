import { kysely } from '../engine/cursor.ts'
import type { Listing } from '../engine/list.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

const changingColumns = {
  category: 'text',
  /** The category the platform has announced for later. */
  next_category: 'text?',
  parameter_format: 'text',
  components: 'text',
  variables: 'text',
  message_send_ttl_seconds: 'int?',
  search_text: 'text',
  status: 'text',
  status_reason: 'text?',
  previous_status: 'text?',
  quality: 'text?',
  pending_edit: 'text?',
  channel_template_id: 'text?',
  /** Counts the contents from 1. */
  version: 'int',
  /** Counts everything that ever happened to it. */
  change_count: 'int',
  updated_at: 'int',
  submitted_at: 'int?',
  reviewed_at: 'int?',
  /** Time of the platform's last status report, by our clock. */
  reported_at: 'int?',
} as const

export const templateColumns = {
  id: 'text',
  account_id: 'text',
  /** Empty while the account has no channel. */
  channel_id: 'text',
  channel_kind: 'text',
  name: 'text',
  language: 'text',
  source: 'text',
  created_at: 'int',
  ...changingColumns,
  last_used_at: 'int?',
  revision: 'int',
} as const

export type TemplateRow = RowOf<typeof templateColumns>
const templateColumnList = Object.keys(templateColumns).join(', ')

/** Fails the unit when the channel has a living template of this name and language. */
export const insertTemplate = operation({
  name: 'templates.insert',
  input: templateColumns,
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'channels',
  sql: `insert into templates (${templateColumnList}) select ${templateColumnList} from rows where true
        on conflict (account_id, channel_id, name, language) where status <> 'deleted' do nothing
        returning id`,
})

/** Changes a template only if nobody else has since it was read. Its use is noted apart from that. */
export const updateTemplate = operation({
  name: 'templates.update',
  input: { id: 'text', ...changingColumns, revision: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update templates set ${Object.keys(changingColumns)
    .map((column) => `${column} = rows.${column}`)
    .join(', ')}, revision = templates.revision + 1
        from rows where templates.id = rows.id and templates.revision = rows.revision
        returning templates.id`,
})

/**
 * Sends of one template meet here by the thousand. Grouped inside the statement, and written at most once a minute, so
 * that they do not queue for one row.
 */
export const noteUse = operation({
  name: 'templates.note_use',
  input: { id: 'text', at: 'int' },
  ctes: 'latest as (select id, max(at) as at from rows group by id)',
  sql: `update templates set last_used_at = latest.at from latest
        where templates.id = latest.id and (templates.last_used_at is null or templates.last_used_at < latest.at - 60000)`,
})

/** The catalog of an account that had no channel; it makes way for that of its first one. */
export const deleteUnattached = operation({
  name: 'templates.delete_unattached',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `delete from templates where channel_id = '' and account_id in (select account_id from rows)`,
})

/** To be run before it: afterwards nobody knows whose history it was. */
export const deleteUnattachedHistory = operation({
  name: 'template_changes.delete_unattached',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `delete from template_changes where template_id in (
          select id from templates where channel_id = '' and account_id in (select account_id from rows))`,
})

/** Deletes a template that the platform rejected; nobody has seen it. */
export const deleteDraft = operation({
  name: 'templates.delete_draft',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  wakes: 'channels',
  sql: `delete from templates where status = 'draft' and channel_template_id is null and id in (select id from rows)
        returning id, account_id`,
})

export const findTemplateById = query({
  name: 'templates.by_id',
  params: { account_id: 'text', id: 'text' },
  returns: templateColumns,
  sql: `select ${templateColumnList} from templates where id = :id and account_id = :account_id`,
})

/** Every language of a name; those of all channels when `channel_id` is empty. */
export const findTemplatesByName = query({
  name: 'templates.by_name',
  params: { account_id: 'text', channel_id: 'text', name: 'text' },
  returns: templateColumns,
  sql: `select ${templateColumnList} from templates
        where account_id = :account_id and name = :name and status <> 'deleted'
          and (:channel_id = '' or channel_id = :channel_id)
        order by language, id`,
})

/** For the name that was meant when there is none of this one. */
export const findTemplateNames = query({
  name: 'templates.names',
  params: { account_id: 'text', channel_id: 'text' },
  returns: { name: 'text' },
  lane: 'list',
  sql: `select distinct name from templates
        where account_id = :account_id and channel_id = :channel_id and status <> 'deleted' order by name limit 1000`,
})

/** Submitted templates of other names with this body, in lower case. `search_text` is the name, a line end and the body. */
export const findTemplatesSaying = query({
  name: 'templates.saying',
  params: { account_id: 'text', channel_id: 'text', name: 'text', body: 'text' },
  returns: templateColumns,
  lane: 'list',
  sql: `select ${templateColumnList} from templates
        where account_id = :account_id and channel_id = :channel_id and name <> :name
          and status not in ('draft', 'rejected', 'deleted') and substr(search_text, length(name) + 2) = :body
        order by name, language`,
})

export const findTemplatesOfChannel = query({
  name: 'templates.of_channel',
  params: { account_id: 'text', channel_id: 'text' },
  returns: templateColumns,
  lane: 'list',
  sql: `select ${templateColumnList} from templates
        where account_id = :account_id and channel_id = :channel_id and status <> 'deleted'
        order by name, language`,
})

/** Also of those that were deleted. */
export const findCatalogNames = query({
  name: 'templates.catalog_names',
  params: { account_id: 'text', channel_id: 'text' },
  returns: { name: 'text', language: 'text' },
  lane: 'list',
  sql: `select name, language from templates
        where account_id = :account_id and channel_id = :channel_id and (source = 'catalog' or status <> 'deleted')`,
})

/** Also deleted ones: the platform still speaks of them. The youngest comes first. */
export const findTemplateAtPlatform = query({
  name: 'templates.at_platform',
  params: { account_id: 'text', channel_template_id: 'text' },
  returns: templateColumns,
  sql: `select ${templateColumnList} from templates
        where account_id = :account_id and channel_template_id = :channel_template_id order by created_at desc limit 1`,
})

export const countTemplates = query({
  name: 'templates.count',
  params: {},
  returns: { status: 'text', total: 'int' },
  lane: 'list',
  sql: 'select status, count(*) as total from templates group by status',
})

export type TemplateFilters = {
  /** Null: everything but deleted ones. */
  statuses: readonly string[] | null
  category: string | null
  language: string | null
  name: string | null
  /** In name or body, in any letter case. */
  search: string | null
  source: string | null
}

/** By name, language and id. */
export function templateListing(accountId: string, filters: TemplateFilters): Listing<TemplateRow> {
  const { statuses, category, language, name, search, source } = filters
  const { sql } = kysely()
  const pattern = search && `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return {
    table: 'templates',
    columns: Object.keys(templateColumns)
      .map((column) => `r.${column}`)
      .join(', '),
    key: ['id'],
    along: name === null ? ['name', 'language', 'id'] : ['language', 'id'],
    order: 'asc',
    time: null,
    fixed: { account_id: accountId, ...(name !== null && { name }) },
    filters: [
      statuses ? sql`r.status in (${sql.join([...statuses])})` : sql`r.status <> 'deleted'`,
      ...(category === null ? [] : [sql`r.category = ${category}`]),
      ...(language === null ? [] : [sql`r.language = ${language}`]),
      ...(source === null ? [] : [sql`r.source = ${source}`]),
      ...(pattern === null ? [] : [sql`r.search_text like ${pattern} escape '\\'`]),
    ],
  }
}
