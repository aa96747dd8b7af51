import type { TableStatements } from './table-statements.ts'

/** Sends that wait for their time or for room, and which process sends for which number. */
export const waiting: TableStatements = {
  statements: [
    // One row for each message with status waiting, deleted in the unit that starts, cancels or ends it: the one that
    // deletes it decides. rank 0 is a one-time code, which goes first. held is 1 until a person says that it may go.
    `create table waiting_sends (
      message_id {key} primary key,
      account_id {key} not null,
      number_id {key} not null,
      key_id {key},
      client_reference {key},
      rank bigint not null,
      due_at bigint not null,
      expires_at bigint not null,
      attempts bigint not null,
      held bigint not null,
      request text not null
    )`,
    'create index waiting_sends_due on waiting_sends (number_id, rank, due_at, message_id) where held = 0',
    'create index waiting_sends_account on waiting_sends (account_id, client_reference, message_id)',
    'create index waiting_sends_expiry on waiting_sends (expires_at)',
    `create table send_lanes (
      number_id {key} primary key,
      claim {key} not null,
      lease_until bigint not null
    )`,
  ],
}
