import { findWrongFigures } from './find-wrong-figures.ts'
import type { Entry } from './history.ts'
import { type Finding, finding, type Of, type Seen } from './seen.ts'

export type Rules = {
  /** Event types that the webhook of a tenant gets for every message that reached the platform. */
  events: readonly string[]
  /** How often events may arrive again; 0 unless processes were killed or stopped while they delivered. */
  repeatsMax: number
  /** Every request is answered, or its connection breaks, within this time. */
  deadlineMs: number
  /** Answers besides 200, as `500 service_unavailable`. */
  refusals: readonly string[]
  /** A database that is killed may forget the requests of its last moment; everything else it counted is exact. */
  requestsForgottenMax?: number
}

export type Verdict = {
  findings: Finding[]
  counts: {
    requests: number
    accepted: number
    broken: number
    /** Connections that were refused, so that nothing was sent. */
    refusedConnections: number
    refused: Record<string, number>
    atPlatform: number
    events: number
    repeats: number
    slowestAnswerMs: number
  }
}

/** Statuses from which a message does not move on by itself once the platform has reported everything. */
const finalStatuses = ['delivered', 'read', 'failed']

/**
 * Judges a whole history. A message is accepted when a client got 200 for it; a connection that broke leaves open whether
 * it was, so such a message may be at the platform once or not at all.
 */
export function checkHistory(history: readonly Entry[], rules: Rules): Verdict {
  const of = <Kind extends Entry['kind']>(kind: Kind) =>
    history.filter((entry): entry is Of<Kind> => entry.kind === kind)
  const seen: Seen = {
    requests: of('request'),
    answers: of('answer'),
    broken: of('broken'),
    refused: of('refused'),
    platform: of('platform'),
    webhook: of('webhook'),
    listed: of('listed'),
    figures: of('figure'),
  }
  const { again, first } = splitRepeats(seen.webhook)
  const accepted = seen.answers.filter(({ status }) => status === 200)
  return {
    findings: [
      ...findLost(seen, accepted, first, rules),
      ...findDoubled(seen, accepted, first),
      ...findDenied(seen),
      ...findRepeats(again, rules),
      ...findOutOfOrder(seen, first),
      ...findWrongTenants(seen),
      ...findWrongFigures(seen, first, rules.requestsForgottenMax ?? 0),
      ...findStuck(seen, rules),
      ...findUnexpectedAnswers(seen, rules),
    ],
    counts: {
      requests: seen.requests.length,
      accepted: new Set(accepted.map(({ id }) => id)).size,
      broken: seen.broken.length,
      refusedConnections: seen.refused.length,
      refused: countBy(seen.answers.filter(({ status }) => status !== 200).map(answerName)),
      atPlatform: seen.platform.length,
      events: first.length,
      repeats: again.length,
      slowestAnswerMs: Math.round(durations(seen).reduce((most, { ms }) => Math.max(most, ms), 0)),
    },
  }
}

function findLost(seen: Seen, accepted: Of<'answer'>[], first: Of<'webhook'>[], { events }: Rules): Finding[] {
  const atPlatform = new Set(seen.platform.map(({ id }) => id))
  const listed = new Set(seen.listed.map(({ id }) => id))
  const arrived = new Set(first.map(({ messageId, event }) => `${messageId} ${event.type}`))
  return [
    ...accepted
      .filter(({ id }) => !atPlatform.has(id))
      .map((one) => finding('lost', one, 'accepted and never at the platform')),
    ...accepted
      .filter(({ id }) => !listed.has(id))
      .map((one) => finding('lost', one, 'accepted and not listed afterwards')),
    ...seen.platform
      .filter(isTold)
      .flatMap((one) =>
        events
          .filter((type) => !arrived.has(`${one.messageId} ${type}`))
          .map((type) => finding('lost', one, `${type} never arrived at the webhook`)),
      ),
  ]
}

function findDoubled(seen: Seen, accepted: Of<'answer'>[], first: Of<'webhook'>[]): Finding[] {
  return [
    ...severalOf(seen.platform, ({ id }) => id).map(([one, count]) =>
      finding('doubled', one, `${count} times at the platform`),
    ),
    ...[...Map.groupBy(accepted, ({ id }) => id).values()].flatMap((answers) => {
      const ids = new Set(answers.map(({ messageId }) => messageId))
      return ids.size > 1 && answers[0] ? [finding('doubled', answers[0], `answered with ${ids.size} message ids`)] : []
    }),
    // An attempt that failed stays in the list beside the repeat that did not.
    ...severalOf(
      seen.listed.filter(({ status }) => status !== 'failed'),
      ({ id }) => id,
    ).map(([one, count]) => finding('doubled', one, `listed ${count} times`)),
    ...severalOf(first, ({ messageId, event }) => `${messageId} ${event.type}`).map(([one, count]) =>
      finding('doubled', one, `${count} different events ${one.event.type}`),
    ),
  ]
}

/** Answers that leave open whether the message was sent. */
const openCodes: readonly (string | null)[] = ['send_outcome_unknown', 'idempotency_in_progress']

/** A client that is notified that nothing was sent sends it again, under another key: a second message that nobody can prevent. */
function findDenied({ answers, broken, platform }: Seen): Finding[] {
  const open = answers.filter(({ status, code }) => status === 200 || openCodes.includes(code))
  const leftOpen = new Set([...open, ...broken].map(({ id }) => id))
  const denials = new Map(answers.filter(({ id }) => !leftOpen.has(id)).map((one) => [one.id, answerName(one)]))
  return platform.flatMap((one) => {
    const denial = denials.get(one.id)
    return denial === undefined ? [] : [finding('denied', one, `at the platform, and answered with ${denial}`)]
  })
}

/** The number of the attempt tells why: a higher one follows a failure that was noted, an equal one was forgotten. */
function findRepeats(again: Of<'webhook'>[], { repeatsMax }: Rules): Finding[] {
  if (again.length <= repeatsMax) return []
  return again.map((one) => {
    const { type, attempt } = one.event
    return finding('doubled', one, `${type} delivered again as attempt ${attempt}, ${again.length} in all`)
  })
}

/** An event whose attempt failed does not hold back the next one of its message: it has a second attempt, and is late. */
function findOutOfOrder({ webhook }: Seen, first: Of<'webhook'>[]): Finding[] {
  const failed = new Set(webhook.filter(({ event }) => event.attempt > 1).map(({ event }) => event.id))
  return [...Map.groupBy(first, ({ messageId }) => messageId).values()].flatMap((events) =>
    events.flatMap((one, index) => {
      const before = events[index - 1]
      return before && before.event.sequence > one.event.sequence && !failed.has(one.event.id)
        ? [finding('out of order', one, `${one.event.type} after ${before.event.type}`)]
        : []
    }),
  )
}

function findWrongTenants({ requests, platform, webhook, listed }: Seen): Finding[] {
  const owners = new Map(requests.map(({ id, tenant }) => [id, tenant]))
  return [...platform, ...webhook, ...listed]
    .filter(({ id, tenant }) => owners.get(id) !== tenant)
    .map((one) => finding('wrong tenant', one, `${one.kind}: belongs to ${owners.get(one.id) ?? 'nobody'}`))
}

function findStuck(seen: Seen, { deadlineMs }: Rules): Finding[] {
  const ended = new Set([...seen.answers, ...seen.broken, ...seen.refused].map(attemptOf))
  const told = new Set(seen.platform.filter(isTold).map(({ id }) => id))
  return [
    ...seen.requests.filter((one) => !ended.has(attemptOf(one))).map((one) => finding('stuck', one, 'never answered')),
    ...durations(seen)
      .filter(({ ms }) => ms > deadlineMs)
      .map(({ end, ms }) => finding('stuck', end, `answered after ${Math.round(ms)} ms`)),
    ...seen.listed
      .filter(({ id, status }) => told.has(id) && !finalStatuses.includes(status))
      .map((one) => finding('stuck', one, `still ${one.status}`)),
  ]
}

function findUnexpectedAnswers({ answers }: Seen, { refusals }: Rules): Finding[] {
  return answers
    .filter((one) => one.status !== 200 && !refusals.includes(answerName(one)))
    .map((one) => finding('unexpected answer', one, `${answerName(one)}: ${one.reason ?? 'no reason given'}`))
}

function isTold({ silent }: Of<'platform'>): boolean {
  return !silent
}

function splitRepeats(arrivals: Of<'webhook'>[]) {
  const known = new Set<string>()
  const first: Of<'webhook'>[] = []
  const again: Of<'webhook'>[] = []
  for (const one of arrivals) {
    const key = `${one.tenant} ${one.event.id}`
    ;(known.has(key) ? again : first).push(one)
    known.add(key)
  }
  return { first, again }
}

function durations({ requests, answers, broken }: Seen): { end: Of<'answer'> | Of<'broken'>; ms: number }[] {
  const began = new Map(requests.map((one) => [attemptOf(one), one.at]))
  return [...answers, ...broken].map((end) => ({ end, ms: end.at - (began.get(attemptOf(end)) ?? end.at) }))
}

function severalOf<One>(entries: readonly One[], keyOf: (one: One) => string): [one: One, count: number][] {
  const groups = [...Map.groupBy(entries, keyOf).values()]
  return groups.flatMap((group) => (group[0] && group.length > 1 ? [[group[0], group.length] as [One, number]] : []))
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(names, (name) => name)]
  return Object.fromEntries(groups.map(([name, group]) => [name, group.length]))
}

function attemptOf({ id, attempt }: { id: string; attempt: number }): string {
  return `${id} ${attempt}`
}

function answerName({ status, code }: Of<'answer'>): string {
  return `${status} ${code ?? 'ok'}`
}
