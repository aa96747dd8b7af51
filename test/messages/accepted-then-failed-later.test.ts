import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { aFailingPlatform, type FaultAfterAccept } from '../support/accept-then-fail.ts'
import { aGraphWorld, type GraphWorld } from '../support/graph-world.ts'
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
const ways = ['a message that waited', 'a broadcast', '/graph'] as const
const phoneOf = (way: number, fault: number) => `+3519126${way}${fault}000`

const never = 600_000
const hello = { template: 'hello_world', language: 'en_US' }

/** What would make a call again. */
const leftToSend = query({
  name: 'test.left_to_send',
  params: {},
  returns: { waiting: 'int' },
  sql: 'select count(*) as waiting from waiting_sends',
})

/** The ways on which nobody waits for the outcome, or is told that there is one: none of them makes the call again. */
describe.each(engines)('a platform that accepts a message and then fails, on %s', { timeout: 60_000 }, (engine) => {
  const platform = aFailingPlatform()
  const ids = new Map<string, string>()
  let world: GraphWorld
  let broadcast = ''

  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const postsOf = (phone: string) => platform.posts.filter(({ to }) => to === phone || to === phone.slice(1))
  const counts = async () => (await world.get(`/v1/chat/broadcasts/${broadcast}`)).body.data.counts

  beforeAll(async () => {
    const settings = { POSTERN_WINDOW_POLICY: 'platform', POSTERN_SEND_SETTLE_WAIT_MS: '250' }
    world = await aGraphWorld(engine, settings, platform.start)
    const delays = { sent_ms: never, delivered_ms: 2 * never, read_ms: 3 * never }
    await world.control('PUT', '/_sandbox/scenario', { rules: [], delays, closed_window: 'answer' })
    for (const way of ways.keys()) {
      for (const [index, [, fault]] of faults.entries()) {
        const phone = phoneOf(way, index)
        for (const to of [phone, phone.slice(1)]) platform.faults.set(to, fault)
      }
    }
    const recipients = faults.map((_, index) => ({ to: phoneOf(1, index) }))
    const created = await world.post('/v1/chat/broadcasts', {
      ...{ name: 'Sale', ...hello, components: [], recipients, start: true },
    })
    expect([created.status, created.body.error]).toEqual([201, undefined])
    broadcast = created.body.data.id
    const template = { name: hello.template, language: { code: hello.language } }
    await Promise.all(
      faults.map(async (_, index) => {
        const waits = await world.post('/v1/chat/messages/template', { to: phoneOf(0, index), ...hello, queue: true })
        expect([waits.status, waits.body.data?.status]).toEqual([200, 'waiting'])
        const to = phoneOf(2, index).slice(1)
        const body = { messaging_product: 'whatsapp', to, type: 'template', template }
        const wire = await world.graph('POST', `/v26.0/${world.number}/messages`, body)
        expect([wire.status, wire.body.messages[0].id]).toEqual([200, expect.stringMatching(/^wamid\.PTN/)])
      }),
    )
    await waitFor(() => platform.posts.length >= ways.length * faults.length, 20_000)
    for (const { to, body } of platform.posts) ids.set(to.replace('+', ''), String(body.biz_opaque_callback_data))
  }, 60_000)
  afterAll(() => world?.stop())

  const idOf = (way: number, fault: number) => ids.get(phoneOf(way, fault).slice(1)) ?? ''

  describe.each(ways.map((way, index) => [way, index] as const))('by %s', (_way, way) => {
    test.each(faults.map(([name], index) => [name, index] as const))(
      '%s: one post, and unknown',
      async (_name, fault) => {
        await waitFor(async () => (await record(idOf(way, fault))).outcome === 'unknown', 10_000)
        expect(await record(idOf(way, fault))).toMatchObject({ status: 'queued', error: null })
        expect(postsOf(phoneOf(way, fault)).map(({ accepted }) => accepted)).toEqual([true])
      },
    )
  })

  test('nothing is left that would send one of them again, and the broadcast says how many nobody knows of', async () => {
    expect(await world.service.rt.store.read(leftToSend, {})).toEqual([{ waiting: 0 }])
    // Counts are read at most once a second.
    await waitFor(async () => (await counts()).unknown === faults.length, 10_000)
    expect(await counts()).toMatchObject({ accepted: faults.length, waiting: 0, failed: 0 })
  })

  test('the statuses settle them, with one post each', async () => {
    await world.control('POST', '/_sandbox/clock', { advance_ms: never })
    for (const way of ways.keys()) {
      for (const fault of faults.keys()) {
        await waitFor(async () => (await record(idOf(way, fault))).status !== 'queued', 10_000)
        expect(await record(idOf(way, fault))).toMatchObject({ status: 'sent', outcome: null })
        expect(postsOf(phoneOf(way, fault))).toHaveLength(1)
      }
    }
    await waitFor(async () => (await counts()).unknown === 0, 10_000)
    expect(await counts()).toMatchObject({ sent: faults.length, failed: 0 })
  })
})
