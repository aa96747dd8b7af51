import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileQuery, sqliteOperation } from '../../server/src/store/engine/dialect.ts'
import { listsQuery } from '../../server/src/store/engine/list.ts'
import { messageListing } from '../../server/src/store/messages/message-list.ts'
import { hotStatements } from '../support/hot-statements.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { faultsOf, readSchema, type Schema } from '../support/sqlite-plan.ts'
import { type Declared, declaredStatements } from '../support/statements.ts'

/** Statements for PostgreSQL alone. */
const foreign = [
  'quotas.take',
  'sends.require_remembered',
  'sends.reserve_number',
  'sends.reserve_customer',
  'sends.take_quota',
  'pacing.reserve',
  'blob_chunks.delete',
  'blob_chunks.insert',
  'blob_chunks.read',
  'webhook_states.spend_pace',
  'deliveries.take_turns',
]

/** Faults that are none, and why. */
const accepted: Record<string, { fault: RegExp; why: string }> = {
  'deliveries.waiting_webhooks': { fault: /TEMP B-TREE/, why: 'sorts the webhooks of one claim' },
  'deliveries.fan_out': { fault: /TEMP B-TREE/, why: 'sorts the webhooks of one account' },
  'webhook_states.count': { fault: /TEMP B-TREE/, why: 'groups the attempts of one unit' },
  'deliveries.claim': { fault: /SEARCH (held|other)/, why: 'what is under way to one webhook, at most its limit' },
  'deliveries.end': { fault: /SCAN/, why: 'an index of what ended a moment ago' },
  'delivery_queue.drop_ended': { fault: /SCAN/, why: 'an index of what ended a moment ago' },
  'callbacks.due_work': {
    fault: /SCAN callback_queue/,
    why: 'ends at the first without a lease',
  },
  'callbacks.claim': { fault: /lease_until/, why: 'passes over what is claimed, 32 of a process' },
  'customers.ensure': { fault: /TEMP B-TREE/, why: 'groups the recipients of one batch' },
  'waiting.due': { fault: /TEMP B-TREE FOR ORDER BY/, why: 'merges two turns, each in its order and bounded' },
  'broadcasts.running': { fault: /hold_until is not/, why: 'the running broadcasts of one number' },
  'broadcasts.reached': { fault: /broadcast_id is not/, why: 'what one customer was sent since the broadcast began' },
  'messages.insert_of_broadcast': { fault: /TEMP B-TREE FOR ORDER BY/, why: 'the addresses of one customer' },
  'messages.insert': { fault: /TEMP B-TREE FOR ORDER BY/, why: 'the addresses of one customer' },
  'messages.unsettled': { fault: /status is not/, why: 'what is settled has no time to settle by' },
  'templates.by_name': { fault: /(status|channel_id) is not/, why: 'the languages of one name' },
  'analytics_steps.next': { fault: /SCAN analytics_steps/, why: 'from the oldest on, with a limit' },
  'events.newest_foreign': { fault: /SCAN events/, why: 'the newest row' },
  'attempts.list': { fault: /SEARCH d|TEMP B-TREE/, why: 'the attempts of one delivery' },
  'request_log.delete_days': { fault: /SCAN/, why: 'from the oldest on, with a limit' },
  'request_log.count_not_sent': {
    fault: /(SEARCH (r|m) .* is not in the index)|TEMP B-TREE/,
    why: 'refused requests of a day are few, and 1,000 of them are counted',
  },
  'budgets.uncounted': { fault: /SCAN budgets/, why: 'budgets are few, and looked through once in a while' },
  'budgets.outdate': { fault: /SCAN budgets/, why: 'budgets are few, and cards for all accounts are rare' },
  'numbers.mark_rates': { fault: /SCAN numbers/, why: 'cards for all accounts are imported once a quarter' },
  'signing_keys.delete_retired': { fault: /SCAN/, why: 'a handful of keys' },
  'signing_keys.insert_first': { fault: /SCAN/, why: 'a handful of keys' },
  'signing_keys.list': { fault: /SCAN/, why: 'a handful of keys' },
  'signing_keys.retire': { fault: /SCAN/, why: 'a handful of keys' },
  'webhook_states.clear_overfull': { fault: /webhook_states_overfull/, why: 'only those that are too full' },
  'webhooks.claim_challenges': { fault: /AUTOMATIC/, why: 'webhooks are few, and a challenge is rare' },
}

let made: TestDatabase
let db: DatabaseSync
let schema: Schema
let all: Map<string, Declared>
beforeAll(async () => {
  made = await freshDatabase('sqlite')
  db = new DatabaseSync(made.database.kind === 'sqlite' ? made.database.path : '')
  schema = readSchema(db)
  all = await declaredStatements('sqlite')
})
afterAll(async () => {
  db.close()
  await made.remove()
})

function textOf(declared: Declared): string {
  return declared.kind === 'operation'
    ? sqliteOperation(declared.operation).text
    : compileQuery('sqlite', declared.query).text
}

function faults(name: string, text: string): string[] {
  const fine = accepted[name]?.fault
  return faultsOf(db, schema, text).filter((fault) => !fine?.test(fault))
}

describe('the plan of a statement on SQLite', () => {
  test('answers every condition from an index, without a scan or a sort, on the hot paths', () => {
    const found = hotStatements
      .filter((name) => !foreign.includes(name))
      .flatMap((name) => {
        const declared = all.get(name)
        if (!declared) return [`${name}: there is no such statement`]
        return faults(name, textOf(declared)).map((fault) => `${name}: ${fault}`)
      })
    expect(found).toEqual([])
  })

  test.each([
    ['of an account', {}],
    ['with one customer', { customerId: 'cus_1' }],
    ['with a reference', { clientReference: 'order-1' }],
  ])('answers a page of messages %s from an index', (_, filters) => {
    for (const order of ['asc', 'desc'] as const) {
      const stretch = { after: [1, 'out_1'], count: 50 }
      const { sql } = listsQuery('sqlite', [[messageListing('acc_1', filters, order), stretch]])
      expect(faultsOf(db, schema, sql)).toEqual([])
    }
  })

  test('reads no whole table on the writer or on the main thread', () => {
    const found = [...all].flatMap(([name, declared]) => {
      if (foreign.includes(name) || (declared.kind === 'query' && declared.query.lane === 'list')) return []
      return faults(name, textOf(declared))
        .filter((fault) => /SCAN|AUTOMATIC/.test(fault))
        .map((fault) => `${name}: ${fault}`)
    })
    expect(found).toEqual([])
  })

  test('of a delete or change by age or state is bounded', () => {
    const unbounded = [...all].flatMap(([name, declared]) => {
      if (declared.kind !== 'operation' || !declared.operation.alone) return []
      const { sql } = declared.operation
      return /^\s*(delete|update)\b/.test(sql) && !/\blimit\b/.test(sql + declared.operation.ctes) ? [name] : []
    })
    expect(unbounded.sort()).toEqual(boundedOtherwise)
  })
})

/**
 * Without a limit: what belongs to one person, token or fold, what ended in the queue a moment ago, and tables of a handful
 * of rows.
 */
const boundedOtherwise = [
  'analytics_folds.lock',
  'analytics_steps.delete',
  'delivery_queue.drop_ended',
  'erasure.contacts',
  'erasure.conversations',
  'erasure.customer_addresses',
  'erasure.customers',
  'erasure.threads',
  'operators.end_first',
  'replies.delete',
  'signing_keys.delete_retired',
  'signing_keys.retire',
  'tokens.revoke_descendants',
  'webhook_states.clear_overfull',
  'webhook_states.spend_pace',
  'webhooks.ask_unasked',
]
