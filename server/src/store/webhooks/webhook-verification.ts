import { operation, query, type RowOf } from '../engine/operation.ts'

export const challengeColumns = {
  id: 'text',
  account_id: 'text',
  url: 'text',
  secret: 'text?',
  previous_secret: 'text?',
  previous_secret_until: 'int?',
  verification_attempts: 'int',
} as const

/** A webhook whose ownership is to be checked now. */
export type DueChallenge = RowOf<typeof challengeColumns>

/**
 * Takes webhooks whose next challenge is due, so many of an account at most, with those already under way; with
 * `first_only` no repeated ones. The claim is lost when the url changes, and its result with it.
 */
export const claimChallenges = operation({
  name: 'webhooks.claim_challenges',
  input: { now: 'int', lease_until: 'int', claim: 'text', count: 'int', account_max: 'int', first_only: 'int' },
  returns: challengeColumns,
  alone: true,
  ctes: `queued as (
      select w.id, row_number() over (partition by w.account_id order by w.verification_due_at, w.id)
        + (select count(*) from webhooks busy
           where busy.account_id = w.account_id and busy.verification_lease_until > rows.now) as place
      from webhooks w, rows where w.verification = 'pending' and w.verification_due_at <= rows.now
        and w.verification_lease_until <= rows.now and (rows.first_only = 0 or w.verification_attempts = 0)),
    due as (select id from webhooks
      where id in (select queued.id from queued, rows where queued.place <= rows.account_max)
        and verification_lease_until <= (select now from rows)
      order by verification_due_at limit (select count from rows) {skip_locked})`,
  sql: `update webhooks set verification_claim = (select claim from rows),
          verification_lease_until = (select lease_until from rows)
        where id {in:due}
        returning id, account_id, url, secret, previous_secret, previous_secret_until, verification_attempts`,
})

/** Webhooks registered while ownership was not checked: now it is. */
export const askUnasked = operation({
  name: 'webhooks.ask_unasked',
  input: { due_at: 'int' },
  returns: { id: 'text', account_id: 'text' },
  alone: true,
  wakes: 'deliveries',
  sql: `update webhooks set verification_due_at = (select due_at from rows)
        where verification = 'pending' and verification_due_at is null
        returning id, account_id`,
})

/** A check asked for by hand: the schedule starts anew, unless the webhook is verified already. */
export const beginChallenge = operation({
  name: 'webhooks.begin_challenge',
  input: { id: 'text', account_id: 'text', now: 'int', lease_until: 'int', claim: 'text' },
  key: ['id'],
  returns: challengeColumns,
  required: true,
  sql: `update webhooks set verification_claim = rows.claim, verification_lease_until = rows.lease_until,
          verification = case when webhooks.verification = 'verified' then 'verified' else 'pending' end,
          verification_due_at = case when webhooks.verification = 'verified' then null else rows.now end,
          verification_attempts = 0, revision = webhooks.revision + 1
        from rows where webhooks.id = rows.id and webhooks.account_id = rows.account_id
        returning webhooks.id, webhooks.account_id, webhooks.url, webhooks.secret, webhooks.previous_secret,
          webhooks.previous_secret_until, webhooks.verification_attempts`,
})

/** Required: a check of an url that is no longer the webhook's proves nothing and releases nothing. */
export const passChallenge = operation({
  name: 'webhooks.pass_challenge',
  input: { id: 'text', claim: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'deliveries',
  sql: `update webhooks set verification = 'verified', verified_at = rows.now, verification_error = null,
          verification_due_at = null, verification_claim = null, verification_lease_until = 0,
          revision = webhooks.revision + 1
        from rows where webhooks.id = rows.id and webhooks.verification_claim = rows.claim
        returning webhooks.id, webhooks.account_id`,
})

/** Without a next time the webhook has failed its check. What was verified stays verified. */
export const failChallenge = operation({
  name: 'webhooks.fail_challenge',
  input: { id: 'text', claim: 'text', error: 'text', due_at: 'int?' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text', verification: 'text' },
  required: true,
  wakes: 'attempts',
  sql: `update webhooks set verification_error = rows.error, verification_claim = null, verification_lease_until = 0,
          verification = case when webhooks.verification = 'verified' then 'verified'
            when rows.due_at is null then 'failed' else 'pending' end,
          verification_due_at = case when webhooks.verification = 'verified' then null else rows.due_at end,
          verification_attempts = webhooks.verification_attempts + 1,
          revision = webhooks.revision + 1
        from rows where webhooks.id = rows.id and webhooks.verification_claim = rows.claim
        returning webhooks.id, webhooks.account_id, webhooks.verification`,
})

/** The gateway itself could not ask: no attempt was made. */
export const postponeChallenge = operation({
  name: 'webhooks.postpone_challenge',
  input: { id: 'text', claim: 'text', due_at: 'int' },
  key: ['id'],
  sql: `update webhooks set verification_claim = null, verification_lease_until = 0,
          verification_due_at = case when webhooks.verification = 'verified' then null else rows.due_at end
        from rows where webhooks.id = rows.id and webhooks.verification_claim = rows.claim`,
})

export const nextChallengeAt = query({
  name: 'webhooks.next_challenge_at',
  params: { now: 'int' },
  returns: { at: 'int?' },
  sql: `select min(case when verification_lease_until > :now and verification_lease_until > verification_due_at
            then verification_lease_until else verification_due_at end) as at
        from webhooks where verification = 'pending' and verification_due_at is not null`,
})
