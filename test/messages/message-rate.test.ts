import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Passed = { to: string }

/** The sandbox has the platform's own limits in force: 80 a second for a number, with a bucket of one second. */
describe.each(engines)('a platform that throttles, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    // A send waits for the rate limit for 30 % of its time; a busy machine needs more than the usual 3 s for a burst.
    world = await aWorld(engine, { POSTERN_SEND_TIMEOUT_MS: '60000' })
  })
  beforeEach(async () => {
    await world.control('POST', '/_sandbox/reset')
  })
  afterAll(() => world.stop())

  const scenario = (body: object) => world.control('PUT', '/_sandbox/scenario', body)
  const greet = (to: string) =>
    world.post('/v1/chat/messages/template', { to, template: 'hello_world', language: 'en_US' })
  const passed = async (): Promise<Passed[]> =>
    (await world.control('GET', '/_sandbox/messages?direction=outbound&limit=1000')).body.data
  const codes = (answers: Answer[]) => answers.map(({ status, body }) => body.error?.code ?? status)
  /** How often the platform has said that it has no room. */
  const throttled = async () => {
    const metrics = await world.service.rt.metrics.render()
    return Number(
      /postern_channel_requests_total\{operation="send",outcome="throttled"\} (\d+)/.exec(metrics)?.[1] ?? 0,
    )
  }
  const customers = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${10_000 + index}`)

  test('a burst is sent at the rate of the number: none refused, none lost, none doubled', async () => {
    await scenario({ callbacks: { never_read: true } })
    const to = customers(240, '+3519120')
    const answers = await Promise.all(to.map(greet))
    expect(codes(answers)).toEqual(to.map(() => 200))
    expect((await passed()).map((message) => message.to).sort()).toEqual([...to].sort())
  })

  test('one customer is sent at once exactly as many messages as the platform takes', async () => {
    // Nothing is repaid meanwhile, however slow the machine is.
    await scenario({ throttle: { pair_interval_ms: 3_600_000 } })
    const to = '+351912300001'
    const before = await throttled()
    /** Again while the gateway itself has too much to do: nothing was sent then. */
    const greetAtLast = async (): Promise<Answer> => {
      const answer = await greet(to)
      return answer.body.error?.code === 'service_unavailable' ? greetAtLast() : answer
    }
    const answers = await Promise.all(Array.from({ length: 45 }, greetAtLast))
    expect(codes(answers)).toEqual(answers.map(() => 200))
    expect((await throttled()) - before).toBe(0)
    const { numbers } = (await world.control('GET', '/_sandbox')).body
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    const more = await fetch(`${world.sandboxUrl}/v26.0/${numbers[0].phone_number_id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${numbers[0].access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'template', template }),
    })
    expect(await more.json()).toMatchObject({ error: { code: 131_056 } })
  })

  test('what the platform has no room for comes again while its time lasts', async () => {
    // An eighth of what the number believes to have: another program sends with it too. So little that even a busy
    // machine sends more.
    await scenario({ throttle: { per_second: 10 } })
    const to = customers(40, '+3519121')
    const answers = await Promise.all(to.map(greet))
    expect(codes(answers)).toEqual(to.map(() => 200))
    expect((await passed()).map((message) => message.to).sort()).toEqual([...to].sort())
    expect(await throttled()).toBeGreaterThan(0)
    const { messages } = (await world.get('/v1/chat/messages?status=failed&limit=100')).body.data
    expect(messages).toEqual([])
  })

  test('what the platform will not take for longer than that is refused without asking twice', async () => {
    await scenario({ rules: [{ when: { endpoint: 'messages' }, do: { error: { code: 80_007 } } }] })
    const before = await throttled()
    const answer = await greet('+351912200001')
    expect([answer.status, answer.body.error.code]).toEqual([429, 'channel_rate_limited'])
    expect([answer.headers.get('retry-after'), (await throttled()) - before]).toEqual(['60', 1])
    expect(await passed()).toEqual([])
  })
})
