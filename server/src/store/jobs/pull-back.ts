import { operation, query } from '../engine/operation.ts'

/** When a node noted the time last; nothing before the first note. */
export const lastNotedTime = query({
  name: 'retention_clock.last',
  params: {},
  returns: { seen_at: 'int' },
  sql: 'select seen_at from retention_clock where id = 1',
})

/**
 * A row that waits beyond `latest`, or `soon` where waits are short, was dated by a clock that was ahead: it is due
 * now. A row claimed beyond `lease_until` stays claimed until then: its process ends or renews it if it is alive, and
 * no other process begins it meanwhile.
 */
const input = { now: 'int', soon: 'int', latest: 'int', lease_until: 'int' } as const
const now = '(select now from rows)'
const soon = '(select soon from rows)'
const latest = '(select latest from rows)'
const leaseEnd = '(select lease_until from rows)'

/** What was dated by a clock that was ahead, table by table. It runs after a clock was put back, and scans. */
export const pullBackOperations = [
  operation({
    name: 'pull_back.jobs',
    input,
    alone: true,
    wakes: 'jobs',
    sql: `update jobs set run_at = case when claim is null then ${now} else ${leaseEnd} end,
            lease_until = case when claim is null then lease_until else ${leaseEnd} end
          where run_at > case when claim is null then ${latest} else ${leaseEnd} end`,
  }),
  operation({
    name: 'pull_back.deliveries',
    input,
    alone: true,
    wakes: 'deliveries',
    sql: `update deliveries set due_at = ${now} where status = 'pending' and due_at > ${latest}`,
  }),
  operation({
    name: 'pull_back.sending',
    input,
    alone: true,
    sql: `update deliveries set due_at = case when due_at > ${latest} then ${now} else due_at end,
            lease_until = ${leaseEnd}
          where status = 'sending' and lease_until > ${leaseEnd}`,
  }),
  operation({
    name: 'pull_back.webhook_states',
    input,
    alone: true,
    sql: `update webhook_states set paused_until = case when paused_until > ${latest} then ${now} else paused_until end,
            paced_at = case when paced_at > ${soon} then ${now} else paced_at end
          where paused_until > ${latest} or paced_at > ${soon}`,
  }),
  operation({
    name: 'pull_back.challenges',
    input,
    alone: true,
    wakes: 'deliveries',
    sql: `update webhooks
          set verification_due_at = case when verification_due_at > ${latest} then ${now} else verification_due_at end,
            verification_lease_until = case when verification_lease_until > ${leaseEnd} then ${leaseEnd}
              else verification_lease_until end
          where verification_due_at > ${latest} or verification_lease_until > ${leaseEnd}`,
  }),
  operation({
    name: 'pull_back.callbacks',
    input,
    alone: true,
    wakes: 'callbacks',
    sql: `update callbacks set lease_until = case when claim is null then ${now} else ${leaseEnd} end
          where applied_at is null and lease_until > case when claim is null then ${soon} else ${leaseEnd} end`,
  }),
  operation({
    name: 'pull_back.callback_items',
    input,
    alone: true,
    wakes: 'callbacks',
    sql: `update callback_items set due_at = case when claim is null then ${now} else ${leaseEnd} end
          where state = 'waiting' and due_at > case when claim is null then ${soon} else ${leaseEnd} end`,
  }),
  operation({
    name: 'pull_back.messages',
    input,
    alone: true,
    sql: `update messages set settle_by = ${leaseEnd} where status = 'queued' and settle_by > ${leaseEnd}`,
  }),
  operation({
    name: 'pull_back.idempotency',
    input,
    alone: true,
    sql: `update idempotency_keys set lease_until = ${leaseEnd} where outcome is null and lease_until > ${leaseEnd}`,
  }),
  operation({
    name: 'pull_back.pacing',
    input,
    alone: true,
    sql: `update pacing set empty_at = ${now} where empty_at > ${soon}`,
  }),
  operation({
    name: 'pull_back.template_syncs',
    input,
    alone: true,
    sql: `update template_syncs set requested_at = ${now} where requested_at > ${latest}`,
  }),
  operation({
    name: 'pull_back.quotas',
    input,
    alone: true,
    sql: `update quotas set hour_start = 0, hour_used = 0, day_start = 0, day_used = 0 where hour_start > ${soon}`,
  }),
] as const
