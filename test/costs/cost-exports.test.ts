import { describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { importRates } from '../../server/src/costs/rate-cards.ts'
import { storedHistory } from '../../server/src/messages/message-record.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { insertMessage, newMessage } from '../../server/src/store/messages/messages.ts'
import { aMember, anOwner, type ConsoleWorld, sharedConsole, type Visitor } from '../support/console/console-world.ts'
import { seedNumber } from '../support/console/message-seed.ts'
import { engines } from '../support/postgres/databases.ts'

const aConsole = sharedConsole()
const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
const priceNames = ['price_category', 'price_type', 'price_free', 'price_day', 'currency', 'amount']

/** Newest first: a paid message, a free one, one without a rate, and one of which Meta has told nothing. */
async function seedMessages({ rt, accountId }: ConsoleWorld): Promise<void> {
  const { numberId } = await seedNumber(rt, accountId)
  const text = 'Market,Currency,Marketing,Utility,Authentication,Service\nPortugal,EUR,0.0592,0.0171,n/a,0.0171'
  await importRates(rt, accountId, { name: 'eur.csv', from: '2020-01-01', text }, author)
  const now = rt.clock.now()
  const unit = new Unit()
  for (const [minutes, pricing] of [
    'marketing/regular',
    'service/free_customer_service',
    'authentication',
    undefined,
  ].entries()) {
    const at = now - minutes * 60_000
    const told = pricing === undefined ? {} : { pricing, priceDay: Date.UTC(2026, 9, 1) }
    const step = {
      status: 'delivered' as const,
      at,
      recordedAt: at,
      source: 'channel' as const,
      inferred: false,
      ...told,
    }
    const message = newMessage({
      ...{ id: rt.newId('out'), account_id: accountId, number_id: numberId, country: 'PT', created_at: at },
      ...{ direction: 'outbound', type: 'text', status: 'delivered', history: storedHistory([step]) },
    })
    unit.add(insertMessage, { ...message, customer_address: null })
  }
  await rt.store.write(unit)
}

describe.each(engines)('the message log as a file, on %s', (engine) => {
  test('has the price of each message for those who may see costs, and for nobody else', async () => {
    const world = await aConsole(engine)
    const [owner, support] = [await anOwner(world), await aMember(world, 'support')]
    await seedMessages(world)
    const take = async ({ cookie }: Visitor) => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const answer = await fetch(`${world.url}/console/api/exports/messages`, { headers })
      expect(answer.status).toBe(200)
      return (await answer.text())
        .trim()
        .split('\r\n')
        .map((line) => line.split(','))
    }
    const [head = [], ...rows] = await take(owner)
    expect(head.slice(-priceNames.length)).toEqual(priceNames)
    expect(rows.map((row) => row.slice(-priceNames.length))).toEqual([
      ['marketing', 'regular', 'false', '2026-10-01', 'EUR', '0.0592'],
      ['service', 'free_customer_service', 'true', '2026-10-01', 'EUR', '0.0000'],
      ['authentication', '', 'false', '2026-10-01', 'EUR', ''],
      ['', '', '', '', '', ''],
    ])
    expect(await take(support)).toEqual([head, ...rows].map((row) => row.slice(0, -priceNames.length)))
    // The list itself has no price: it is read far more often than taken away.
    expect((await owner.call('GET', '/messages')).json.data.entries[0]).not.toHaveProperty('price')
  })
})
