import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { tablesNaming } from '../support/tables-naming.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const sends = scaled(40)
const atOnce = 20
const timeout = scaled(120_000)

/** Every customer is erased while a message to them is on its way, and once more after it. */
describe.each(engines)('erasing people while messages are sent to them, on %s', { timeout }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    const rules = [{ when: { endpoint: 'messages' }, do: { delay_ms: 20 } }]
    await world.control('PUT', '/_sandbox/scenario', { rules })
  })
  afterAll(() => world.stop())

  const phone = (index: number) => `+35191${2_300_000 + index}`
  const send = (index: number) =>
    world.post(
      '/v1/chat/messages/template',
      { to: phone(index), template: 'hello_world', language: 'en_US', client_reference: `race-${index}` },
      { 'idempotency-key': `race-${index}` },
    )
  const purge = (index: number) => eraseCustomer(world.service.rt, world.accountId, phone(index), { actor: operator })
  const recordOf = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const takenOf = async (index: number): Promise<{ id: string }[]> =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(phone(index))}`)).body.data

  test('none is lost, and no repeat sends a second one', async () => {
    let [lost, doubled] = [0, 0]
    for (let first = 0; first < sends; first += atOnce) {
      const batch = Array.from({ length: Math.min(atOnce, sends - first) }, (_, index) => first + index)
      const answers = new Map<number, Answer>()
      await Promise.all([
        ...batch.map(async (index) => answers.set(index, await send(index))),
        ...batch.map((index) => purge(index)),
      ])
      await Promise.all(batch.map((index) => purge(index)))
      for (const index of batch) {
        const answer = answers.get(index)
        expect(answer?.body.error ?? null).toBeNull()
        const repeat = await send(index)
        const replayed = repeat.headers.get('idempotent-replayed')
        expect([repeat.status, replayed, repeat.body.data?.to]).toEqual([200, 'true', null])
        const [told, again] = [answer?.body.data.message_id, repeat.body.data.message_id]
        expect(await recordOf(told)).toEqual(await recordOf(again))
        expect(await recordOf(again)).toMatchObject({ message_id: again, status: expect.any(String), to: null })
        const taken = (await takenOf(index)).length
        lost += taken === 0 ? 1 : 0
        doubled += Math.max(0, taken - 1)
      }
    }
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    // Meta's ids contain the number. What Meta reports later leaves none either, as soon as it is applied.
    await waitFor(async () => (await tablesNaming(world.database.database, 'wamid.')).length === 0, 20_000)
    recordFigure('erasure race', `sends, lost, doubled (${engine})`, `${sends}, ${lost}, ${doubled}`)
  })
})
