import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Effects } from '../../sandbox/src/messages/scenario.ts'
import { aFailingPlatform, type FaultAfterAccept } from '../support/accept-then-fail.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { dayMs } from '../support/lost-answers.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const faults: [string, FaultAfterAccept][] = [
  ['code 2', { code: 2, status: 503 }],
  ['code 131000', { code: 131_000, status: 500 }],
  ['code 131016', { code: 131_016, status: 500 }],
  ['code 133004', { code: 133_004, status: 503 }],
  ['500 without a body', { status: 500 }],
  ['a cut connection', 'cut'],
]
const ways = ['/v1', 'the console', 'the user id of a refused number', 'the fallback of a refused text'] as const
type Way = (typeof ways)[number]

const never = 600_000
const atOnce = { sent_ms: 0, delivered_ms: 0, read_ms: 0 }
/** When the platform tells what became of the message; without a rule, once its clock is moved on. */
const tellings = {
  later: null,
  'before the answer': { statuses_before_answer: true, delays: atOnce },
  'after a day': { statuses_after_ms: dayMs, delays: atOnce },
  never: { no_callbacks: true },
} satisfies Record<string, Effects | null>
type Telling = keyof typeof tellings
const inTime = 'before the answer'

type Case = { way: Way; name: string; fault: FaultAfterAccept; telling: Telling; phone: string }
const cases: Case[] = ways.flatMap((way, row) =>
  faults.flatMap(([name, fault], column) =>
    (Object.keys(tellings) as Telling[]).map((telling, index) => {
      return { way, name, fault, telling, phone: `+35191240${row}${column}${index}0` }
    }),
  ),
)
// The console sends without an idempotency key.
const withKey = cases.filter(({ way }) => way !== 'the console')
const isSecond = (way: Way) => way === ways[2] || way === ways[3]

type Told = { status: number; data: Record<string, unknown> | null; code: string | null; id: string; replayed: boolean }

/** All sends at once, each to a customer of its own. */
describe.each(engines)('a platform that accepts a message and then fails, on %s', { timeout: 60_000 }, (engine) => {
  const platform = aFailingPlatform()
  const firsts = new Map<Case, Told>()
  const repeats = new Map<Case, Told>()
  const posted = new Map<Case, { to: string; accepted: boolean }[]>()
  const userIds = new Map<Case, string>()
  let world: ConsoleService

  const hello = { template: 'hello_world', language: 'en_US' }
  const requestOf = ({ way, phone: to }: Case) => {
    if (way === ways[2]) return { path: '/messages/send', body: { to, message: 'Your parcel is here' } }
    if (way === ways[3]) return { path: '/messages/send', body: { to, message: 'Hello?', fallback: hello } }
    return { path: '/messages/template', body: { to, ...hello } }
  }
  const send = async (one: Case): Promise<Told> => {
    const { path, body } = requestOf(one)
    const key = { 'idempotency-key': `failed-${one.phone}` }
    const answer =
      one.way === 'the console'
        ? await world.owner.call('POST', path, body).then(({ json, ...rest }) => ({ ...rest, body: json }))
        : await world.post(`/v1/chat${path}`, body, key)
    const { data = null, error = null } = answer.body
    const replayed = answer.headers.get('idempotent-replayed') === 'true'
    const id = error?.message_id ?? data?.message_id
    return { status: answer.status, data, code: error?.code ?? null, id, replayed }
  }
  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const postsOf = (one: Case) => {
    const names = [one.phone, userIds.get(one)]
    return platform.posts.filter(({ to }) => names.includes(to))
  }

  beforeAll(async () => {
    const settings = { POSTERN_WINDOW_POLICY: 'platform', POSTERN_SEND_SETTLE_WAIT_MS: '5000' }
    world = await aConsoleService(engine, settings, platform.start)
    const delays = { sent_ms: never, delivered_ms: 2 * never, read_ms: 3 * never }
    const refused = cases.filter(({ way }) => way === ways[2])
    const rules = refused.map(({ phone }) => ({
      when: { endpoint: 'messages', to: phone },
      do: { error: { code: 131_026 } },
    }))
    await world.control('PUT', '/_sandbox/scenario', { rules, delays, closed_window: 'answer' })
    for (const one of refused) {
      const { body } = await world.control('POST', '/_sandbox/inbound', { from: one.phone, text: 'Hello' })
      await waitFor(async () => (await record(body.message_id)) != null, 10_000)
      userIds.set(one, (await record(body.message_id)).user_id)
    }
    for (const one of cases) {
      const to = userIds.get(one) ?? one.phone
      platform.faults.set(to, one.fault)
      const effects = tellings[one.telling]
      if (effects) await world.control('POST', '/_sandbox/rules', { when: { endpoint: 'messages', to }, do: effects })
    }
    await Promise.all(cases.map(async (one) => firsts.set(one, await send(one))))
    await Promise.all(withKey.map(async (one) => repeats.set(one, await send(one))))
    for (const one of cases) posted.set(one, postsOf(one))
    await world.control('POST', '/_sandbox/clock', { advance_ms: never })
  }, 60_000)
  afterAll(() => world?.stop())

  describe.each(ways)('through %s', (way) => {
    const told = cases.filter((one) => one.way === way)
    const ofWay = told.filter(({ telling }) => telling === 'later')

    test.each(told.map((one) => [one.name, one.telling, one] as const))(
      '%s, statuses %s: one post, and what is told of it is known',
      (_name, telling, one) => {
        const first = firsts.get(one)
        expect([first?.status, first?.code, first?.id]).toEqual(
          telling === inTime
            ? [200, null, expect.stringMatching(/^wamid\./)]
            : [500, 'send_outcome_unknown', expect.stringMatching(/^out_/)],
        )
        if (withKey.includes(one)) expect(repeats.get(one)).toEqual({ ...first, replayed: true })
        const decisions = posted.get(one)?.map(({ accepted }) => accepted)
        expect(decisions).toEqual(isSecond(way) ? [false, true] : [true])
      },
    )

    test.each(ofWay.map((one) => [one.name, one] as const))('%s is settled by the status', async (_name, one) => {
      const id = firsts.get(one)?.id ?? ''
      await waitFor(async () => (await record(id)).status !== 'queued', 10_000)
      const { message_id, ...settled } = await record(id)
      expect(settled).toMatchObject({ status: 'sent', outcome: null, error: null })
      expect(message_id).toMatch(/^wamid\./)
      expect(postsOf(one)).toEqual(posted.get(one))
      const { body } = await world.get(`/v1/events?message_id=${encodeURIComponent(message_id)}`)
      expect(body.data.events.map(({ type }: { type: string }) => type)).toEqual(['message.sent'])
    })

    test.each(ofWay.filter((one) => withKey.includes(one)).map((one) => [one.name, one] as const))(
      '%s: a repeat tells what became of the message',
      async (_name, one) => {
        await waitFor(async () => (await record(firsts.get(one)?.id ?? '')).status !== 'queued', 10_000)
        const after = await send(one)
        expect([after.status, after.code, after.replayed]).toEqual([200, null, true])
        expect(after.data).toMatchObject({ message_id: expect.stringMatching(/^wamid\./), status: 'sent' })
        expect(postsOf(one)).toEqual(posted.get(one))
      },
    )
  })

  test('the statuses settle each of them, a day later too, and what is never told stays unknown', async () => {
    await world.control('POST', '/_sandbox/clock', { advance_ms: dayMs })
    const endOf = async (one: Case) => {
      const { status, outcome } = await record(firsts.get(one)?.id ?? '')
      return [one.way, one.name, one.telling, status, outcome]
    }
    const ends = () => Promise.all(cases.map(endOf))
    const expected = cases.map(({ way, name, telling }) => [
      ...[way, name, telling],
      ...(telling === 'never' ? ['queued', 'unknown'] : ['read', null]),
    ])
    await waitFor(async () => JSON.stringify(await ends()) === JSON.stringify(expected), 30_000).catch(() => {})
    expect(await ends()).toEqual(expected)
    for (const one of cases) expect(postsOf(one)).toEqual(posted.get(one))
  })
})
