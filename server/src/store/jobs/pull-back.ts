import { operation, query, type Topic } from '../engine/operation.ts'

/** The last time noted by a node; nothing before the first note. */
export const lastNotedTime = query({
  name: 'retention_clock.last',
  params: {},
  returns: { seen_at: 'int' },
  sql: 'select seen_at from retention_clock where id = 1',
})

/**
 * A row that waits beyond `latest`, `soon` where waits are short, or `paced` where rates are kept, was dated by a clock that was ahead: it is due
 * now. A row claimed beyond `lease_until` stays claimed until then: its process ends or renews it if it is alive, and
 * no other process begins it meanwhile.
 */
const input = { now: 'int', paced: 'int', soon: 'int', latest: 'int', lease_until: 'int' } as const
const now = '(select now from rows)'
const paced = '(select paced from rows)'
const soon = '(select soon from rows)'
const latest = '(select latest from rows)'
const leaseEnd = '(select lease_until from rows)'

const pullBack = (name: string, sql: string, wakes?: Topic) =>
  operation({ name: `pull_back.${name}`, input, alone: true, sql, ...(wakes && { wakes }) })

/** What can be claimed. With far horizons they change only what is. */
export const claimOperations = [
  pullBack(
    'jobs',
    `update jobs set run_at = case when claim is null then ${now} else ${leaseEnd} end,
          lease_until = case when claim is null then lease_until else ${leaseEnd} end
        where run_at > case when claim is null then ${latest} else ${leaseEnd} end`,
    'jobs',
  ),
  pullBack('sending', `update delivery_claims set lease_until = ${leaseEnd} where lease_until > ${leaseEnd}`),
  pullBack(
    'challenges',
    `update webhooks
        set verification_due_at = case when verification_due_at > ${latest} then ${now} else verification_due_at end,
          verification_lease_until = case when verification_lease_until > ${leaseEnd} then ${leaseEnd}
            else verification_lease_until end
        where verification_due_at > ${latest} or verification_lease_until > ${leaseEnd}`,
    'deliveries',
  ),
  pullBack(
    'callbacks',
    `update callback_queue set lease_until = case when claim is null then ${now} else ${leaseEnd} end
        where lease_until > case when claim is null then ${soon} else ${leaseEnd} end`,
    'callbacks',
  ),
  pullBack(
    'callback_items',
    `update callback_items set due_at = case when claim is null then ${now} else ${leaseEnd} end
        where state = 'waiting' and due_at > case when claim is null then ${soon} else ${leaseEnd} end`,
    'callbacks',
  ),
  pullBack(
    'messages',
    `update messages set settle_by = ${leaseEnd} where status = 'queued' and settle_by > ${leaseEnd}`,
  ),
  pullBack(
    'idempotency',
    `update idempotency_keys set lease_until = ${leaseEnd} where outcome is null and lease_until > ${leaseEnd}`,
  ),
] as const

/** Corrects rows dated by a clock that was ahead, table by table. Runs after a clock was set back, and scans the tables. */
export const pullBackOperations = [
  ...claimOperations,
  pullBack('jobs_again', `update jobs set again_at = ${now} where again_at > ${latest}`),
  pullBack(
    'deliveries',
    `update delivery_queue set due_at = ${now} where status = 'pending' and due_at > ${latest}`,
    'deliveries',
  ),
  pullBack(
    'webhook_states',
    `update webhook_states set paused_until = case when paused_until > ${latest} then ${now} else paused_until end,
          paced_at = case when paced_at > ${paced} then ${now} else paced_at end
        where paused_until > ${latest} or paced_at > ${paced}`,
  ),
  pullBack('pacing', `update pacing set empty_at = ${now} where empty_at > ${paced}`),
  pullBack('template_syncs', `update template_syncs set requested_at = ${now} where requested_at > ${latest}`),
  pullBack(
    'quotas',
    `update quotas set hour_start = 0, hour_used = 0, day_start = 0, day_used = 0 where hour_start > ${soon}`,
  ),
] as const
