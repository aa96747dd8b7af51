import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { customerBy } from '../../server/src/messages/customers/find-customer.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, aText, type ChannelWorld, messagesBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const phone = '+12025550100'

describe.each(engines)('erasing a person of whom something is not applied yet, on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    const channel = await world.connect(accountId)
    expect((await world.post(channel, messagesBody(channel, { messages: [aText('wamid.1')] }))).status).toBe(200)
  })
  afterAll(() => world.dispose())

  const erase = () => eraseCustomer(world.rt, accountId, phone, { actor: operator })

  test('without a gateway the receipt says that it has to be repeated, and the callback stays', async () => {
    expect(await erase()).toMatchObject({ callbacks_waiting: 1, rows: { messages: 0 } })
  })

  test('with one, what was received before is erased too', async () => {
    const erased = erase()
    const applier = startCallbackApplier(world.rt, callbackHandlers)
    expect(await erased).toMatchObject({ callbacks_waiting: 0, rows: { messages: 1, contacts: 1 } })
    expect(await customerBy(world.rt, accountId, phone)).toBeNull()
    await applier.drain(10_000)
  })
})
