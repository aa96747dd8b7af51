import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const columns = { subject: 'text', topic: 'text', account_id: 'text', value: 'text', at: 'int' } as const

export const findToldStates = query({
  name: 'told_states.find',
  params: { subject: 'text' },
  returns: { topic: 'text', value: 'text', at: 'int' },
  sql: 'select topic, value, at from told_states where subject = :subject',
})

/** What a person of the account should know of: told at some time and not over, or a number that changed lately. */
export const listToldStates = query({
  name: 'told_states.of_account',
  params: { account_id: 'text', changed_since: 'int' },
  returns: { subject: 'text', topic: 'text', value: 'text', previous: 'text?', at: 'int' },
  sql: `select subject, topic, value, previous, at from told_states
        where account_id = :account_id and (
          (topic in ('standing', 'connection') and value <> 'ok')
          or (topic in ('quality', 'limit', 'name', 'throughput') and previous is not null and at >= :changed_since)
          or (topic = 'username' and at >= :changed_since))`,
})

/** A state is told once: a process that finds it changed since it was read tells nothing. What it follows from wakes the console. */
export const tellState = operation({
  name: 'told_states.tell',
  input: { ...columns, previous: 'text?' },
  key: ['subject', 'topic'],
  returns: { subject: 'text', topic: 'text' },
  required: true,
  sql: `insert into told_states (subject, topic, account_id, value, at)
        select subject, topic, account_id, value, at from rows where true
        on conflict (subject, topic) do update set value = excluded.value, previous = told_states.value, at = excluded.at
        where told_states.value = (select rows.previous from rows
          where rows.subject = excluded.subject and rows.topic = excluded.topic)
        returning subject, topic`,
})

/** What was told of a channel and its numbers goes with the channel. */
export const forgetToldStates = operation({
  name: 'told_states.forget',
  input: { channel_id: 'text' },
  key: ['channel_id'],
  sql: `delete from told_states where subject in (
          select channel_id from rows
          union all select n.id from numbers n join rows on n.channel_id = rows.channel_id)`,
})

/** A payment is reported for days, a channel for as long as it is there. */
export const expireToldPayments = expireBefore({
  table: 'told_states',
  key: ['subject', 'topic'],
  time: 'at',
  only: "topic = 'payment'",
})
