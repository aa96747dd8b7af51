import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEntryLink } from '../../server/src/people/make-entry-link.ts'
import { findUserByEmail } from '../../server/src/store/accounts/users.ts'
import { axeViolationsInBothThemes, overflowOnPhone, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { openWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { sharedConsole } from '../support/console/console-world.ts'
import { aProvider, clientId, clientSecret, type TestProvider } from '../support/oidc/a-provider.ts'

const aConsole = sharedConsole()
let browser: Browser
let provider: TestProvider
let world: ConsoleService

beforeAll(async () => {
  browser = await connectBrowser()
  provider = await aProvider()
  world = await aConsoleService('sqlite', {
    POSTERN_OIDC_ISSUER: provider.issuer,
    POSTERN_OIDC_CLIENT_ID: clientId,
    POSTERN_OIDC_CLIENT_SECRET: clientSecret,
  })
  provider.register(world.url)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await provider?.stop()
})

describe('the page before the sign-in', () => {
  test('says where the link is while nobody has taken over the installation', async () => {
    const { url } = await aConsole()
    const { page, context, faults } = await openWindow(browser, {})
    await visit(page, url)
    await page.getByRole('heading', { name: 'Not set up yet' }).waitFor()
    await page.getByText('postern setup-link').waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('leads to the provider and back: joining by an invitation, signing in, and what was refused', async () => {
    provider.people.set('ben', { name: 'Ben', email: 'ben@acme.test', email_verified: true })
    provider.signsInAs = 'ben'
    const { page, context, faults } = await openWindow(browser, {})
    const go = { name: `Continue with ${new URL(provider.issuer).host}` }
    await visit(page, world.url)
    await page.getByRole('button', go).click()
    await page.getByText('Nobody here is linked to this sign-in.').waitFor()
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    expect(await overflowOnPhone(page)).toBe(0)

    const invited = { name: 'Ben Ode', email: 'ben@acme.test', role: 'support' }
    const { link } = (await world.owner.call('POST', '/members', invited)).json.data
    await page.goto(link)
    await page.getByRole('button', go).click()
    await page.getByRole('link', { name: 'Conversations' }).first().waitFor()
    await context.clearCookies()
    await page.goto(`${world.url}/conversations`)
    await page.getByRole('button', go).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Conversations' }).first().waitFor()
    expect(page.url()).toBe(`${world.url}/conversations`)
    expect(faults).toEqual([])
    await context.close()
  }, 60_000)

  test('opens a link of the operator by one press', async () => {
    const { rt } = world.service
    const [user] = await rt.store.read(findUserByEmail, { email: 'ana@acme.test' })
    if (!user) throw new Error('no owner')
    const { link } = await makeEntryLink(rt, user)
    const { page, context, faults } = await openWindow(browser, {})
    await visit(page, link)
    await page.getByText('This link signs you in as ana@acme.test, once.').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Settings' }).first().waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
