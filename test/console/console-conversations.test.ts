import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import { requireMarketingAllowed } from '../../server/src/messages/receive-preferences.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { insertMessage, type MessageRow, newMessage } from '../../server/src/store/messages/messages.ts'
import { aMember, anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { seedNumber } from '../support/console/message-seed.ts'
import { noteWord } from '../support/note-word.ts'
import { engines } from '../support/postgres/databases.ts'

const ana = '+351911111111'
const bruno = '+351922222222'
const nina = '+351933333333'
const former = '+351944444444'
const current = '+351955555555'
const hiddenNumber = 'PT.77'

type Line = {
  customer: string
  unread: number
  last_message: { preview: string } | null
  found: { preview: string } | null
}

describe.each(engines)('conversations on %s', (engine) => {
  let world: ConsoleWorld
  let owner: Visitor
  let numbers: { cloud: string; other: string }

  beforeAll(async () => {
    world = await startConsole(engine)
    owner = await anOwner(world)
    const cloud = (await seedNumber(world.rt, world.accountId)).numberId
    numbers = { cloud, other: (await seedNumber(world.rt, world.accountId, 'connected', 'sandbox')).numberId }
    await seed()
  })
  afterAll(() => world.dispose())

  const agoMs = (minutes: number) => world.clock.now() - minutes * minuteMs

  async function seed(): Promise<void> {
    type Wrote = { name?: string; userId?: string; former?: string[]; numberId?: string; unread?: number }
    const wrote = (
      address: string,
      minutes: number,
      { numberId = numbers.cloud, unread = 0, ...change }: Wrote = {},
    ) => {
      const own = address.startsWith('+') ? { phone: address, userId: null } : { phone: null, userId: address }
      const identity = { ...own, ...change, at: agoMs(minutes) }
      return noteWritten(world.rt, { accountId: world.accountId, numberId, identity, unread })
    }
    await wrote(ana, 50, { name: 'Ana Sousa', unread: 2 })
    // Known by a number and by a user id: one customer.
    await wrote(bruno, 1, { name: 'Bruno Dias', userId: 'PT.22' })
    // Wrote to both numbers of the account.
    await wrote(nina, 30 * 60, { name: 'Нина', numberId: numbers.other, unread: 1 })
    await wrote(nina, 20, { name: 'Нина' })
    await wrote(former, 40)
    await wrote(current, 10, { name: 'Zoë', former: [former] })
    await wrote(hiddenNumber, 30)
    const unit = new Unit()
    const message = (minutes: number, text: string, change: Partial<MessageRow>) =>
      unit.add(
        insertMessage,
        newMessage({
          direction: 'outbound',
          type: 'text',
          status: 'sent',
          history: '[]',
          id: world.rt.newId('out'),
          account_id: world.accountId,
          number_id: numbers.cloud,
          content: JSON.stringify({ text }),
          created_at: agoMs(minutes),
          customer_address: change.phone ?? change.user_id ?? null,
          ...change,
        }),
      )
    const received = { direction: 'inbound', status: 'received' }
    message(50, 'Is it on its way? "Yes"\nor no', { phone: ana, customer_name: 'Ana Sousa', ...received })
    message(2, 'Hello Bruno', { phone: bruno, sent_by: world.ownerId })
    message(1, 'Olá', { user_id: 'PT.22', ...received })
    message(40, 'From my old phone', { phone: former, ...received })
    const failure = { code: 'recipient_unreachable', message: 'No.', retryable: false, upstream: null }
    message(10, 'ПРИВЕТ', { phone: current, status: 'failed', error: JSON.stringify(failure) })
    await world.rt.store.write(unit)
  }

  const read = async (path: string, visitor = owner) => (await visitor.call('GET', path)).json.data
  const found = async (search: string) =>
    (await read(`/conversation-search?search=${encodeURIComponent(search)}`)).conversations as Line[]
  const thread = (customer: string, more = '') => read(`/conversation?customer=${encodeURIComponent(customer)}${more}`)

  test('list each customer once, by their last activity', async () => {
    const { conversations } = (await read('/conversations')) as { conversations: Line[] }
    expect(conversations.map((line) => [line.customer, line.unread, line.last_message?.preview ?? null])).toEqual([
      [bruno, 0, 'Olá'],
      [current, 0, 'ПРИВЕТ'],
      [nina, 1, null],
      [hiddenNumber, 0, null],
      [ana, 2, 'Is it on its way? "Yes"\nor no'],
    ])
    expect(conversations[4]).toMatchObject({
      name: 'Ana Sousa',
      phone_number: '+351210000000',
      waiting_since: expect.any(String),
      window: { state: 'open' },
    })
  })

  test('are listed page by page without a gap', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await read(`/conversations?limit=1${cursor}`)
      seen.push(...page.conversations.map(({ customer }: Line) => customer))
      cursor = page.pagination.next_cursor ? `&cursor=${page.pagination.next_cursor}` : ''
    } while (cursor !== '')
    expect(seen).toEqual([bruno, current, nina, hiddenNumber, ana])
  })

  test.each([
    ['a part of a name, whatever its capitals', 'sousa', [ana]],
    ['a name in another alphabet', 'нина', [nina]],
    ['a part of a number', '922 222', [bruno]],
    ['a word of a message', 'WAY?', [ana]],
    ['a word in capitals of another alphabet', 'привет', [current]],
    ['quotes and line breaks', '"Yes"\nor', [ana]],
    ['what only JSON says', '{"text"', []],
    ['a sign that means anything elsewhere', '%', []],
  ])('are found by %s', async (_, search, customers) => {
    expect((await found(search)).map(({ customer }) => customer)).toEqual(customers)
  })

  test('are found by words with the message that says them', async () => {
    expect((await found('on its way'))[0]?.found?.preview).toContain('Is it on its way?')
  })

  test('can begin with a number that never wrote', async () => {
    const { address, conversations } = await read('/conversation-search?search=351%20966%20666%20666')
    expect([address, conversations]).toEqual(['+351966666666', []])
    expect(await thread('+351966666666')).toMatchObject({
      messages: [],
      window: { state: 'unknown' },
      number: { phone_number: expect.any(String) },
    })
  })

  test('hold what was written under every address of a customer, with who sent and why it failed', async () => {
    const two = await thread(current)
    expect(two.messages.map(({ content }: { content: { text: string } }) => content.text)).toEqual([
      'From my old phone',
      'ПРИВЕТ',
    ])
    expect(two.messages[1].failure).toMatchObject({ code: 'recipient_unreachable', help: expect.stringMatching(/\w/) })
    const { messages, name } = await thread(bruno)
    expect([name, ...messages.map((message: { sent_by: string | null }) => message.sent_by)]).toEqual([
      'Bruno Dias',
      'Ana Sousa',
      null,
    ])
  })

  test('go back page by page', async () => {
    const newest = await thread(bruno, '&limit=1')
    expect(newest.messages[0].content.text).toBe('Olá')
    const older = await thread(bruno, `&limit=1&cursor=${newest.pagination.next_cursor}`)
    expect([older.messages[0].content.text, older.pagination.has_more]).toEqual(['Hello Bruno', false])
  })

  test('are masked in the list for who sees no people, and can neither be searched nor opened', async () => {
    const developer = await aMember(world, 'developer')
    const { status, json } = await developer.call('GET', '/conversations')
    expect(status).toBe(200)
    const [line] = json.data.conversations
    expect(line).toMatchObject({ customer: '+3519•••••222', name: null, last_message: { preview: null } })
    const seen = JSON.stringify(json)
    for (const secret of ['911111111', 'Ana Sousa', 'PT.22', 'ПРИВЕТ', 'Hello Bruno'])
      expect(seen).not.toContain(secret)
    const tries = [
      '/conversation-search?search=sousa',
      `/conversation?customer=${encodeURIComponent(ana)}`,
      `/customer?customer=${encodeURIComponent(ana)}`,
    ]
    for (const path of tries) {
      const { status, json } = await developer.call('GET', path)
      expect([status, json.error.code]).toEqual([403, 'insufficient_role'])
      expect(JSON.stringify(json)).not.toContain('911111111')
    }
    expect((await developer.call('POST', '/conversation/read', { customer: ana })).status).toBe(403)
  })

  test('show support the customer, and let nobody but owners and admins erase them', async () => {
    const support = await aMember(world, 'support')
    const place = { accountId: world.accountId, numberId: numbers.cloud }
    await noteWord(world.rt, { ...place, phone: ana, state: 'opted_out', at: agoMs(5) })
    expect(await read(`/customer?customer=${encodeURIComponent(ana)}`, support)).toMatchObject({
      names: ['Ana Sousa'],
      addresses: [{ address: ana, kind: 'phone' }],
      numbers: [{ phone_number: '+351210000000', marketing: { state: 'opted_out' } }],
    })
    const refused = await support.call('POST', '/customer/erase', { customer: ana })
    expect([refused.status, refused.json.error.required_scope]).toEqual([403, 'customers:erase'])
  })

  test('stop marketing messages to a customer who asked a person for it, and allow them again', async () => {
    const set = (preference: string, as = owner) =>
      as.call('POST', '/customer/preference', { customer: bruno, preference })
    const sent = () =>
      requireMarketingAllowed(
        world.rt,
        { id: numbers.cloud, accountId: world.accountId, phoneNumber: '+351210000000' },
        bruno,
      )
    const states = async (answer: Awaited<ReturnType<typeof set>>) =>
      answer.json.data.numbers.map(({ marketing }: { marketing: { state: string } }) => marketing.state)
    await sent()
    const stopped = await states(await set('opted_out'))
    expect([...new Set(stopped)]).toEqual(['opted_out'])
    // Each number of the account, also one the customer never wrote to.
    expect(stopped).toHaveLength(2)
    await expect(sent()).rejects.toMatchObject({ code: 'recipient_opted_out' })
    await set('opted_out')
    world.clock.advance(1_000)
    expect([...new Set(await states(await set('opted_in')))]).toEqual(['opted_in'])
    await sent()
    expect((await read('/audit?action=customer.opted_out')).entries).toHaveLength(1)
    expect((await set('opted_out', await aMember(world, 'viewer'))).status).toBe(403)
  })

  test('end with the erasure of a customer, and a receipt that names nobody', async () => {
    const { json } = await owner.call('POST', '/customer/erase', { customer: former })
    expect(json.data).toMatchObject({
      erased_by: 'Ana Sousa',
      rows: expect.arrayContaining([{ table: 'messages', count: 2 }]),
    })
    expect(JSON.stringify(json)).not.toContain(former)
    expect((await found('Zoë')).concat(await found('old phone'))).toEqual([])
    const { entries } = await read('/audit?action=customer.erased')
    expect(entries[0]).toMatchObject({ actor: { name: 'Ana Sousa' }, metadata: { messages: 2 } })
  })
})
