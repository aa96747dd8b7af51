import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ItemInContext, ItemOutcome } from '../../server/src/channels/callbacks/callback-items.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, aStatus, aText } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

/** The parser alone meets 1,000 bodies beside its source; these go the whole way, from the socket to the handlers. */
const bodies = scaled(100)
const seed = 20_261_115

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    null,
    { id: 5 },
    { id: 'wamid.X', status: { deep: [] } },
    { id: '\u0000', type: '\ud800', from: [] },
    { id: 'wamid.Y', timestamp: 'soon', type: 'hologram' },
  ),
)
const parts = fc.record({
  messages: fc.array(junk, { maxLength: 3 }),
  statuses: fc.array(junk, { maxLength: 3 }),
  changes: fc.array(junk, { maxLength: 2 }),
  entries: fc.array(junk, { maxLength: 2 }),
  field: fc.oneof(fc.constant('messages'), fc.string()),
})

test.each(engines)(
  'a well-signed body is always answered 200, and no valid item is lost among any rubbish, on %s',
  async (engine) => {
    const world = await aChannelWorld(engine)
    const seen = new Set<string>()
    const note = async (_rt: Runtime, batch: readonly ItemInContext[]): Promise<ItemOutcome[]> => {
      for (const { item } of batch)
        if ('channelMessageId' in item && item.channelMessageId !== null) seen.add(item.channelMessageId)
      return batch.map(() => 'applied')
    }
    const channel = await world.connect(await world.newAccount())
    const applier = startCallbackApplier(world.rt, { message: note, status: note })
    try {
      const samples = fc.sample(parts, { numRuns: bodies, seed })
      const metadata = { phone_number_id: channel.phoneNumberId }
      const bodyOf = (rubbish: (typeof samples)[number], index: number): string => {
        const value = {
          metadata,
          messages: [...rubbish.messages, aText(`wamid.IN${index}`)],
          statuses: [aStatus(`wamid.OUT${index}`), ...rubbish.statuses],
        }
        const odd = { field: rubbish.field, value: rubbish.messages }
        const good = { id: channel.wabaId, changes: [odd, ...rubbish.changes, { field: 'messages', value }] }
        return JSON.stringify({ object: 'whatsapp_business_account', entry: [...rubbish.entries, good] })
      }
      for (let start = 0; start < bodies; start += 20) {
        const batch = samples.slice(start, start + 20).map((rubbish, index) => bodyOf(rubbish, start + index))
        const answers = await Promise.all(batch.map((body) => world.post(channel, body)))
        expect(answers.map(({ status }) => status)).toEqual(batch.map(() => 200))
      }
      await waitFor(async () => {
        const [count] = await world.rt.store.read(countCallbacks, {})
        return count?.stored === bodies && count.applied === bodies
      }, 30_000)
      const wanted = samples.flatMap((_, index) => [`wamid.IN${index}`, `wamid.OUT${index}`])
      expect(wanted.filter((id) => !seen.has(id))).toEqual([])
      expect(world.logLines.filter((line) => line.includes('callback.postponed'))).toEqual([])
      recordFigure('callbacks to the end', `${engine}: bodies, every valid item applied`, bodies)
    } finally {
      await applier.drain(5_000)
      await world.dispose()
    }
  },
  60_000 + bodies * 50,
)
