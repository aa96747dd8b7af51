import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CONTEXT } from '../support/browser/browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { aPlayground } from '../support/serve.ts'
import { caFile, testCertificates } from '../support/tls.ts'
import { waitFor } from '../support/wait-for.ts'

/** What a person does: each field typed into and each click is one. */
function aPerson(page: Page) {
  let interactions = 0
  return {
    get interactions() {
      return interactions
    },
    async type(label: string, text: string) {
      interactions++
      await page.getByLabel(label, { exact: true }).fill(text)
    },
    async press(role: 'button' | 'link', name: string, within = 'body') {
      interactions++
      await page.locator(within).getByRole(role, { name, exact: true }).click()
    },
  }
}

test('from the first start to a message that was read, with its webhook told, takes at most 12 interactions', async () => {
  await using closing = new AsyncDisposableStack()
  const authority = await caFile()
  closing.defer(authority.remove)
  const play = await aPlayground()
  closing.defer(play.dispose)
  const { trusted } = await testCertificates()
  const receiver = await startHostileReceiver({ tls: trusted })
  closing.defer(receiver.close)
  const gateway = await play.serve([], { POSTERN_WEBHOOK_CA_FILE: authority.file })
  const browser = await connectBrowser()
  closing.defer(() => browser.close())
  const page = await (await browser.newContext({ ...CONTEXT, viewport: { width: 1280, height: 800 } })).newPage()
  const person = aPerson(page)

  await page.goto(gateway.firstRun?.console_link ?? '')
  await person.type('Name', 'Ana Sousa')
  await person.type('Email', 'ana@acme.test')
  await person.type('Password', 'a sentence nobody guesses')
  await person.press('button', 'Create owner account')

  await person.press('link', 'Add a webhook')
  await person.type('Address', `${receiver.url}/hooks`)
  await person.press('button', 'Add webhook', 'dialog')
  await page.getByText('Verified').first().waitFor()

  await person.press('link', 'Home', 'nav')
  await person.press('button', 'Send a test message')
  await person.press('button', 'Send message')
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Nobody reloads: the page shows by itself that the customer has read it, and that the webhook was told.
  await page.getByText('Read', { exact: true }).first().waitFor()
  const told = () => receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type)
  await waitFor(() => told().includes('message.read'), 20_000)

  expect(told().filter((type) => type.startsWith('message.'))).toEqual([
    'message.sent',
    'message.delivered',
    'message.read',
  ])
  expect(person.interactions).toBeLessThanOrEqual(12)
  expect(page.url()).toContain(new URL(gateway.console_url).origin)
}, 180_000)
