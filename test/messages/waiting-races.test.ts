import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { resetFeed } from '../../server/src/events/read-feed.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { getMessage } from '../../server/src/messages/get-message.ts'
import { acceptWaiting } from '../../server/src/messages/send/accept-waiting.ts'
import type { Sender } from '../../server/src/messages/send/draft.ts'
import { answerOf } from '../../server/src/messages/send/send-request.ts'
import { cancelMessage } from '../../server/src/messages/waiting/end-waiting.ts'
import { holdAfterRestore, measureWaiting, releaseHeld } from '../../server/src/messages/waiting/hold-waiting.ts'
import { expireDue, type Lane, takeTurn } from '../../server/src/messages/waiting/take-turn.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { createJumpWatch } from '../../server/src/workers/send-lanes.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const outbound = query({
  name: 'test.waiting_outbound',
  params: { account_id: 'text' },
  returns: { id: 'text', status: 'text', waits: 'int' },
  sql: `select m.id, m.status, (select count(*) from waiting_sends w where w.message_id = m.id) as waits
        from messages m where m.account_id = :account_id and m.direction = 'outbound' order by m.id`,
})

const changeKey = operation({
  name: 'test.change_waiting_key',
  input: { id: 'text', status: 'text', scopes: 'text', expires_at: 'int?' },
  key: ['id'],
  sql: `update api_keys set status = rows.status, scopes = rows.scopes, expires_at = rows.expires_at
        from rows where api_keys.id = rows.id`,
})

describe.each(engines)('what waits, on %s', (engine) => {
  let world: ChannelWorld
  let sender: Sender
  let channel: Connected
  let customers = 0

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    const accountId = await world.newAccount()
    channel = await world.connect(accountId)
    sender = { accountId, phoneNumberIds: null, keyId: null }
    await holdAfterRestore(world.rt)
    // Its time is the real one, and that of the gateway stands still.
    await fetch(`${world.sandbox.url}/_sandbox/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ throttle: false }),
    })
  })
  afterAll(() => world.dispose())

  const accept = async (fields: object = {}, from = sender): Promise<string> => {
    const to = `+35193${1_000_000 + customers++}`
    const body = { to, template: 'hello_world', language: 'en_US', queue: true, ...fields }
    const request = { kind: 'template', body } as const
    const accepting = { sender: from, request, idempotencyKey: null, answerOf: answerOf('template') }
    return (await acceptWaiting(world.rt, accepting)).row.id
  }
  const cancel = (id: string) =>
    cancelMessage(world.rt, { accountId: sender.accountId, phoneNumberIds: null }, id).then(
      () => 'canceled',
      (error: { code: string }) => error.code,
    )
  const rows = () => world.rt.store.read(outbound, { account_id: sender.accountId })
  const aLane = (): Lane => ({ numberId: channel.numberId, running: new Set() })
  /** Until nothing is due. The rate of the number is refilled by the clock, which stands still otherwise. */
  const drain = async (lane: Lane) => {
    for (let turns = 0; turns < 5_000; turns++) {
      const waitMs = await takeTurn(world.rt, lane)
      if (waitMs === null) break
      world.clock.advance(Math.ceil(Math.max(1, Math.min(waitMs, 50))))
      await Promise.all(lane.running)
    }
    await Promise.all(lane.running)
  }

  test('of a cancel and a start that meet exactly one wins, and two lanes send nothing twice', async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => accept()))
    const lanes = [aLane(), aLane()]
    const canceling = Promise.all(ids.filter((_, index) => index % 2 === 0).map(cancel))
    const [outcomes] = await Promise.all([canceling, ...lanes.map(drain)])
    const found = new Map((await rows()).map((row) => [row.id, row]))
    for (const [index, id] of ids.filter((_, nth) => nth % 2 === 0).entries()) {
      const status = found.get(id)?.status
      expect([id, outcomes[index] === 'canceled', outcomes[index]]).toEqual([
        id,
        status === 'canceled',
        status === 'canceled' ? 'canceled' : 'message_not_cancelable',
      ])
    }
    expect([...found.values()].filter(({ waits }) => waits !== 0)).toEqual([])
    const steps = await Promise.all(ids.map(async (id) => (await getMessage(world.rt, sender.accountId, id)).attempts))
    expect(steps.every((attempts) => attempts <= 1)).toBe(true)
  })

  test('what could not be sent in time has failed as expired, and says so', async () => {
    const id = await accept({ valid_for: 60 })
    world.clock.advance(2 * minuteMs)
    await expireDue(world.rt)
    expect(await getMessage(world.rt, sender.accountId, id)).toMatchObject({
      status: 'failed',
      error: { code: 'message_expired' },
      attempts: 0,
    })
  })

  test('after a restore everything that waits is held until a person releases it', async () => {
    const id = await accept()
    await resetFeed(world.rt)
    expect(await holdAfterRestore(world.rt)).toBe(true)
    await drain(aLane())
    expect(await getMessage(world.rt, sender.accountId, id)).toMatchObject({ status: 'waiting', waiting_for: 'person' })
    expect(await holdAfterRestore(world.rt)).toBe(false)
    expect(await releaseHeld(world.rt, sender.accountId)).toEqual({ released: 1 })
    await drain(aLane())
    expect((await getMessage(world.rt, sender.accountId, id)).status).toBe('sent')
  })

  test.each([
    ['was revoked', { status: 'revoked' }],
    ['has expired', { expires_at: 1 }],
    ['may not send any more', { scopes: '["messages:read"]' }],
  ])('a message whose API key %s is held until a person releases it', async (_name, change) => {
    const { accountId } = sender
    const wanted = { accountId, name: 'Planner', createdBy: 'usr_planner', actor: operator }
    const { row: key } = await createKey(world.rt, { ...wanted, scopes: ['messages:send'] })
    const id = await accept({}, { ...sender, keyId: key.id })
    await world.rt.store.write(unitOf(changeKey, { ...key, ...change }))
    await drain(aLane())
    expect(await getMessage(world.rt, accountId, id)).toMatchObject({ status: 'waiting', waiting_for: 'person' })
    expect(await releaseHeld(world.rt, accountId)).toEqual({ released: 1 })
    await drain(aLane())
    expect((await getMessage(world.rt, accountId, id)).status).toBe('sent')
  })

  test('the most overdue message is told to the operator', async () => {
    const id = await accept()
    world.clock.advance(90_000)
    await measureWaiting(world.rt)
    const page = await world.rt.metrics.render()
    expect(page).toMatch(/^postern_waiting_oldest_overdue_seconds 90$/m)
    expect(page).toMatch(/^postern_waiting_sends\{priority="message"\} 1$/m)
    expect(await cancel(id)).toBe('canceled')
  })

  test('a customer who is erased gets nothing that still waits', async () => {
    const to = '+351939999999'
    const id = await accept({ to })
    await eraseCustomer(world.rt, sender.accountId, to, { actor: operator })
    const found = (await rows()).find((row) => row.id === id)
    expect(found).toMatchObject({ status: 'canceled', waits: 0 })
  })

  test('one that cannot be ended stops no other', async () => {
    const [broken, whole] = [await accept({ valid_for: 60 }), await accept({ valid_for: 60 })]
    const { rt } = world
    const write: typeof rt.store.write = (unit) =>
      JSON.stringify(unit.calls).includes(broken) ? Promise.reject(new Error('broken')) : rt.store.write(unit)
    world.clock.advance(2 * minuteMs)
    expect(await expireDue({ ...rt, store: { ...rt.store, write } })).toBe(false)
    expect((await getMessage(rt, sender.accountId, whole)).status).toBe('failed')
    expect((await getMessage(rt, sender.accountId, broken)).status).toBe('waiting')
  })
})

test('a clock that jumps ahead by more than a minute is believed after a minute', () => {
  const watch = createJumpWatch()
  expect(watch.heldMs(0, 0)).toBe(0)
  expect(watch.heldMs(59_000, 1_000)).toBe(0)
  expect(watch.heldMs(7 * 86_400_000, 2_000)).toBe(60_000)
  expect(watch.heldMs(7 * 86_400_000 + 30_000, 32_000)).toBe(30_000)
  expect(watch.heldMs(7 * 86_400_000 + 61_000, 63_000)).toBe(0)
})

test('a clock that is set right again holds nothing', () => {
  const watch = createJumpWatch()
  watch.heldMs(0, 0)
  expect(watch.heldMs(86_400_000, 1_000)).toBe(60_000)
  expect(watch.heldMs(2_000, 2_000)).toBe(0)
})
