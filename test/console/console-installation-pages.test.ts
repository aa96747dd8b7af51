import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteTokenRefused } from '../../server/src/channels/token.ts'
import { axeViolationsInBothThemes, overflowOnPhone } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { appCode } from '../support/console/authenticator.ts'
import { aConsoleService, aWindow, type ConsoleService } from '../support/console/console-service.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { waitFor } from '../support/wait-for.ts'

const paths = ['/installation', '/installation/accounts', '/installation/settings']
const word = 'Zimtstern'

let browser: Browser
let world: ConsoleService

beforeAll(async () => {
  browser = await connectBrowser()
  world = await aConsoleService()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('the first owner sees a lost token and a dead webhook, runs the accounts, and reads no word of a customer', async () => {
  const { owner } = world
  const { page, go, faults, context } = await aWindow(browser, world, owner)
  await go('/installation')
  await page.getByText('Operators need two-factor sign-in').first().waitFor()
  const { secret } = (await owner.call('POST', '/me/two-factor')).json.data
  await owner.call('POST', '/me/two-factor/confirm', { code: appCode(secret, Date.now()) })

  await owner.call('PUT', '/account', { name: 'متجر الأزهار في الميناء القديم' })
  const receiver = await startHostileReceiver()
  const { id } = (await world.post('/v1/webhooks', { url: receiver.url, events: ['*'] })).body.data
  const state = async () => (await owner.call('GET', `/webhooks/${id}`)).json.data.webhook.verification.status
  await waitFor(async () => (await state()) === 'verified')
  await receiver.close()
  const sent = await world.post('/v1/chat/messages/send', { to: world.customer, message: `Your ${word} is ready.` })
  expect(sent.status).toBe(200)
  const [channel] = (await owner.call('GET', '/channels')).json.data.channels
  await noteTokenRefused(world.service.rt, channel.id)
  const kinds = async () => {
    const { troubles } = (await owner.call('GET', '/installation')).json.data
    return troubles.map(({ kind }: { kind: string }) => kind)
  }
  await waitFor(async () => (await kinds()).includes('webhook_failing'))
  expect(await kinds()).toEqual(expect.arrayContaining(['token_lost', 'webhook_failing']))
  for (const path of paths) {
    const text = JSON.stringify((await owner.call('GET', path)).json.data)
    expect([text.includes(word), text.includes(world.customer.slice(1))], path).toEqual([false, false])
  }

  await page.reload()
  await page.getByText('Meta rejects the access token').waitFor()
  await page.getByText(`at ${receiver.url} fails`).waitFor()
  expect(await axeViolationsInBothThemes(page)).toEqual([])
  expect(await overflowOnPhone(page)).toBe(0)
  await page.getByRole('button', { name: 'Create account' }).click()
  const name = 'Norddeutsche Blumenhandelsgesellschaft für Hochzeiten und Jubiläen GmbH'
  await page.getByLabel('Name of the business').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click()
  await page.getByTestId('owner-link').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.locator('.toast', { hasText: 'Suspended' }).waitFor()
  await page.getByRole('row', { name }).getByText('Suspended', { exact: true }).waitFor()

  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  const act = dialog.getByRole('button', { name: 'Delete in seven days' })
  await dialog.getByRole('textbox').fill(name.slice(1))
  expect(await act.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(name)
  await act.click()
  await page.getByRole('row', { name }).getByText('Will be deleted on').waitFor()
  expect(await axeViolationsInBothThemes(page)).toEqual([])
  expect(await overflowOnPhone(page)).toBe(0)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Keep account' }).click()
  await dialog.getByRole('button', { name: 'Keep account' }).click()
  await page.getByRole('row', { name }).getByText('Active', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await context.close()
})
