import type { TableStatements } from './table-statements.ts'

const dimensions = `direction {key} not null, type {key} not null, template {key} not null, category {key} not null,
      country {key} not null, phone_number {key} not null, api_key {key} not null`
// series says level and span in one number, so that the planner of PostgreSQL knows how many rows each has.
const place = 'account_id {key} not null, series bigint not null, start bigint not null'
const key = 'account_id, series, start, direction, type, template, category, country, phone_number, api_key'

const rollups = `create table message_rollups (
      ${place}, ${dimensions}, error_code {key} not null,
      created bigint not null, sent bigint not null, delivered bigint not null, read bigint not null,
      failed bigint not null, received bigint not null, replies bigint not null, taps bigint not null,
      primary key (${key}, error_code)
    )`
const values = `create table rollup_values (
      ${place}, ${dimensions}, kind {key} not null, value {key} not null,
      n bigint not null,
      primary key (${key}, kind, value)
    )`

/**
 * The tables behind analytics. Steps of messages are appended in the transaction of the change and folded into
 * roll-ups a moment later: see docs/analytics.md.
 */
export const analytics: TableStatements = {
  statements: [
    // created counts the message itself, with the first step that is counted of it.
    `create table analytics_steps (
      seq {serial},
      account_id {key} not null,
      quarter bigint not null,
      ${dimensions},
      language text not null default '',
      step text not null,
      created bigint not null default 0,
      amount bigint not null,
      error_code text not null,
      latency_bucket bigint,
      pricing text,
      price_day bigint,
      recipient {key},
      broadcast_id {key} not null default ''
    )`,
    // One row that a fold locks first, so that two never meet.
    'create table analytics_folds (id bigint primary key, folds bigint not null)',
    'insert into analytics_folds (id, folds) values (1, 0)',
    // A recipient's days as a chain: previous_day of each is the one before, or 0.
    `create table recipient_days (
      account_id {key} not null,
      recipient {key} not null,
      day bigint not null,
      fold bigint,
      primary key (account_id, recipient, day)
    )`,
    'create index recipient_days_age on recipient_days (day)',
    `create table recipient_gaps (
      account_id {key} not null,
      day bigint not null,
      previous_day bigint not null,
      n bigint not null,
      primary key (account_id, day, previous_day)
    )`,
    'create index recipient_gaps_age on recipient_gaps (day)',
    // Priced messages by the calendar day of their WABA on which they arrived, written as the start of that day in UTC. What they
    // cost is worked out when it is asked, with the rate card of that day.
    `create table price_days (
      account_id {key} not null,
      day bigint not null,
      type {key} not null,
      template {key} not null,
      category {key} not null,
      country {key} not null,
      phone_number {key} not null,
      api_key {key} not null,
      broadcast {key} not null,
      price_key {key} not null,
      n bigint not null,
      primary key (account_id, day, type, template, category, country, phone_number, api_key, broadcast, price_key)
    ) {rows_in_key}`,
    'create index price_days_age on price_days (day)',
    `create index price_days_of_broadcast on price_days (broadcast) where broadcast <> ''`,
    // How often each language of a template was used, day by day. The roll-ups know templates by name alone.
    `create table template_days (
      account_id {key} not null,
      template {key} not null,
      language {key} not null,
      day bigint not null,
      sent bigint not null,
      delivered bigint not null,
      read bigint not null,
      failed bigint not null,
      primary key (account_id, template, language, day)
    )`,
    'create index template_days_age on template_days (day)',
  ],
  // Rows in the order of their key: a range of time is one stretch of the file.
  sqlite: [`${rollups} without rowid`, `${values} without rowid`],
  postgres: [rollups, values],
}
