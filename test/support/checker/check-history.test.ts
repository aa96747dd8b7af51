import { describe, expect, test } from 'vitest'
import { checkHistory, type Rules } from './check-history.ts'
import type { Entry } from './history.ts'
import type { FaultKind } from './seen.ts'

const rules: Rules = {
  events: ['message.sent', 'message.delivered'],
  repeatsMax: 0,
  deadlineMs: 10_000,
  refusals: ['500 service_unavailable'],
}

/** Two tenants send two messages each; one connection breaks before its answer and the client repeats the request. */
function soundHistory(): Entry[] {
  const entries = ['a-1', 'a-2', 'b-1', 'b-2'].flatMap((id, index) => messageHistory(id, index * 100))
  entries.unshift(
    { kind: 'request', at: 0, tenant: 'a', id: 'a-1', attempt: 0 },
    { kind: 'broken', at: 1, tenant: 'a', id: 'a-1', attempt: 0 },
  )
  for (const tenant of ['a', 'b']) {
    for (const name of ['sent', 'delivered', 'requests'] as const) {
      entries.push({ kind: 'figure', at: 900, tenant, name, value: 2 })
    }
  }
  return entries
}

function messageHistory(id: string, from: number): Entry[] {
  const tenant = id.slice(0, 1)
  const messageId = `wamid.${id}`
  const event = (type: string, sequence: number) => ({ id: `evt ${id} ${type}`, type, sequence, attempt: 1 })
  return [
    { kind: 'request', at: from, tenant, id, attempt: 1 },
    { kind: 'platform', at: from + 10, tenant, id, messageId },
    { kind: 'answer', at: from + 20, tenant, id, attempt: 1, status: 200, code: null, messageId },
    { kind: 'webhook', at: from + 30, tenant, id, messageId, event: event('message.sent', 1) },
    { kind: 'webhook', at: from + 40, tenant, id, messageId, event: event('message.delivered', 2) },
    { kind: 'listed', at: 900, tenant, id, status: 'delivered' },
  ]
}

type Bug = { bug: string; expected: FaultKind; plant: (history: Entry[]) => Entry[] }
type Match = (entry: Entry) => boolean

const is =
  (kind: Entry['kind'], id: string): Match =>
  (entry) =>
    entry.kind === kind && 'id' in entry && entry.id === id
const isEvent =
  (id: string, type: string): Match =>
  (entry) =>
    entry.kind === 'webhook' && entry.id === id && entry.event.type === type
const without = (match: Match) => (history: Entry[]) => history.filter((entry) => !match(entry))
const change = (match: Match, over: object) => (history: Entry[]) =>
  history.map((entry) => (match(entry) ? ({ ...entry, ...over } as Entry) : entry))
const again =
  (match: Match, over: object = {}) =>
  (history: Entry[]) =>
    history.flatMap((entry) => (match(entry) ? [entry, { ...entry, ...over } as Entry] : [entry]))

const isFigure =
  (name: string): Match =>
  (entry) =>
    entry.kind === 'figure' && entry.name === name && entry.tenant === 'b'

const bugs: Bug[] = [
  { bug: 'an accepted message is not at the platform', expected: 'lost', plant: without(is('platform', 'b-1')) },
  { bug: 'an accepted message is not listed', expected: 'lost', plant: without(is('listed', 'a-2')) },
  { bug: 'an event does not arrive', expected: 'lost', plant: without(isEvent('b-2', 'message.delivered')) },
  { bug: 'a message is at the platform twice', expected: 'doubled', plant: again(is('platform', 'a-1')) },
  {
    bug: 'a repeated request is answered with another message',
    expected: 'doubled',
    plant: again(is('answer', 'a-1'), { messageId: 'wamid.other' }),
  },
  { bug: 'a message is listed twice', expected: 'doubled', plant: again(is('listed', 'a-1')) },
  {
    bug: 'a step of a message is told by two events',
    expected: 'doubled',
    plant: again(isEvent('b-1', 'message.sent'), {
      event: { id: 'evt other', type: 'message.sent', sequence: 1, attempt: 1 },
    }),
  },
  {
    bug: 'an event is delivered twice without a fault',
    expected: 'doubled',
    plant: again(isEvent('b-1', 'message.sent')),
  },
  {
    bug: 'an event overtakes the one before it',
    expected: 'out of order',
    plant: (history) => {
      const sent = history.filter(isEvent('a-2', 'message.sent'))
      return [...without(isEvent('a-2', 'message.sent'))(history), ...sent]
    },
  },
  {
    bug: 'a message leaves by the number of another tenant',
    expected: 'wrong tenant',
    plant: change(is('platform', 'b-1'), { tenant: 'a' }),
  },
  {
    bug: 'an event reaches the webhook of another tenant',
    expected: 'wrong tenant',
    plant: again(isEvent('a-1', 'message.sent'), { tenant: 'b' }),
  },
  {
    bug: 'a message is listed to another tenant',
    expected: 'wrong tenant',
    plant: again(is('listed', 'a-1'), { tenant: 'b' }),
  },
  { bug: 'analytics count one sent too many', expected: 'wrong figure', plant: change(isFigure('sent'), { value: 3 }) },
  {
    bug: 'analytics miss a delivered one',
    expected: 'wrong figure',
    plant: change(isFigure('delivered'), { value: 1 }),
  },
  {
    bug: 'the quota counts a request twice',
    expected: 'wrong figure',
    plant: change(isFigure('requests'), { value: 3 }),
  },
  {
    bug: 'a client is told that nothing was sent, and the message is at the platform',
    expected: 'denied',
    plant: change(is('answer', 'b-1'), { status: 500, code: 'service_unavailable', messageId: null }),
  },
  { bug: 'a request is never answered', expected: 'stuck', plant: without(is('answer', 'b-2')) },
  { bug: 'a request is answered late', expected: 'stuck', plant: change(is('answer', 'b-2'), { at: 11_000 }) },
  { bug: 'a message stays queued', expected: 'stuck', plant: change(is('listed', 'b-2'), { status: 'queued' }) },
  {
    bug: 'a request is refused with a code that nobody expects',
    expected: 'unexpected answer',
    plant: change(is('answer', 'b-2'), { status: 500, code: 'internal_error' }),
  },
]

describe('the checker', () => {
  test('finds nothing in a sound history, and counts it', () => {
    expect(checkHistory(soundHistory(), rules)).toEqual({
      findings: [],
      counts: {
        requests: 5,
        accepted: 4,
        broken: 1,
        refusedConnections: 0,
        refused: {},
        atPlatform: 4,
        events: 8,
        repeats: 0,
        slowestAnswerMs: 20,
      },
    })
  })

  test.each(bugs)('finds $expected: $bug', ({ plant, expected }) => {
    const kinds = checkHistory(plant(soundHistory()), rules).findings.map(({ kind }) => kind)
    expect(kinds).toContain(expected)
  })

  test('allows as many repeated deliveries as the rules do, and no more', () => {
    const planted = again(isEvent('b-1', 'message.sent'))(soundHistory())
    expect(checkHistory(planted, { ...rules, repeatsMax: 1 })).toMatchObject({ findings: [], counts: { repeats: 1 } })
    expect(
      checkHistory(again(isEvent('a-1', 'message.sent'))(planted), { ...rules, repeatsMax: 1 }).findings,
    ).toHaveLength(2)
  })

  test('lets the next event of a message overtake one whose attempt failed', () => {
    const sent = isEvent('a-2', 'message.sent')
    const late = soundHistory().filter(sent)
    const overtaken = [...without(sent)(soundHistory()), ...late]
    expect(checkHistory(overtaken, rules).findings).toHaveLength(1)
    const second = { id: 'evt a-2 message.sent', type: 'message.sent', sequence: 1, attempt: 2 }
    expect(checkHistory(change(sent, { event: second })(overtaken), rules).findings).toEqual([])
  })

  test('leaves open whether a request without an answer was accepted', () => {
    const unknown = change(is('answer', 'a-2'), { kind: 'broken' })(soundHistory())
    expect(checkHistory(unknown, rules).findings).toEqual([])
    const neverSent = soundHistory().filter(
      (entry) => !('id' in entry && entry.id === 'a-2') || entry.kind === 'request',
    )
    const figures = neverSent.map((entry) =>
      entry.kind === 'figure' && entry.tenant === 'a' ? { ...entry, value: 1 } : entry,
    )
    const broken: Entry = { kind: 'broken', at: 150, tenant: 'a', id: 'a-2', attempt: 1 }
    expect(checkHistory([...figures, broken], rules).findings).toEqual([])
  })

  test('expects no end of a message whose answer is lost and of which the platform tells nothing', () => {
    const lost = { status: 500, code: 'send_outcome_unknown', messageId: null }
    const isAboutIt = (entry: Entry) => entry.kind === 'webhook' && entry.id === 'b-2'
    const history = [
      without(isAboutIt),
      change(is('platform', 'b-2'), { silent: true }),
      change(is('answer', 'b-2'), lost),
      change(is('listed', 'b-2'), { status: 'queued' }),
      change(isFigure('sent'), { value: 1 }),
      change(isFigure('delivered'), { value: 1 }),
    ].reduce((entries, plant) => plant(entries), soundHistory())
    const lenient = { ...rules, refusals: ['500 send_outcome_unknown'] }
    expect(checkHistory(history, lenient).findings).toEqual([])
    const posted = again(is('platform', 'b-2'), { messageId: 'wamid.second' })(history)
    expect(checkHistory(posted, lenient).findings).toMatchObject([{ kind: 'doubled', id: 'b-2' }])
    const told = change(is('platform', 'b-2'), { silent: false })(history)
    expect(checkHistory(told, lenient).findings.map(({ kind }) => kind)).toContain('stuck')
  })

  test('counts refusals by their code', () => {
    const refused = soundHistory().filter((entry) => !('id' in entry && entry.id === 'b-2') || entry.kind === 'request')
    const figures = refused.map((entry) =>
      entry.kind === 'figure' && entry.tenant === 'b' ? { ...entry, value: 1 } : entry,
    )
    const answer: Entry = {
      kind: 'answer',
      at: 350,
      tenant: 'b',
      id: 'b-2',
      attempt: 1,
      status: 500,
      code: 'service_unavailable',
      messageId: null,
    }
    const { findings, counts } = checkHistory([...figures, answer], rules)
    expect(findings).toEqual([])
    expect(counts.refused).toEqual({ '500 service_unavailable': 1 })
  })
})
