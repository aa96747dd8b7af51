import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolationsInBothThemes, overflowOnPhone } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { did } from '../support/console/two-tenants.ts'
import { type GraphTool, startGraphTool } from '../support/receiver/graph-tool.ts'
import { waitFor } from '../support/wait-for.ts'

describe('the pages of connections', { timeout: 60_000 }, () => {
  let world: ConsoleService
  let browser: Browser
  let opened: OpenPage
  let tool: GraphTool
  let secret = ''
  let token = ''
  beforeAll(async () => {
    world = await aConsoleService('sqlite', { POSTERN_RELAY_ALLOW: 'localhost' })
    tool = await startGraphTool({ verifyToken: 'from-chatwoot', appSecret: () => secret })
    browser = await connectBrowser()
    opened = await aWindow(browser, world, world.owner)
  })
  afterAll(async () => {
    await opened?.context.close()
    await browser?.close()
    await tool?.close()
    await world?.stop()
  })

  const isFit = async () => {
    expect(await axeViolationsInBothThemes(opened.page)).toEqual([])
    expect(await overflowOnPhone(opened.page)).toBe(0)
    expect(opened.faults).toEqual([])
  }
  const onlyConnection = async () => (await did(world.owner, 'GET', '/connections')).connections[0]

  test('a tool is connected: its token is shown once, and the page has what to paste and the steps', async () => {
    const { page, go } = opened
    await go('/connections')
    await page.getByRole('heading', { name: 'No tools connected yet' }).waitFor()
    await isFit()
    await page.getByRole('button', { name: 'Connect a tool' }).first().click()
    await page.getByLabel('Name').fill('Help desk')
    await page.getByText('Further permissions and allowed addresses').click()
    await page.getByLabel('Allowed addresses').fill('not an address')
    await isFit()
    await page.getByRole('button', { name: 'Create connection' }).click()
    await page.getByText('Write an address or a range').waitFor()
    await page.getByLabel('Allowed addresses').fill('')
    await page.getByRole('button', { name: 'Create connection' }).click()
    token = (await page.getByTestId('connection-token').textContent()) ?? ''
    expect(token).toMatch(/^ptg_/)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Close without saving the token?').waitFor()
    await page
      .getByRole('button', { name: 'Go back' })
      .or(page.getByRole('button', { name: 'Stay' }))
      .click()
    await page.getByLabel('I have saved it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Help desk' }).waitFor()
    await page.getByText(`WHATSAPP_CLOUD_BASE_URL=${world.service.urls.base}/graph`).waitFor()
    await page.getByText('The tool has not called yet. Follow the steps below.').waitFor()
    expect(await page.content()).not.toContain(token)
    await isFit()
  })

  test('its address is set with the verify token of the tool, and a wrong one is told in the handshake’s words', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Show app secret and verify token' }).click()
    secret = (await page.getByTestId('app-secret').textContent()) ?? ''
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    const set = async (button: string, verifyToken: string) => {
      await page.getByRole('button', { name: button }).click()
      await page.getByLabel('Address', { exact: true }).fill(tool.url)
      await page.getByLabel('Verify token').fill(verifyToken)
      await page.getByRole('button', { name: 'Save and verify' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await set('Set address', 'wrong')
    await page.getByText('The callback address has not passed the handshake', { exact: false }).waitFor()
    await isFit()
    await set('Change address', 'from-chatwoot')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(tool.handshakes).toEqual(['wrong', 'from-chatwoot'])
  })

  test('what it calls and what it is told are on its page, and a delivery can be opened', async () => {
    const { page, go } = opened
    const { body } = await world.control('GET', '/_sandbox')
    const number = body.numbers[0].phone_number_id
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Is it open?' })
    await waitFor(() => tool.requests.length > 0, 20_000)
    const raw = { type: 'voice_call', body: { text: 'Call us' }, action: { name: 'voice_call' } }
    const sent = await world.call('POST', `/graph/v21.0/${number}/messages`, {
      token,
      body: { messaging_product: 'whatsapp', to: world.customer, type: 'interactive', interactive: raw },
    })
    expect(sent.status).toBe(200)
    expect((await world.call('GET', '/graph/v21.0/123', { token })).status).toBe(400)
    const { id } = await onlyConnection()
    await go(`/connections/${id}?tab=calls`)
    await page.getByRole('button', { name: 'GET /graph/:id', exact: true }).click()
    await page.getByRole('dialog').getByText('endpoint_not_found').waitFor()
    await page.keyboard.press('Escape')
    await isFit()
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await page.getByRole('button', { name: 'relay.message' }).first().click()
    await page.getByRole('dialog').getByText('Is it open?').first().waitFor()
    await page.keyboard.press('Escape')
    await isFit()
    await go('/connections')
    await page.getByRole('link', { name: /Help desk/ }).waitFor()
    await isFit()
    await go(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    await page.getByText("Meta's type interactive.voice_call").waitFor()
    await page.getByText('As sent').click()
    await page.getByText('"name": "voice_call"').waitFor()
    await isFit()
  })

  test('options are saved, callbacks paused and resumed, the token rotated, and the connection deleted', async () => {
    const { page, go } = opened
    const { id } = await onlyConnection()
    await go(`/connections/${id}?tab=options`)
    await page.getByLabel('Meta decides each time').check()
    await page.getByLabel('Hosts').fill('chat.example.com')
    await isFit()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast', { hasText: 'Saved' }).waitFor()
    expect((await onlyConnection()).options).toMatchObject({ window: 'meta', hosts: ['chat.example.com'] })
    await page.getByRole('tab', { name: 'Set up' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Callbacks are paused.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Prepare next app secret' }).click()
    await page.getByRole('button', { name: 'Prepare', exact: true }).click()
    await page.getByText('Next app secret', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rotate token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click()
    const rotated = (await page.getByTestId('connection-token').textContent()) ?? ''
    expect(rotated).not.toBe(token)
    await page.getByLabel('I have saved it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The previous one still works', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete connection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete connection' }).click()
    await page.getByRole('heading', { name: 'No tools connected yet' }).waitFor()
    expect((await world.call('GET', '/graph/me', { token: rotated })).status).toBe(401)
    expect(opened.faults).toEqual([])
  })
})
