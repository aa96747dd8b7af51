import type { TableStatements } from './table-statements.ts'

const recipientColumns = `broadcast_id {key} not null,
      group_no bigint not null,
      place bigint not null,
      line bigint not null,
      address {key} not null,
      cells text not null,
      client_reference text,
      primary key (broadcast_id, group_no, place)`

/** One template to many recipients. What changes while it runs is one small row per group, and nothing per recipient. */
export const broadcasts: TableStatements = {
  statements: [
    // reason says why it is held or paused, since when, and until when it is held. taken counts the recipients whose turn has
    // come. template_mark tells whether the template is still the one it was started with. next_group is the first group
    // number of the next upload, uploading_until the lease of the one that runs; sequence counts its events.
    `create table broadcasts (
      id {key} primary key,
      account_id {key} not null,
      number_id {key} not null,
      name text not null,
      status text not null,
      reason text,
      reason_since bigint,
      hold_until bigint,
      template text not null,
      language text not null,
      components text not null,
      quiet_hours text,
      valid_for bigint not null,
      max_per_second bigint,
      message_events text,
      template_mark text,
      accepted bigint not null,
      taken bigint not null,
      next_group bigint not null,
      uploading_until bigint,
      start_at bigint,
      started_at bigint,
      expires_at bigint,
      ended_at bigint,
      key_id {key},
      created_at bigint not null,
      updated_at bigint not null,
      sequence bigint not null,
      revision bigint not null
    )`,
    'create index broadcasts_list on broadcasts (account_id, created_at, id)',
    "create index broadcasts_running on broadcasts (number_id, id) where status = 'running'",
    "create index broadcasts_scheduled on broadcasts (start_at) where status = 'scheduled'",
    'create index broadcasts_age on broadcasts (updated_at)',
    // Its recipients are in the groups from first_group on, up to the next upload's. They count from its last unit on, which
    // creates the groups. state is receiving, complete or dropped; what is dropped is deleted bit by bit.
    `create table broadcast_uploads (
      id {key} primary key,
      broadcast_id {key} not null,
      account_id {key} not null,
      state text not null,
      lease_until bigint,
      first_group bigint not null,
      last_group bigint not null,
      columns text not null,
      lines bigint not null,
      accepted bigint not null,
      invalid bigint not null,
      duplicates bigint not null,
      created_at bigint not null
    )`,
    'create index broadcast_uploads_of_broadcast on broadcast_uploads (broadcast_id, first_group)',
    "create index broadcast_uploads_open on broadcast_uploads (lease_until) where state <> 'complete'",
    // Rejected lines, up to 1,000 in a row.
    `create table broadcast_problems (
      upload_id {key} not null,
      page bigint not null,
      problems text not null,
      primary key (upload_id, page)
    )`,
    // Never changed. cells are the values of the line, in the order of the upload's columns.
    `create table broadcast_recipients (${recipientColumns}) {rows_in_key}`,
    // Recipients of one country and time zone: the first \`taken\` of them have had their turn.
    `create table broadcast_groups (
      broadcast_id {key} not null,
      group_no bigint not null,
      upload_id {key} not null,
      country text,
      zone text,
      size bigint not null,
      taken bigint not null,
      due_at bigint not null,
      done bigint not null,
      primary key (broadcast_id, group_no)
    )`,
    // Whose turn passed without a message, and why.
    `create table broadcast_skips (
      broadcast_id {key} not null,
      group_no bigint not null,
      place bigint not null,
      reason text not null,
      primary key (broadcast_id, group_no, place)
    )`,
  ],
}
