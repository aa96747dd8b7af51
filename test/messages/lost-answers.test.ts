import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, type LostAnswer, lostAnswers } from '../support/lost-answers.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

/** Answers that are only late are sent; so is what a status settles while the send waits. */
const toldOf = ({ isLost, telling }: LostAnswer) =>
  !isLost || telling === 'in time' || telling === 'before the answer' ? 'sent' : 'send_outcome_unknown'

/** All at once, each to a customer of its own; then each is looked at from every side. */
describe.each(engines)(
  'a message that Meta accepted and whose answer is lost, on %s',
  { timeout: 60_000 },
  (engine) => {
    let world: World
    const firsts = new Map<LostAnswer, Answer>()
    const customerOf = (lost: LostAnswer) => `+3519125${10_000 + lostAnswers.indexOf(lost)}`
    const send = (lost: LostAnswer) =>
      world.post(
        '/v1/chat/messages/template',
        { to: customerOf(lost), template: 'hello_world', language: 'en_US' },
        { 'idempotency-key': `lost-${customerOf(lost)}` },
      )
    const atPlatform = async (lost: LostAnswer): Promise<unknown[]> =>
      (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(customerOf(lost))}`)).body.data
    const recordsOf = async (lost: LostAnswer): Promise<{ message_id: string; status: string; outcome: string }[]> =>
      (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(customerOf(lost))}`)).body.data.messages
    const told = ({ status, body }: Answer): string => (status === 200 ? 'sent' : body.error.code)

    beforeAll(async () => {
      world = await aWorld(engine, { POSTERN_SEND_SETTLE_WAIT_MS: '5000' })
      const rules = lostAnswers.map((lost) => ({
        when: { endpoint: 'messages', to: customerOf(lost) },
        // A second call would be taken, and seen.
        count: 1,
        do: lost.effects,
      }))
      const scenario = { rules, delays: { sent_ms: 0, delivered_ms: 5, read_ms: 10 } }
      expect((await world.control('PUT', '/_sandbox/scenario', scenario)).status).toBe(200)
      await Promise.all(lostAnswers.map(async (lost) => firsts.set(lost, await send(lost))))
    }, 60_000)
    afterAll(() => world.stop())

    test.each(lostAnswers)('$loss, statuses $telling: one message, however often it is sent', async (lost) => {
      const first = firsts.get(lost) as Answer
      expect(told(first)).toBe(toldOf(lost))
      if (first.status !== 200) expect(first.body.error).toMatchObject({ retryable: false })
      const again = await send(lost)
      expect([told(again), again.headers.get('idempotent-replayed')]).toEqual([toldOf(lost), 'true'])
      expect(await atPlatform(lost)).toHaveLength(1)
      expect(await recordsOf(lost)).toHaveLength(1)
    })

    test('the statuses settle each of them, a day later too, and what is never told stays unknown', async () => {
      await world.control('POST', '/_sandbox/clock', { advance_ms: dayMs })
      const ends = async () =>
        Promise.all(
          lostAnswers.map(async (lost) => {
            const [record] = await recordsOf(lost)
            return [lost.loss, lost.telling, record?.status, record?.outcome]
          }),
        )
      const expected = lostAnswers.map(({ loss, telling, isLost }) => {
        if (telling !== 'never') return [loss, telling, 'read', null]
        return [loss, telling, ...(isLost ? ['queued', 'unknown'] : ['sent', null])]
      })
      await waitFor(async () => JSON.stringify(await ends()) === JSON.stringify(expected), 30_000).catch(() => {})
      expect(await ends()).toEqual(expected)
      for (const lost of lostAnswers) expect(await atPlatform(lost)).toHaveLength(1)
    })

    test('a refusal that the statuses prove wrong ends as read, and its repeat sends nothing', async () => {
      const to = '+351912600001'
      const rule = { when: { endpoint: 'messages', to }, count: 1, do: { error_after_accept: { code: 131009 } } }
      await world.control('POST', '/_sandbox/rules', rule)
      const refused = () =>
        world.post(
          '/v1/chat/messages/template',
          { to, template: 'hello_world', language: 'en_US' },
          { 'idempotency-key': 'refused-and-read' },
        )
      expect(told(await refused())).toBe('channel_rejected')
      const path = `/v1/chat/messages?phone_number=${encodeURIComponent(to)}`
      await waitFor(async () => (await world.get(path)).body.data.messages[0].status === 'read')
      expect(told(await refused())).toBe('channel_rejected')
      const taken = await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}`)
      expect(taken.body.data).toHaveLength(1)
    })
  },
)
