import type { TableStatements } from './table-statements.ts'

/** Templates as the account's channels have them, and every change they went through. */
export const templates: TableStatements = {
  statements: [
    // channel_id is empty while an account has no channel: its catalog waits there. An approved template that is edited
    // stays in use, so pending_edit waits for its review beside the approved content.
    `create table templates (
      id {key} primary key,
      account_id {key} not null,
      channel_id {key} not null,
      channel_kind text not null,
      name {key} not null,
      language {key} not null,
      category text not null,
      next_category text,
      parameter_format text not null,
      components text not null,
      variables text not null,
      search_text text not null,
      status text not null,
      status_reason text,
      previous_status text,
      pending_edit text,
      quality text,
      source text not null,
      channel_template_id {key},
      message_send_ttl_seconds bigint,
      version bigint not null,
      change_count bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      submitted_at bigint,
      reviewed_at bigint,
      reported_at bigint,
      last_used_at bigint,
      revision bigint not null
    )`,
    `create unique index templates_name on templates (account_id, channel_id, name, language) where status <> 'deleted'`,
    'create index templates_list on templates (account_id, name, language, id)',
    'create index templates_at_platform on templates (account_id, channel_template_id) where channel_template_id is not null',
    // content is stored with each new version, so that any two can be compared.
    `create table template_changes (
      template_id {key} not null,
      number bigint not null,
      account_id {key} not null,
      kind text not null,
      cause text not null,
      status text not null,
      version bigint not null,
      diff text not null,
      content text,
      at bigint not null,
      primary key (template_id, number)
    )`,
    // When a channel's list was last requested; one row per channel, so that all nodes share the pause between two.
    `create table template_syncs (
      channel_id {key} primary key,
      account_id {key} not null,
      requested_at bigint not null,
      finished_at bigint
    )`,
  ],
}
