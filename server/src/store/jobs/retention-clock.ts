import { operation } from '../engine/operation.ts'

/**
 * Notes the time, and pauses retention when it is far from when it was noted last: ahead by more than `ahead_ms`, or
 * behind by more than `behind_ms`. The row exists once for all nodes; the first note trusts the clock. It counts only
 * while the time read before it stands: a node that was suspended on the way would seem to have a clock that went back.
 */
export const noteTime = operation({
  name: 'retention_clock.note',
  input: { now: 'int', last_seen_at: 'int?', ahead_ms: 'int', behind_ms: 'int', pause_ms: 'int' },
  returns: { paused_until: 'int' },
  alone: true,
  sql: `insert into retention_clock (id, seen_at, paused_until) select 1, now, 0 from rows where true
        on conflict (id) do update set
          paused_until = case
            when excluded.seen_at - retention_clock.seen_at > (select ahead_ms from rows)
              or retention_clock.seen_at - excluded.seen_at > (select behind_ms from rows)
            then excluded.seen_at + (select pause_ms from rows)
            else {min}(retention_clock.paused_until, excluded.seen_at + (select pause_ms from rows)) end,
          seen_at = excluded.seen_at
        where retention_clock.seen_at = (select last_seen_at from rows)
        returning paused_until`,
})
