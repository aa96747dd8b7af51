import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, aWorld, type World } from '../support/world.ts'

/** Two fifths of the real deadline; the call itself could take longer than that, and so could the platform's pause. */
const timeoutMs = 4_000
/** What the machine may add. Without the deadline these sends take 15 s. */
const slackMs = 4_000

describe('a send is answered within its deadline', { timeout: 30_000 }, () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld('sqlite', {
      POSTERN_SEND_TIMEOUT_MS: String(timeoutMs),
      POSTERN_CHANNEL_TIMEOUT_MS: '15000',
      POSTERN_SEND_SETTLE_WAIT_MS: '5000',
    })
  })
  afterAll(() => world.stop())

  async function send(to: string, key?: string): Promise<Answer & { tookMs: number }> {
    const startedAt = performance.now()
    const body = { to, template: 'hello_world', language: 'en_US' }
    const answer = await world.post('/v1/chat/messages/template', body, key ? { 'idempotency-key': key } : {})
    return { ...answer, tookMs: performance.now() - startedAt }
  }
  const rule = (to: string, effects: object) =>
    world.control('POST', '/_sandbox/rules', { when: { endpoint: 'messages', to }, do: effects })

  test('when the platform never answers, and a repeat meanwhile is told the same in time', async () => {
    const to = '+351912300001'
    await rule(to, { hang: true })
    const [first, repeat] = await Promise.all([send(to, 'lost'), send(to, 'lost')])
    expect(first.body.error.code).toBe('send_outcome_unknown')
    expect(repeat.body.error.code).toBe('send_outcome_unknown')
    expect(first.tookMs).toBeGreaterThan(timeoutMs * 0.9)
    expect(Math.max(first.tookMs, repeat.tookMs)).toBeLessThan(timeoutMs + slackMs)
  })

  test('when the customer may not be sent more for a while', async () => {
    const to = '+351912300003'
    const answers = await Promise.all(Array.from({ length: 46 }, () => send(to)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['6'])
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(timeoutMs + slackMs)
  })

  // The last: a number that was told to slow down sends at half its rate for a while.
  test('when the platform keeps saying that it has no room', async () => {
    const to = '+351912300002'
    await rule(to, { error: { code: 130_429 } })
    const { status, body, headers, tookMs } = await send(to)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'channel_rate_limited', '1'])
    expect(tookMs).toBeLessThan(timeoutMs + slackMs)
  })
})
