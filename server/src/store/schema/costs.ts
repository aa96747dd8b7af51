import type { TableStatements } from './table-statements.ts'

/** What Meta charges, as operators import it. */
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
  ],
}
