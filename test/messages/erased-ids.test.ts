import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPepper } from '../../server/src/access/installation.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { erasedIds } from '../../server/src/events/masked-event.ts'
import { readFeed } from '../../server/src/events/read-feed.ts'
import { rotateMasterKey } from '../../server/src/installation/rotate-master-key.ts'
import { createSecrets, type Secrets } from '../../server/src/lib/secrets.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { getMessage } from '../../server/src/messages/get-message.ts'
import { markRead } from '../../server/src/messages/mark-read.ts'
import { requireMessageOf, type Sender } from '../../server/src/messages/send/draft.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { insertMessage, type MessageRow, newMessage } from '../../server/src/store/messages/messages.ts'
import { anyDelivery } from '../../server/src/store/webhooks/deliveries.ts'
import { insertForwarded } from '../../server/src/store/webhooks/listeners.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import {
  aChannelWorld,
  aStatus,
  aText,
  type ChannelWorld,
  type Connected,
  messagesBody,
} from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { idWith, inBase64, tablesNaming } from '../support/tables-naming.ts'
import { waitFor } from '../support/wait-for.ts'

const digits = '12025550100'
const received = idWith(digits, 0, 'received')
const sent = idWith(digits, 0, 'sent')
const underWay = idWith(digits, 0, 'under way')

const findDelivery = query({
  name: 'test.find_delivery',
  params: { id: 'text' },
  returns: { message_id: 'text?' },
  lane: 'list',
  sql: `select message_id from ${anyDelivery('d.id = :id')} d`,
})

describe.each(engines)("Meta's message ids after an erasure, on %s", (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let applier: ReturnType<typeof startCallbackApplier>
  const own = { sent: '', underWay: '' }
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
    applier = startCallbackApplier(world.rt, callbackHandlers)
    await tell({ messages: [aText(received)] })
    own.sent = await aSend({ channel_message_id: sent, status: 'sent', reply_to: received })
    own.underWay = await aSend({ channel_message_id: null, status: 'queued', outcome: 'unknown' })
    expect(await tables()).toEqual(['customer_addresses', 'events', 'messages'])
    await eraseCustomer(world.rt, accountId, `+${digits}`, { actor: operator })
  })
  afterAll(async () => {
    await applier.drain(10_000)
    await world.dispose()
  })

  async function aSend(given: Partial<MessageRow>): Promise<string> {
    const { rt } = world
    const base = { id: rt.newId('out'), account_id: accountId, number_id: channel.numberId, created_at: rt.clock.now() }
    const row = { ...base, direction: 'outbound', type: 'text', status: 'sent', history: '[]', phone: `+${digits}` }
    await rt.store.write(unitOf(insertMessage, newMessage({ ...row, customer_address: `+${digits}`, ...given })))
    return base.id
  }

  /** Resolves when it is applied. */
  async function tell(value: Parameters<typeof messagesBody>[1]): Promise<void> {
    expect((await world.post(channel, messagesBody(channel, value))).status).toBe(200)
    await waitFor(async () => {
      const [counted] = await world.rt.store.read(countCallbacks, {})
      return counted?.stored === counted?.applied
    }, 10_000)
  }

  /** Tables that name the customer: by number, or by an id of Meta's. */
  async function tables(): Promise<string[]> {
    const found = [digits, ...inBase64(digits)].map((needle) => tablesNaming(world.database, needle))
    return [...new Set((await Promise.all(found)).flat())].sort()
  }
  const get = (id: string) => getMessage(world.rt, accountId, id)
  const eventsOf = async (id: string) => (await readFeed(world.rt, accountId, { message_id: id })).events

  test('nothing has them, and who knows one still finds the message and its events', async () => {
    expect(await tables()).toEqual([])
    const message = await get(received)
    expect(message).toMatchObject({ from: null, content: null })
    expect(message.message_id).toMatch(/^erased_[\w-]{32}$/)
    expect(await get(message.message_id)).toEqual(message)
    expect((await get(own.sent)).reply_to).toBe(message.message_id)
    expect(await get(sent)).toEqual(await get(own.sent))
    expect(await eventsOf(received)).toMatchObject([{ data: { message_id: message.message_id, from: null } }])
    await expect(get(idWith(digits, 0, 'other'))).rejects.toMatchObject({ code: 'message_not_found' })
  })

  test('the same id has another hash in another account', async () => {
    const [here, there] = await Promise.all([erasedIds(world.rt, accountId), erasedIds(world.rt, 'acc_other')])
    expect(here(sent)).not.toBe(there(sent))
    expect(here(sent)).toBe((await get(sent)).message_id)
  })

  test('a repeat of what the customer wrote is known, and is not stored again', async () => {
    const before = await eventsOf(received)
    await tell({ messages: [aText(received), { ...aText('wamid.of-another'), from: '12025550199' }] })
    await tell({ messages: [{ ...aText(received), text: { body: 'Hello again' } }] })
    expect(await eventsOf(received)).toEqual(before)
    expect(await tables()).toEqual([])
  })

  test.each(['sent', 'underWay'] as const)(
    'a status of a message (%s) is applied to it without its id',
    async (which) => {
      const id = { sent, underWay }[which]
      const correlation = which === 'sent' ? {} : { biz_opaque_callback_data: own.underWay }
      const failure = { code: 131026, title: `No ${digits}`, error_data: { details: `Not ${digits}` } }
      await tell({
        statuses: [
          { ...aStatus(id), ...correlation },
          { ...aStatus(id, 'read'), ...correlation },
        ],
      })
      await tell({ statuses: [{ ...aStatus(id, 'failed'), ...correlation, errors: [failure] }] })
      const message = await get(id)
      expect(message).toMatchObject({ status: 'read', to: null, user_id: null })
      expect(message).toEqual(await get(own[which]))
      expect(message.message_id).toMatch(/^erased_/)
      expect((await eventsOf(id)).map(({ type }) => type).slice(-2)).toEqual(['message.delivered', 'message.read'])
      expect(await tables()).toEqual([])
    },
  )

  test('a forwarded event that is reported after the erasure is recorded without the id', async () => {
    const [event] = await eventsOf(received)
    const forwarded = { id: world.rt.newId('dlv'), webhook_id: 'whk_listener', account_id: accountId, cause: 'forward' }
    const told = { event_id: event?.id ?? '', type: 'message.received', message_id: received }
    const ended = { status: 'delivered', outcome: 'ok', started_at: 1, created_at: 1 }
    await world.rt.store.write(unitOf(insertForwarded, { ...forwarded, ...told, ...ended }))
    const [delivery] = await world.rt.store.read(findDelivery, { id: forwarded.id })
    expect(delivery?.message_id).toBe((await get(received)).message_id)
    expect(await tables()).toEqual([])
  })

  test('Meta is not asked about a message by a hash', async () => {
    const caller: Sender = { accountId, phoneNumberIds: null, keyId: null }
    for (const id of [received, (await get(received)).message_id]) {
      await expect(markRead(world.rt, caller, id)).rejects.toMatchObject({ code: 'message_not_found' })
      const named = { field: 'reply_to', id, ofGroup: '', ofOther: '' }
      const address = { kind: 'phone', value: `+${digits}` } as const
      const asked = requireMessageOf(world.rt, accountId, address, named)
      await expect(asked).rejects.toMatchObject({ code: 'message_not_found' })
    }
  })

  test('a new master key changes no hash', async () => {
    const before = (await get(sent)).message_id
    const next = createSecrets(randomBytes(32))
    const open: Secrets['open'] = (purpose, bound, sealed) =>
      (sealed.startsWith(`${next.keyId}.`) ? next : world.rt.secrets).open(purpose, bound, sealed)
    const secrets = { ...next, open }
    await rotateMasterKey(world.rt, secrets)
    const rotated = { pepper: createPepper({ ...world.rt, secrets }) }
    expect((await erasedIds(rotated, accountId))(sent)).toBe(before)
  })
})
