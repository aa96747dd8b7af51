import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenSamples } from '../../console/src/samples.ts'
import { type ConsolePage, fillSetup, follow, openConsole, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow, takeCookie } from '../support/browser/shared-window.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import {
  anOwner,
  type ConsoleWorld,
  password,
  startConsole,
  type Visitor,
  withNewAccount,
} from '../support/console/console-world.ts'

let browser: Browser
let world: ConsoleWorld

beforeAll(async () => {
  browser = await connectBrowser()
  world = await startConsole()
})
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})
beforeEach(async () => {
  world = await withNewAccount(world)
})

const window = sharedWindow(() => openConsole(browser, world))

/** Without a visitor nobody is signed in. */
async function open(visitor?: Visitor): Promise<ConsolePage> {
  const shared = await window()
  await shared.context.clearCookies()
  if (visitor) await takeCookie(shared.context, visitor.cookie)
  await shared.page.clock.setFixedTime(world.clock.now())
  return shared
}

describe('the first visit', () => {
  test('leads from the link to a key whose secret is seen once, works, and is never seen again', async () => {
    const { page } = await open()
    const answers: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/console/api/keys')) answers.push(await response.text().catch(() => ''))
    })
    await page.goto(await world.ownerLink())
    await fillSetup(page, { name: 'Ana Sousa', email: `ana@${world.domain}` })
    await page.getByRole('button', { name: 'Create owner account' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API Keys' }).click()
    await page.getByRole('button', { name: 'Create New API Key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create New API Key' })
    await form.getByLabel('Name').fill('Checkout service')
    await form.getByRole('button', { name: 'Create' }).click()

    const saved = page.getByRole('dialog', { name: 'Save the secret now' })
    const apiKey = (await saved.getByTestId('api-key').textContent()) ?? ''
    expect(await saved.getByTestId('api-secret').textContent()).toMatch(/^pts_•+$/)
    await saved.getByRole('button', { name: 'Show' }).click()
    const apiSecret = (await saved.getByTestId('api-secret').textContent()) ?? ''
    expect(apiSecret).toMatch(/^pts_\w{49}$/)

    await page.keyboard.press('Escape')
    const question = saved.getByText('Close without saving the secret?')
    await question.waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect((await question.boundingBox())?.height).toBeLessThan(60)
    await page.setViewportSize({ width: 1280, height: 800 })
    await saved.getByRole('button', { name: 'Go back' }).click()
    // What was copied is saved: nothing is asked again.
    await saved.getByRole('button', { name: 'Copy API secret' }).click()
    await saved.getByRole('checkbox', { name: 'I have saved it', checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await saved.waitFor({ state: 'detached' })

    answers.length = 0
    await visit(page, `${world.url}/api-keys`)
    expect(await page.content()).not.toContain(apiSecret)
    expect(answers.join()).not.toContain(apiSecret)
    expect(answers.join()).toContain(apiKey)

    const sample = tokenSamples({ baseUrl: world.url, apiKey }).node ?? ''
    expect(await runNode(sample, { POSTERN_API_SECRET: apiSecret })).toMatch(/^eyJ/)
  })

  test('with a link that was used says so, and leads to the sign-in', async () => {
    await anOwner(world)
    const { page } = await open()
    await page.goto(`${world.url}/setup#token=used`)
    await page.getByText('This link was already used or has expired.').waitFor()
    await page.getByRole('link', { name: 'Go to sign in' }).click()
    await page.getByLabel('Email').fill(`ana@${world.domain}`)
    await page.getByLabel('Password').fill('wrong wrong wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Email or password is wrong.').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })
})

describe('an address without https', () => {
  test('explains that sign-in needs https or localhost, instead of a form that leads nowhere', async () => {
    const { page } = await open()
    await page.route('http://gateway.test/**', async (route) => {
      const inside = route.request().url().replace('http://gateway.test', world.url)
      await route.fulfill({ response: await route.fetch({ url: inside }) })
    })
    await page.goto('http://gateway.test/')
    await page.getByText('Sign-in needs https or localhost').waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })
})

describe('inviting a person', () => {
  test('asks for the password again, gives a link once, and the link makes a member', async () => {
    const owner = await anOwner(world)
    const { page } = await open(owner)
    world.clock.advance(6 * 60_000)
    await visit(page, `${world.url}/settings/members`)
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a member' })
    await form.getByLabel('Name').fill('Bruno Dias')
    await form.getByLabel('Email').fill('bruno@acme.test')
    // A slip of the hand costs nothing.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    expect(await form.getByLabel('Name').inputValue()).toBe('Bruno Dias')
    await form.getByRole('button', { name: 'Create invite link' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirm.getByLabel('Password').fill(password)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    const link = (await page.getByTestId('invite-link').textContent()) ?? ''

    const guest = await openConsole(browser, world)
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'Join Acme Store' }).waitFor()
    await fillSetup(guest.page, { name: 'Bruno Dias', email: '' })
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByRole('navigation', { name: 'Main' }).waitFor()
    await guest.page.goto(`${world.url}/settings/members`)
    await guest.page.getByText('Your role developer cannot open Members. Owners: Ana Sousa.').waitFor()
    await guest.close()
    expect(guest.faults).toEqual([])
  })
})

describe('without a mouse', () => {
  test('people sign in, find pages, walk along rows, and get the focus back', async () => {
    await anOwner(world)
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const { page } = await open()
    const { keyboard } = page
    const focused = async (what: string) => (await page.locator(`${what}:focus`).count()) === 1
    await page.goto(`${world.url}/api-keys`)
    await page.getByLabel('Email').waitFor()
    await keyboard.type(`ana@${world.domain}`)
    await keyboard.press('Tab')
    await keyboard.type(password)
    // What was typed can be looked at, and is hidden again.
    const shown = () => page.locator('input[autocomplete=current-password]').getAttribute('type')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    expect([await shown(), await page.getByLabel('Password').inputValue()]).toEqual(['text', password])
    await keyboard.press('Enter')
    expect(await shown()).toBe('password')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API Keys' }).waitFor()

    await keyboard.press('g')
    await keyboard.press('l')
    await page.getByRole('heading', { name: 'API requests' }).waitFor()
    await page.getByRole('table', { name: 'API requests' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('j')
    expect(await focused('tr:nth-child(2) .row-link')).toBe(true)
    await keyboard.press('k')
    await keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Request id').waitFor()
    await keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(await focused('tr:nth-child(1) .row-link')).toBe(true)

    await keyboard.press('Control+k')
    await keyboard.type('audit')
    await keyboard.press('Escape')
    await keyboard.press('Control+k')
    await keyboard.type('create new')
    await keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Create New API Key' })
    await form.waitFor()
    expect(await focused('dialog input')).toBe(true)
    // A shortcut typed into a field is text.
    await keyboard.type('gl?')
    expect(await form.getByLabel('Name').inputValue()).toBe('gl?')
    await keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Help' })
    await help.getByLabel('Single-key shortcuts').uncheck()
    await keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await keyboard.press('?')
    await keyboard.press('g')
    await keyboard.press('d')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/api-keys')
  })

  test('the menu of a narrow screen takes the focus, closes when it leaves, and gives it back on Escape', async () => {
    const owner = await anOwner(world)
    const { page } = await open(owner)
    await page.setViewportSize({ width: 375, height: 800 })
    await visit(page, `${world.url}/help`)
    const menu = page.getByRole('button', { name: 'Menu' })
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    await menu.press('Enter')
    await sidebar.getByRole('link').first().and(page.locator(':focus')).waitFor()
    expect(await menu.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await sidebar.waitFor({ state: 'hidden' })
    expect(await menu.and(page.locator(':focus')).count()).toBe(1)
    await menu.press('Enter')
    await sidebar.getByRole('link').last().press('Tab')
    await page.keyboard.press('Tab')
    await sidebar.waitFor({ state: 'hidden' })
  })

  test('the first stop of every page leads past the navigation', async () => {
    const owner = await anOwner(world)
    const { page } = await open(owner)
    await visit(page, `${world.url}/help`)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  })
})

describe('text that wants to be markup', () => {
  const evil = '"><img src=x onerror=reportFault(1)><script>reportFault(2)</script>{{7*7}}'

  test('is shown as text wherever people or programs can write it', async () => {
    const owner = await anOwner(world)
    const named = await owner.call('PUT', '/account', { name: evil.slice(0, 80) })
    const me = await owner.call('PUT', '/me', { name: evil.slice(0, 80) })
    const key = await owner.call('POST', '/keys', { name: evil.slice(0, 80), scopes: ['messages:send'] })
    const person = { name: evil.slice(0, 80), email: '<b>@acme.test', role: 'viewer' }
    const member = await owner.call('POST', '/members', person)
    await owner.call('POST', '/sign-in', { email: `ana@${world.domain}`, password }, { 'user-agent': evil })
    expect([named.status, me.status, key.status, member.status]).toEqual([200, 200, 201, 201])
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const { page } = await open(owner)
    await visit(page, `${world.url}/help`)
    for (const path of [
      '/api-keys',
      '/settings/account',
      '/settings/members',
      '/settings/security',
      '/settings/audit',
    ]) {
      await follow(page, path)
      expect(await page.locator('main img, main script').count(), path).toBe(0)
    }
    await follow(page, '/settings/members')
    expect(await page.getByRole('table').textContent()).toContain('"><img src=x onerror=')
    expect(await page.locator('.account-name').textContent()).toBe(evil.slice(0, 80))
    await follow(page, `/logs?search=${encodeURIComponent(evil)}`)
    expect(await page.getByRole('searchbox').inputValue()).toBe(evil)
  })
})

describe('the theme', () => {
  test('is there with the first paint, and is remembered', async () => {
    const owner = await anOwner(world)
    const { page } = await open(owner)
    await visit(page, `${world.url}/help`)
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(await background()).toBe('rgb(15, 18, 22)')
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })
})

async function runNode(code: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
  return stdout
}
