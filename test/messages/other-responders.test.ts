import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { bodyOf } from '../../server/src/events/publish-event.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { findOwner } from '../../server/src/messages/threads/thread-owner.ts'
import { lastInbound } from '../../server/src/messages/window.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { eventColumns } from '../../server/src/store/webhooks/events.ts'
import {
  type CallbackApplier,
  callbackHandlers,
  startCallbackApplier,
} from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks, listCallbackItems } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const customer = '+12025550100'
const userId = 'US.13491208655302741918'

const messagesIn = query({
  name: 'test.messages_in',
  params: { account_id: 'text' },
  returns: {
    channel_message_id: 'text?',
    direction: 'text',
    type: 'text',
    status: 'text',
    origin: 'text?',
    phone: 'text?',
    content: 'text?',
    created_at: 'int',
  },
  sql: `select channel_message_id, direction, type, status, origin, phone, content, created_at from messages
        where account_id = :account_id order by created_at, channel_message_id`,
})
const contactsIn = query({
  name: 'test.contacts_in',
  params: { account_id: 'text' },
  returns: { address: 'text', name: 'text?', last_inbound_at: 'int?', unread: 'int' },
  sql: `select a.shown as address, k.name, c.last_inbound_at, v.unread from contacts c
        join conversations v on v.customer_id = c.customer_id
        join customers k on k.id = c.customer_id
        join customer_addresses a on a.customer_id = c.customer_id and a.address like '+%'
        where c.account_id = :account_id order by a.address`,
})
const eventsIn = query({
  name: 'test.events_in',
  params: { account_id: 'text' },
  returns: eventColumns,
  sql: `select ${Object.keys(eventColumns).join(', ')} from events where account_id = :account_id order by seq`,
})

/** Bodies as Meta's pages show them, word for word but for ids and times. */
describe.each(engines)('other responders in a conversation, on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let applier: CallbackApplier
  let number: { id: string; accountId: string }

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    applier = startCallbackApplier(world.rt, callbackHandlers)
  })
  beforeEach(async () => {
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
    number = { id: channel.numberId, accountId }
  })
  afterAll(async () => {
    await applier.drain(5_000)
    await world.dispose()
  })

  const seconds = (secondsAgo = 0) => String(Math.floor(world.clock.now() / 1_000) - secondsAgo)
  const metadata = () => ({ display_phone_number: '15550100001', phone_number_id: channel.phoneNumberId })
  const contact = { profile: { name: 'Ann', username: 'ann' }, wa_id: '12025550100', user_id: userId }
  const say = async (field: string, value: object) => {
    const whole = {
      messaging_product: 'whatsapp',
      ...(field === 'messaging_handovers' ? {} : { metadata: metadata() }),
      ...value,
    }
    const body = {
      object: 'whatsapp_business_account',
      entry: [{ id: channel.wabaId, changes: [{ field, value: whole }] }],
    }
    expect((await world.post(channel, JSON.stringify(body))).status).toBe(200)
    await waitFor(async () => {
      const [{ stored, applied } = { stored: 0, applied: -1 }] = await world.rt.store.read(countCallbacks, {})
      return stored === applied
    })
  }
  const text = (id: string, at = seconds()) => ({
    from: '12025550100',
    from_user_id: userId,
    id,
    timestamp: at,
    type: 'text',
    text: { body: 'Where is my order?' },
  })
  const standby = (id: string, at = seconds()) =>
    say('standby', { standby: { contacts: [contact], messages: [text(id, at)] } })
  const arrives = (id: string, at = seconds()) => say('messages', { contacts: [contact], messages: [text(id, at)] })
  const handover = (change: 'control_passed' | 'control_taken', inner: object = {}, at = seconds()) =>
    say('messaging_handovers', {
      sender: { phone_number: '12025550100' },
      recipient: { phone_number_id: channel.phoneNumberId, display_phone_number: '15550100001' },
      type: change,
      timestamp: at,
      [change]: inner,
    })
  const messages = () => world.rt.store.read(messagesIn, { account_id: accountId })
  const contacts = () => world.rt.store.read(contactsIn, { account_id: accountId })
  const events = async () =>
    (await world.rt.store.read(eventsIn, { account_id: accountId })).map((row) => ({ ...row, body: bodyOf(row) }))
  const types = async () => (await events()).map(({ type }) => type)
  const owner = async (address = customer) => findOwner(world.rt, number, address)
  const items = (state: string) =>
    world.rt.store.read(listCallbackItems, { account_id: accountId, state, count: 1_000 })

  describe('a message that another responder handles', () => {
    test('is stored and opens the window, waits for nobody, and is told as such', async () => {
      await standby('wamid.S1')
      expect(await messages()).toMatchObject([
        { channel_message_id: 'wamid.S1', direction: 'inbound', origin: 'standby' },
      ])
      expect(await contacts()).toMatchObject([{ address: customer, name: 'Ann', unread: 0 }])
      expect((await lastInbound(world.rt, number, customer)).lastInboundAt).toBe(Number(seconds()) * 1_000)
      expect(await types()).toEqual(['message.standby'])
      expect(await owner()).toMatchObject({ owner: 'other', role: null, shared: true })
      expect(await owner(userId)).toMatchObject({ owner: 'other' })
    })

    test('is stored once, however often its copy comes', async () => {
      await standby('wamid.S2')
      await say('standby', { standby: { contacts: [contact], messages: [text('wamid.S2')] }, again: 1 })
      expect(await messages()).toHaveLength(1)
      expect(await types()).toEqual(['message.standby'])
    })

    test('becomes ours to reply to when it comes as a message too, once', async () => {
      await standby('wamid.S3')
      world.clock.advance(2_000)
      await arrives('wamid.S3')
      await say('messages', { contacts: [contact], messages: [text('wamid.S3')], again: 1 })
      expect(await messages()).toMatchObject([{ channel_message_id: 'wamid.S3', origin: null }])
      expect(await types()).toEqual(['message.standby', 'message.received'])
      expect((await contacts())[0]).toMatchObject({ address: customer, unread: 1 })
    })

    test('stays ours where its copy comes later', async () => {
      await arrives('wamid.S4')
      await standby('wamid.S4')
      expect(await messages()).toMatchObject([{ origin: null }])
      expect(await types()).toEqual(['message.received'])
    })

    test('an empty copy, and a change that has user actions or a summary alone, are kept without harm', async () => {
      await say('standby', { standby: {} })
      await say('messages', { user_actions: [{ action_type: 'marketing_messages_link_click' }] })
      await say('messages', { conversation_context: { type: 'summary', summary: { text: 'Wants a refund' } } })
      expect((await items('unhandled')).map(({ reason }) => reason)).toEqual(['not_used', 'not_used', 'not_used'])
      expect(await messages()).toEqual([])
    })
  })

  describe('what the business sends without the gateway', () => {
    test('in the app is shown, told, and neither makes a customer nor opens a window', async () => {
      const echo = { from: '15550100001', to: '12025550100', id: 'wamid.E1', timestamp: seconds(), type: 'text' }
      await say('smb_message_echoes', { message_echoes: [{ ...echo, text: { body: 'We are on it' } }] })
      await say('smb_message_echoes', { message_echoes: [{ ...echo, text: { body: 'We are on it' } }], again: 1 })
      expect(await messages()).toMatchObject([
        {
          direction: 'outbound',
          status: 'sent',
          origin: 'business_app',
          phone: customer,
          content: '{"text":"We are on it"}',
        },
      ])
      expect(await contacts()).toEqual([])
      expect((await lastInbound(world.rt, number, customer)).lastInboundAt).toBeNull()
      expect(await types()).toEqual(['message.echoed'])
      expect(JSON.parse((await events())[0]?.body ?? '').data).toMatchObject({
        to: customer,
        content: { text: 'We are on it' },
      })
    })

    test('edits and deletions in the app are messages of their own', async () => {
      const common = { from: '15550100001', to: '12025550100', timestamp: seconds() }
      const edit = { original_message_id: 'wamid.E1', message: { type: 'text', text: { body: 'Tomorrow' } } }
      await say('smb_message_echoes', {
        message_echoes: [
          { ...common, id: 'wamid.E2', type: 'edit', edit },
          { ...common, id: 'wamid.E3', type: 'revoke', revoke: { original_message_id: 'wamid.E1' } },
        ],
      })
      expect((await messages()).map(({ type }) => type)).toEqual(['edit', 'deletion'])
    })

    test('through another responder is shown by its request, template and interactive messages included', async () => {
      const template = {
        id: 'wamid.E4',
        timestamp: seconds(),
        message: { to: '12025550100', type: 'template', template: { name: 'order_update', language: { code: 'en' } } },
        template: { components: [{ type: 'BODY', text: 'Your order is on its way' }] },
      }
      const buttons = {
        id: 'wamid.E5',
        timestamp: seconds(),
        message: {
          recipient: userId,
          type: 'interactive',
          interactive: { type: 'button', body: { text: 'Yes or no?' } },
        },
      }
      await say('standby', { standby: { contacts: [contact], message_echoes: [template, buttons] } })
      expect(await messages()).toMatchObject([
        { type: 'template', origin: 'other_responder', content: '{"text":"Your order is on its way"}' },
        { type: 'interactive', phone: customer, content: '{"text":"Yes or no?"}' },
      ])
      await say('standby', {
        standby: {
          statuses: [{ id: 'wamid.E4', status: 'delivered', timestamp: seconds(), recipient_id: '12025550100' }],
        },
      })
      expect((await messages())[0]?.status).toBe('delivered')
      expect(await types()).toEqual(['message.echoed', 'message.echoed'])
    })
  })

  describe('the owner of a conversation', () => {
    test('is the gateway once a message came, and nobody after a day', async () => {
      expect(await owner()).toMatchObject({ owner: 'nobody', shared: false })
      await arrives('wamid.O1')
      expect(await owner()).toMatchObject({ owner: 'gateway', shared: false })
      world.clock.advance(86_400_000)
      expect(await owner()).toMatchObject({ owner: 'nobody' })
    })

    test('follows what Meta reports, each change told once, late ones never', async () => {
      await arrives('wamid.O2')
      world.clock.advance(10_000)
      const before = seconds(5)
      await handover('control_taken', { previous_owner_role: 'customer_service', new_owner_role: 'ai_agent' })
      expect(await owner()).toMatchObject({ owner: 'other', role: 'ai_agent' })
      await handover('control_passed', {}, before)
      expect(await owner()).toMatchObject({ owner: 'other', role: 'ai_agent' })
      world.clock.advance(10_000)
      const summary = { type: 'summary', summary: { text: 'Wants a refund for A-1001' } }
      const passed = {
        previous_owner_role: 'ai_agent',
        new_owner_role: 'customer_service',
        conversation_context: summary,
      }
      await handover('control_passed', passed)
      await handover('control_passed', passed)
      expect(await owner()).toMatchObject({ owner: 'gateway', summary: 'Wants a refund for A-1001', shared: true })
      const told = (await events()).filter(({ type }) => type === 'conversation.control_changed')
      expect(told.map(({ body }) => JSON.parse(body).data)).toMatchObject([
        { customer, owner: 'other', role: 'ai_agent', previous_role: 'customer_service', summary: null },
        {
          customer,
          owner: 'gateway',
          role: 'customer_service',
          previous_role: 'ai_agent',
          summary: 'Wants a refund for A-1001',
        },
      ])
    })

    test('is the gateway with a message that brings what the previous responder wrote', async () => {
      await standby('wamid.O8')
      world.clock.advance(5_000)
      const conversation_context = { type: 'summary', summary: { text: 'Asked for a refund of A-1001' } }
      await say('messages', { contacts: [contact], messages: [text('wamid.O9')], conversation_context })
      expect(await owner()).toMatchObject({ owner: 'gateway', summary: 'Asked for a refund of A-1001', shared: true })
      expect(await items('unhandled')).toEqual([])
    })

    test('is the gateway again when the customer writes to it', async () => {
      await standby('wamid.O3')
      world.clock.advance(5_000)
      expect(await owner()).toMatchObject({ owner: 'other' })
      await arrives('wamid.O4')
      expect(await owner()).toMatchObject({ owner: 'gateway', shared: true })
    })

    test.each([
      ['a reason as JSON text', { metadata: '{"reason":"MARKETING_MESSAGE"}' }, 'MARKETING_MESSAGE'],
      ['the old role alone', { previous_owner_app_role: 'meta_business_agent' }, null],
      ['a take by a message', { metadata: 'Control taken via service message' }, 'Control taken via service message'],
    ])('is read from an older form: %s', async (_, inner, note) => {
      await handover('control_passed', inner)
      expect(await owner()).toMatchObject({ owner: 'gateway' })
      expect(JSON.parse((await events())[0]?.body ?? '').data.note).toBe(note)
    })

    test('a window that we never saw open is left to Meta after control was passed to us', async () => {
      world.clock.advance(2 * 86_400_000)
      expect(await lastInbound(world.rt, number, customer)).toEqual({ lastInboundAt: null, possibleInboundAt: null })
      await handover('control_passed')
      const { possibleInboundAt } = await lastInbound(world.rt, number, customer)
      expect(possibleInboundAt).toBe(Number(seconds()) * 1_000)
    })

    test('a handover that names no customer is kept and changes nothing', async () => {
      await say('messaging_handovers', {
        recipient: { phone_number_id: channel.phoneNumberId, display_phone_number: '15550100001' },
        type: 'control_passed',
        timestamp: seconds(),
        control_passed: {},
      })
      expect(await items('unhandled')).toMatchObject([{ reason: 'not_used' }])
      expect(await types()).toEqual([])
    })

    test('is forgotten with the customer', async () => {
      await standby('wamid.O5')
      const receipt = await eraseCustomer(world.rt, accountId, customer, { actor: operator })
      expect(receipt.rows).toMatchObject({ threads: 2 })
      expect(await owner()).toMatchObject({ shared: false })
      expect((await messages())[0]).toMatchObject({ phone: null, content: null })
    })
  })

  describe('the past of a number', () => {
    const chunk = (threads: object[], more: object = {}) =>
      say('history', { history: [{ metadata: { phase: 1, chunk_order: 2, progress: 40 }, threads, ...more }] })
    const day = 86_400
    const theirs = (id: string, secondsAgo: number, more: object = {}) => ({
      from: '12025550100',
      id,
      timestamp: seconds(secondsAgo),
      type: 'text',
      text: { body: id },
      history_context: { status: 'READ' },
      ...more,
    })
    const ours = (id: string, secondsAgo: number, status: string) => ({
      ...theirs(id, secondsAgo, { from: '15550100001', to: '12025550100' }),
      history_context: { status },
    })

    test('is stored at its own times, in order, told to nobody, and opens no window', async () => {
      await chunk([
        { id: '12025550100', messages: [theirs('wamid.H3', 3_600), ours('wamid.H2', 5 * day, 'DELIVERED')] },
      ])
      await chunk([
        { id: '12025550100', messages: [theirs('wamid.H1', 170 * day), ours('wamid.H0', 179 * day, 'ERROR')] },
      ])
      await chunk([{ id: '12025550100', messages: [theirs('wamid.H1', 170 * day)] }], { again: 1 })
      expect(await messages()).toMatchObject([
        { channel_message_id: 'wamid.H0', direction: 'outbound', status: 'failed', origin: 'history', content: null },
        { channel_message_id: 'wamid.H1', direction: 'inbound', status: 'received', content: null },
        { channel_message_id: 'wamid.H2', direction: 'outbound', status: 'delivered', content: '{"text":"wamid.H2"}' },
        { channel_message_id: 'wamid.H3', direction: 'inbound', content: '{"text":"wamid.H3"}' },
      ])
      expect(await types()).toEqual([])
      const { lastInboundAt } = await lastInbound(world.rt, number, customer)
      expect(lastInboundAt).toBe(world.clock.now() - day * 1_000)
      expect((await contacts())[0]).toMatchObject({ address: customer, unread: 0 })
      expect(await owner()).toMatchObject({ owner: 'nobody' })
      expect((await items('applied')).filter(({ kind }) => kind === 'history_progress')).toHaveLength(1)
    })

    test('a body of 3,000 messages is stored whole', async () => {
      const many = Array.from({ length: 3_000 }, (_, index) => theirs(`wamid.B${index}`, 2 * day + index))
      await chunk([{ id: '12025550100', messages: many }])
      expect(await messages()).toHaveLength(3_000)
    })

    test('a file follows its placeholder, also when it comes first', async () => {
      const image = { id: '5550001', mime_type: 'image/jpeg', caption: 'The box' }
      const asset = (id: string) => say('history', { messages: [theirs(id, 3 * day, { type: 'image', image })] })
      const placeholder = (id: string) =>
        chunk([{ id: '12025550100', messages: [theirs(id, 3 * day, { type: 'media_placeholder' })] }])
      await placeholder('wamid.P1')
      expect(await messages()).toMatchObject([{ type: 'media_placeholder' }])
      await asset('wamid.P1')
      expect(await messages()).toMatchObject([{ type: 'image', origin: 'history' }])
      expect(JSON.parse((await messages())[0]?.content ?? '').media).toMatchObject({ caption: 'The box' })
      await asset('wamid.P2')
      expect(await items('waiting')).toMatchObject([{ kind: 'past_message', reason: 'unmatched' }])
      await placeholder('wamid.P2')
      world.clock.advance(2_000)
      await waitFor(async () => (await messages()).every(({ type }) => type === 'image'))
      expect(await types()).toEqual([])
    })

    test('a business that shares no history says so, and nothing is lost', async () => {
      const errors = [
        { code: 2593109, title: 'History sync is turned off by the business from the WhatsApp Business App' },
      ]
      await say('history', { history: [{ errors }] })
      expect(await items('applied')).toMatchObject([{ kind: 'history_progress' }])
      expect(world.logLines.some((line) => line.includes('channel.history_failed'))).toBe(true)
    })

    test('names of the address book are shown where the customer told none', async () => {
      const entry = (action: string, more: object = {}) => ({
        type: 'contact',
        contact: { full_name: 'Ann from the bakery', first_name: 'Ann', phone_number: '12025550100', ...more },
        action,
        metadata: { timestamp: seconds() },
      })
      await say('smb_app_state_sync', { state_sync: [entry('add')] })
      await chunk([{ id: '12025550100', messages: [theirs('wamid.N1', 2 * day)] }])
      expect(await contacts()).toMatchObject([{ name: 'Ann from the bakery' }])
      await arrives('wamid.N2')
      expect((await contacts())[0]).toMatchObject({ name: 'Ann' })
      await say('smb_app_state_sync', { state_sync: [entry('remove')] })
      expect((await contacts())[0]).toMatchObject({ name: 'Ann' })
    })
  })

  test('fields that nobody reads yet are stored, counted and harmless', async () => {
    for (const field of [
      'business_username_updates',
      'account_settings_update',
      'flows',
      'payment_configuration_update',
    ])
      await say(field, { event: field })
    await say('field_of_next_year', { event: 'x' })
    const reasons = (await items('unhandled')).map(({ reason }) => reason)
    expect(reasons.sort()).toEqual(['not_used', 'not_used', 'unknown_field'])
  })
})
