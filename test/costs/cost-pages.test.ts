import { text } from 'node:stream/consumers'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countCreated } from '../../server/src/analytics/count-message.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { importRates } from '../../server/src/costs/rate-cards.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { messageFacts } from '../../server/src/messages/message-record.ts'
import type { StatusItem } from '../../server/src/platform/callback-item.ts'
import { saveTier } from '../../server/src/store/costs/volume-tiers.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { insertMessage, newMessage } from '../../server/src/store/messages/messages.ts'
import { axeViolationsInBothThemes, openConsole, overflowOnPhone, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aMember, anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { seedNumber } from '../support/console/message-seed.ts'

const names = [
  'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle',
  'תקציב לחגי תשרי (2026) – כל הלקוחות',
  'Spring sale',
]
const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }

describe('costs in the console', () => {
  let world: ConsoleWorld
  let owner: Visitor
  let browser: Browser
  beforeAll(async () => {
    world = await startConsole()
    owner = await anOwner(world)
    const text = 'Market,Currency,Marketing,Utility\nPortugal,EUR,0.0592,0.0171'
    await importRates(world.rt, world.accountId, { name: 'eur.csv', from: '2020-01-01', text }, author)
    await deliverOne(world)
    for (const name of names) {
      const budget = { name, limit: '123456789.00', period: 'month', currency: 'EUR' }
      expect((await owner.call('POST', '/budgets', budget)).status).toBe(200)
    }
    browser = await connectBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.dispose()
  })

  const open = async (path: string, { cookie }: Visitor = owner) => {
    const opened = await openConsole(browser, world, { cookie })
    await visit(opened.page, `${world.url}${path}`)
    return opened
  }

  test('budgets with long names and names from right to left can be changed on a phone, and nothing covers anything', async () => {
    await using opened = disposable(await open('/costs'))
    const { page } = opened
    await page.getByRole('table', { name: 'Budgets' }).waitFor()
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    expect(await overflowOnPhone(page)).toBe(0)
    await page.setViewportSize({ width: 375, height: 812 })
    const rows = await page.getByRole('table', { name: 'Budgets' }).locator('tbody tr').all()
    expect(rows).toHaveLength(names.length)
    for (const row of rows) expect(await overlapsIn(row)).toEqual([])
    await page.getByRole('button', { name: 'Change' }).first().click()
    await page.getByRole('dialog', { name: /^Change the budget/ }).waitFor()
  })

  test('a rate card can be removed on a phone, and nothing covers its state', async () => {
    await using opened = disposable(await open('/settings/rates'))
    const { page } = opened
    await page.setViewportSize({ width: 375, height: 812 })
    const row = page.locator('tbody tr').filter({ hasText: 'eur.csv' })
    await row.waitFor()
    expect(await overlapsIn(row)).toEqual([])
  })

  test('the tiers that Meta reports are told as information, with their messages in words', async () => {
    await using opened = disposable(await open('/costs'))
    const row = opened.page.getByRole('table', { name: 'Volume tiers' }).locator('tbody tr')
    await row.waitFor()
    expect(await row.innerText()).toMatch(/India\s+Utility\s+25,000,001 to 50,000,000\s/)
  })

  test('the export of Analytics has what each day costs, for those who may see costs', async () => {
    const take = async (visitor: Visitor): Promise<string[]> => {
      await using opened = disposable(await open('/analytics?days=7&by=country', visitor))
      const coming = opened.page.waitForEvent('download')
      await opened.page.getByRole('button', { name: 'Export CSV' }).click()
      return (await text(await (await coming).createReadStream())).trim().split('\r\n')
    }
    const [head, ...rows] = await take(owner)
    expect(head).toMatch(/^\uFEFF?Country,Day,Sent,Delivered,Read,Failed,Received,Replies,Taps,Cost in EUR$/)
    expect(rows.filter((row) => row.endsWith(',0.0592'))).toHaveLength(1)
    expect((await take(await aMember(world, 'viewer')))[0]).toMatch(/,Failed,Received,Replies,Taps$/)
  })
})

/** One marketing message, delivered now, and a tier of this month. */
async function deliverOne({ rt, accountId }: ConsoleWorld): Promise<void> {
  const { numberId, channelId } = await seedNumber(rt, accountId)
  const at = rt.clock.now()
  const row = newMessage({
    ...{ id: rt.newId('out'), account_id: accountId, number_id: numberId, direction: 'outbound', type: 'template' },
    ...{ status: 'sent', channel_message_id: 'wamid.1', phone: '+351912345678', country: 'PT', category: 'marketing' },
    ...{ template: 'sale', history: '[]', created_at: at },
  })
  const unit = new Unit()
  unit.add(insertMessage, { ...row, customer_address: null })
  countCreated(unit, messageFacts(row))
  const month = new Date(at).toISOString().slice(0, 7)
  const tier = { category: 'utility', region: 'India', tier: '25000001:50000000', since: at }
  unit.add(saveTier, { account_id: accountId, channel_id: channelId, month, ...tier })
  await rt.store.write(unit)
  const item: StatusItem = {
    ...{ kind: 'status', dedupeKey: '1', wabaId: '1', phoneNumberId: '2', channelMessageId: 'wamid.1' },
    ...{ status: 'delivered', platformStatus: 'delivered', at, recipient: { phone: row.phone, userId: null } },
    ...{ correlation: null, failures: [], pricing: { category: 'marketing', type: 'regular' } },
  }
  const channel = { id: channelId, kind: 'cloud' as const, wabaId: '1', timeZone: 'Europe/Lisbon' }
  await applyStatuses(rt, [{ item, context: { accountId, channel, number: null, receivedAt: at } }])
}

/** The texts, chips and buttons of a card that lie upon each other. */
function overlapsIn(row: Locator): Promise<string[]> {
  return row.locator('strong, .chip, button').evaluateAll((elements) => {
    const boxes = elements.map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
    return boxes.flatMap(({ name, box }, index) =>
      boxes
        .slice(index + 1)
        .filter(
          ({ box: other }) =>
            box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
        )
        .map((other) => `${name} and ${other.name}`),
    )
  })
}

function disposable(opened: { page: Page; close(): Promise<void> }) {
  return { page: opened.page, [Symbol.asyncDispose]: () => opened.close() }
}
