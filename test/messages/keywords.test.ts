import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { readFeed } from '../../server/src/events/read-feed.ts'
import { getKeywords, plain, setKeywords } from '../../server/src/messages/keywords.ts'
import { marketingPreference } from '../../server/src/messages/receive-preferences.ts'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, type ChannelWorld, type Connected, messagesBody } from '../support/channel-world.ts'
import { feedSettled } from '../support/feed.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

test.each([
  ['STOP', 'stop'],
  ['  „Stop!“ ', 'stop'],
  ['Ｓｔｏｐ', 'stop'],
  ['stop   it', 'stop it'],
  ['ОТПИСАТЬСЯ.', 'отписаться'],
  ['توقف؟', 'توقف'],
  ['🛑 stop 🛑', 'stop'],
  ['...', ''],
])('%s is compared as "%s"', (written, compared) => {
  expect(plain(written)).toBe(compared)
})

type Told = { preference: string; source: string }

describe.each(engines)('stop and start words on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let serial = 0
  const customer = '+12025550100'
  const owner = () => ({ accountId, phoneNumberIds: null })
  const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
  })
  afterAll(() => world.dispose())

  const seconds = () => Math.floor(world.clock.now() / 1_000)
  /** One callback with a text of the customer, applied. */
  async function writes(body: string, more: { id?: string; at?: number; field?: object } = {}): Promise<void> {
    const id = more.id ?? `wamid.K${++serial}`
    const text = { from: customer.slice(1), id, timestamp: String(more.at ?? seconds()), type: 'text', text: { body } }
    await world.post(channel, messagesBody(channel, { messages: [text] }))
    const applier = startCallbackApplier(world.rt, callbackHandlers)
    await waitFor(async () => {
      const [counts] = await world.rt.store.read(countCallbacks, {})
      return counts?.stored === counts?.applied
    })
    await applier.drain(5_000)
  }
  const word = () => marketingPreference(world.rt, { id: channel.numberId, accountId }, customer)

  test('are off until an operator sets them; then the whole message counts, once, and nothing is replied', async () => {
    await writes('STOP')
    expect((await word()).state).toBe('unknown')
    const words = { stop_words: ['Stop', 'stop!', 'Parar'], start_words: ['Start'] }
    expect(await setKeywords(world.rt, owner(), words, author)).toMatchObject({ stop_words: ['Stop', 'Parar'] })
    expect(await getKeywords(world.rt, owner(), undefined)).toMatchObject({ start_words: ['Start'] })
    await writes('Please stop by tomorrow')
    expect((await word()).state).toBe('unknown')
    await writes(' PARAR! ', { id: 'wamid.STOP' })
    expect(await word()).toMatchObject({ state: 'opted_out', source: 'keyword', by: null })
    await writes('stop')
    world.clock.advance(60_000)
    await writes('Start')
    expect(await word()).toMatchObject({ state: 'opted_in', source: 'keyword' })
    // Meta repeats the old word, and another old one arrives late: the newer one stays.
    await writes(' PARAR! ', { id: 'wamid.STOP', at: seconds() - 61 })
    await writes('Stop', { at: seconds() - 30 })
    expect((await word()).state).toBe('opted_in')
    await feedSettled(world.rt.store)
    const { events } = await readFeed(world.rt, accountId, { type: 'customer.preference_changed' })
    expect(events.map(({ data }) => [(data as Told).preference, (data as Told).source])).toEqual([
      ['opted_out', 'keyword'],
      ['opted_in', 'keyword'],
    ])
    const lines = await world.rt.store.read(readAudit, { account_id: accountId, after: 0, count: 50 })
    const kept = lines.map(({ entry }) => JSON.parse(entry)).filter(({ action }) => /customer\.opted/.test(action))
    expect(kept.map(({ action, metadata }) => [action, metadata.keyword]).sort()).toEqual([
      ['customer.opted_in', 'Start'],
      ['customer.opted_out', 'Parar'],
    ])
    expect(world.sandbox.control.messages({ direction: 'outbound' }).data).toEqual([])
  })

  test('are refused where they could mean both or nothing, and an empty list turns them off', async () => {
    const set = (words: { stop_words?: string[]; start_words?: string[] }) =>
      setKeywords(world.rt, owner(), words, author)
    await expect(set({ stop_words: ['!!!'] })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(set({ stop_words: ['Yes'], start_words: ['YES.'] })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await set({ stop_words: [] })).toMatchObject({ stop_words: [], start_words: ['Start'] })
  })
})
