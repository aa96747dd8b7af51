import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { axeViolations, follow, openConsole, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow, takeCookie } from '../support/browser/shared-window.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import {
  aMember,
  anOwner,
  type ConsoleWorld,
  password,
  startConsole,
  type Visitor,
  withNewAccount,
} from '../support/console/console-world.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleWorld
let owner: Visitor

beforeAll(async () => {
  browser = await connectBrowser()
  world = await startConsole()
})
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})
// Each of these tests changes the account, the session or the time.
beforeEach(async () => {
  world = await withNewAccount(world)
  owner = await anOwner(world)
  await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
})

const window = sharedWindow(() => openConsole(browser, world))

async function open(path: string): Promise<Page> {
  const { page, context } = await window()
  await takeCookie(context, owner.cookie)
  await page.clock.setFixedTime(world.clock.now())
  await visit(page, `${world.url}${path}`)
  return page
}

describe('a suspended account', () => {
  test('is told so on every page, in words', async () => {
    await changeAccount(world.rt, world.accountId, { status: 'suspended' }, operator)
    const page = await open('/api-keys')
    await page.getByText('The account Acme Store is suspended').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('signing out', () => {
  test('that did not reach the gateway says that one is still in, and works the second time', async () => {
    const page = await open('/help')
    await page.route('**/console/api/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'You are still signed in' })
    await dialog.getByText('The gateway did not respond.').waitFor()
    await page.unroute('**/console/api/sign-out')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await owner.call('GET', '/session')).status).toBe(401)
  })
})

describe('the end of a session', () => {
  /** A person who comes back every few hours, until so long before the seventh day is over. */
  async function stayUntil(leftMs: number): Promise<void> {
    const hourMs = 3_600_000
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      world.clock.advance(8 * hourMs)
      expect((await owner.call('GET', '/session')).status).toBe(200)
    }
    const { ends_at: endsAt } = (await owner.call('GET', '/session')).json.data
    world.clock.advance(Date.parse(endsAt) - world.clock.now() - leftMs)
  }

  test('is put off by asking, as long as it can be', async () => {
    const { ends_at: endsAt } = (await owner.call('GET', '/session')).json.data
    world.clock.advance(Date.parse(endsAt) - world.clock.now() - 60_000)
    // The page looks at the session before it warns, and asking for it puts the end off already.
    const page = await open('/help')
    expect(await page.getByText('You will be signed out').count()).toBe(0)
    expect((await owner.call('GET', '/session')).json.data.extendable).toBe(true)
  })

  test('that nothing puts off is met by a new sign-in, on the same page', async () => {
    await stayUntil(60_000)
    const page = await open('/settings/security')
    await page.getByText('because you signed in 7 days ago').waitFor()
    expect(await page.getByRole('button', { name: 'Stay signed in' }).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await owner.call('GET', '/session')).status).toBe(401)
    await page.getByLabel('Email').fill(`ana@${world.domain}`)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/security')
    expect(await page.getByText('You will be signed out').count()).toBe(0)
  })
})

describe('a session that ends during work', () => {
  test('asks for the password only, says why, and leads back', async () => {
    const page = await open('/settings/members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page.getByLabel('Name').fill('Bruno')
    await owner.call('POST', '/sign-out')
    await page.getByText('Your session ended.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(`ana@${world.domain}`)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Bruno')
  })
})

describe('the settings', () => {
  test('begin with the members, and tell the workspace from the person', async () => {
    const page = await open('/settings')
    const sections = page.getByRole('navigation', { name: 'Settings' })
    const names = (group: string) => sections.getByRole('list', { name: group }).getByRole('link').allTextContents()
    await sections.locator('[aria-current=page]', { hasText: 'Members' }).waitFor()
    expect((await names('Workspace')).at(0)).toBe('Members')
    expect(await names('You')).toEqual(['Security', 'Alerts'])
  })
})

describe('the plan', () => {
  test('on an open page follows the operator', async () => {
    const page = await open('/settings/plan')
    const plan = page.getByRole('region', { name: 'Your plan' })
    await plan.getByText('Starter').waitFor()
    await changeAccount(world.rt, world.accountId, { plan: 'professional' }, operator)
    await plan.getByText('Professional').waitFor({ timeout: 10_000 })
  })
})

describe('an API key that is changed elsewhere while it is edited', () => {
  test('says so before the change is replaced', async () => {
    const page = await open('/api-keys')
    await page.getByRole('button', { name: 'Actions for Warehouse' }).click()
    await page.getByRole('menuitem', { name: 'Edit access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/8')
    const { keys } = (await owner.call('GET', '/keys')).json.data
    const { id, scopes } = keys.find(({ name }: { name: string }) => name === 'Warehouse')
    await owner.call('PUT', `/keys/${id}`, { name: 'Depot', scopes, allowed_ips: null })
    await dialog.getByText('This key was changed elsewhere while you were editing.').waitFor()
    expect(await dialog.getByLabel('Allowed addresses').inputValue()).toBe('10.0.0.0/8')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Actions for Depot' }).waitFor()
  })
})

describe('a member who was removed', () => {
  test('leaves the focus in the page, where the menu of the row was', async () => {
    const page = await open('/settings/members')
    await page.getByRole('button', { name: 'Actions for Bruno Dias' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove member' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('#content:focus').waitFor()
  })
})

describe('an export', () => {
  /** Presses the button, gives the password when asked, and reads the result. */
  async function take(page: Page, isAsked: boolean): Promise<{ name: string; text: string }> {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    if (isAsked) {
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
      await dialog.getByLabel('Password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
    }
    const download = await coming
    return { name: download.suggestedFilename(), text: await text(await download.createReadStream()) }
  }

  test('of each log asks for the password when it was not given lately, and holds what the page shows', async () => {
    world.clock.advance(6 * 60_000)
    const page = await open('/logs?outcome=refused&search=template_not_found')
    const requests = await take(page, true)
    expect(requests.name).toMatch(/^postern-requests-\d{4}-\d\d-\d\d\.csv$/)
    const rows = requests.text.trim().split('\r\n').slice(1)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !row.includes('template_not_found'))).toEqual([])
    await page.getByText('Exported API requests').first().waitFor()

    await follow(page, '/messages?code=customer_window_closed')
    const messages = await take(page, false)
    expect(messages.text).toContain('customer_window_closed')
    expect(messages.text).not.toContain('template_not_found')

    await follow(page, '/settings/audit?action=requests')
    await page.getByRole('row').filter({ hasText: 'Ana Sousa exported the API request log' }).waitFor()
    const audit = await take(page, false)
    expect(audit.text.trim().split('\r\n')).toHaveLength(2)
    expect(audit.text).toContain('requests.exported')
  })

  test('that is refused says why, in the words of the API, and can be tried again', async () => {
    const page = await open('/settings/audit')
    const error = { code: 'rate_limit_exceeded', message: 'At most ten exports can be made in a minute.' }
    const exports = '**/console/api/exports/audit'
    await page.route(exports, (route) =>
      route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify({ success: false, error }) }),
    )
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByRole('alert').getByText(error.message).waitFor()
    await page.unroute(exports)
    expect((await take(page, false)).text).toContain('owner.set_up')
    expect(await page.getByText(error.message).count()).toBe(0)
  })
})

describe('the audit log', () => {
  test('is narrowed by what happened and by who did it, in the address of the page', async () => {
    await aMember(world, 'developer')
    const page = await open('/settings/audit')
    const lines = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
    await page.getByLabel('Action').selectOption({ label: 'Members' })
    await lines.filter({ hasText: 'Ana Sousa invited' }).waitFor()
    await page.getByLabel('Who').selectOption({ label: 'The developer' })
    await lines.filter({ hasText: 'Ana Sousa invited' }).waitFor({ state: 'detached' })
    expect(await lines.allTextContents()).toEqual([expect.stringContaining('The developer joined')])
    expect(new URL(page.url()).search).toMatch(/^\?action=member&actor=usr_/)
    await page.getByLabel('Action').selectOption({ label: 'Webhooks' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await lines.filter({ hasText: 'Ana Sousa invited' }).waitFor()
  })

  test('is searched and cut by dates, and an entry leads to what it is about and says what changed', async () => {
    await owner.call('POST', '/webhooks', { url: 'https://zimt.acme.test/in', events: ['*'], description: 'Zimt' })
    const { name } = (await owner.call('GET', '/account')).json.data
    await owner.call('PUT', '/account', { name: 'Zimtstern' })
    const page = await open('/settings/audit')
    const lines = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
    await page.getByLabel('Search names and changes').fill('zimt')
    await waitFor(async () => (await lines.count()) === 2)
    await lines.filter({ hasText: 'added the webhook' }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('link').first().click()
    await page.waitForURL(/\/webhooks\/whk_/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await follow(page, '/settings/audit?search=zimt')
    await lines.filter({ hasText: 'renamed the account' }).getByRole('button').click()
    const facts = page.getByRole('dialog').locator('.facts')
    const factOf = (term: string) => facts.locator(`dt:text-is("${term}") + dd`).textContent()
    expect([await factOf('Before'), await factOf('After')]).toEqual([name, 'Zimtstern'])
    await page.keyboard.press('Escape')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('Nothing in the audit log matches').waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('')
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await waitFor(async () => (await lines.count()) === 2)
  })
})
