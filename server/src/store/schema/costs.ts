import type { TableStatements } from './table-statements.ts'

/** Meta's rates, as imported by operators. */
export const costs: TableStatements = {
  statements: [
    // account_id is '' for a card of all accounts. content is JSON. A card that was replaced or removed stays, as history.
    `create table rate_cards (
      id {key} primary key,
      account_id {key} not null,
      kind {key} not null,
      currency {key} not null,
      from_day {key} not null,
      name text not null,
      content text not null,
      imported_at bigint not null,
      imported_by text not null,
      removed_at bigint,
      replaced_by {key}
    )`,
    'create index rate_cards_of_account on rate_cards (account_id, imported_at)',
    `create unique index rate_cards_in_use on rate_cards (account_id, kind, currency, from_day) where removed_at is null`,
    // What Meta counted and charged itself, by calendar day of the WABA. cost_micros is null where Meta tells no cost.
    `create table reported_days (
      account_id {key} not null,
      channel_id {key} not null,
      day bigint not null,
      country {key} not null,
      category {key} not null,
      type {key} not null,
      tier {key} not null,
      volume bigint not null,
      cost_micros bigint,
      fetched_at bigint not null,
      primary key (account_id, channel_id, day, country, category, type, tier)
    )`,
    'create index reported_days_age on reported_days (day)',
    // The volume tiers that Meta reports, each from the time at which it began. month is 2026-11, of the WABA.
    `create table volume_tiers (
      account_id {key} not null,
      channel_id {key} not null,
      month {key} not null,
      category {key} not null,
      region {key} not null,
      tier {key} not null,
      since bigint not null,
      primary key (account_id, channel_id, month, category, region, tier)
    )`,
    'create index volume_tiers_age on volume_tiers (since)',
    // What an account lets itself spend. key_id is '' for one of all its sends; counted tells one recount from the next.
    `create table budgets (
      id {key} primary key,
      account_id {key} not null,
      name text not null,
      key_id {key} not null,
      period {key} not null,
      currency {key} not null,
      limit_micros bigint not null,
      warn_at bigint not null,
      stop bigint not null,
      exempt text not null,
      created_at bigint not null,
      updated_at bigint not null,
      revision bigint not null,
      counted bigint not null default 0,
      counted_at bigint not null default 0
    )`,
    'create index budgets_of_account on budgets (account_id)',
    // A day or month of a budget, by its first day. What is reserved is with messages that are on their way.
    `create table budget_periods (
      budget_id {key} not null,
      period bigint not null,
      reserved bigint not null,
      spent bigint not null,
      warned_at bigint,
      exceeded_at bigint,
      primary key (budget_id, period)
    )`,
    'create index budget_periods_period on budget_periods (period)',
  ],
}
