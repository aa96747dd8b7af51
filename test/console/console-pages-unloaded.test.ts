import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolationsInBothThemes, overflowOnPhone } from '../support/browser/console-browser.ts'
import { liveConsole } from '../support/console/live-console.ts'
import { waitFor } from '../support/wait-for.ts'

const { windowWithClock } = liveConsole()
const script = '**/assets/templates-page-*.js'
const sentence = 'This page could not be loaded.'

/** Where a mouse would press. */
async function press(page: Page, role: 'link' | 'button', name: string): Promise<void> {
  const box = await page.getByRole(role, { name, exact: true }).first().boundingBox()
  if (!box) throw new Error(`${name} is not to be seen.`)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Documents that the window loads from now on. */
function countLoads(page: Page): { loads: number } {
  const counted = { loads: 0 }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) counted.loads += 1
  })
  return counted
}

/** The gateway answers with another version, whose files this tab does not know, and no longer has those it knows. */
async function upgrade(page: Page): Promise<void> {
  await page.route(script, (route) => route.fulfill({ status: 404, json: {} }))
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const body = '<script type="module" src="/assets/index-newer.js"></script>'
      await (route.request().isNavigationRequest() ? route.continue() : route.fulfill({ body }))
    },
  )
}

describe('a page whose script cannot be loaded', () => {
  test('says so inside the frame while the gateway is stopped, and Try again loads it once it is back', async () => {
    const { page, load } = await windowWithClock()
    await load('/help')
    const counted = countLoads(page)
    await page.route('**/*', (route) => route.abort())
    await press(page, 'link', 'Templates')
    await page.getByText(sentence).waitFor()
    await heading(page, 'Templates')
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    expect(await overflowOnPhone(page)).toBe(0)
    await press(page, 'button', 'Try again')
    await page.getByRole('main').getByText('The gateway did not respond.').waitFor()
    await page.goBack()
    await heading(page, 'Docs')
    await page.goForward()
    await page.getByText(sentence).waitFor()
    expect(counted.loads).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(page, 'button', 'Try again')
    await page.getByRole('main').getByRole('row').nth(1).waitFor()
    expect(new URL(page.url()).pathname).toBe('/templates')
  })

  test('loads itself once after an upgrade, and never in a loop', async () => {
    const { page, load } = await windowWithClock()
    await load('/help')
    const counted = countLoads(page)
    await upgrade(page)
    await press(page, 'link', 'Templates')
    await waitFor(() => counted.loads === 1)
    const looked = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
    await page.getByText(sentence).waitFor()
    await looked
    await page.goBack()
    await heading(page, 'Docs')
    expect(counted.loads).toBe(1)
  })

  test('leaves a person who is writing alone', async () => {
    const { page, load } = await windowWithClock()
    await load('/help')
    const counted = countLoads(page)
    await upgrade(page)
    const { promise: gate, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route(script, async (route) => {
      await gate
      await route.fulfill({ status: 404, json: {} })
    })
    await press(page, 'link', 'Templates')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    const looked = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
    letThrough()
    await looked
    await page.getByText(sentence).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('audit')
    expect(counted.loads).toBe(0)
  })
})

test('a page that fails while it is drawn says so, and the others still open', async () => {
  const { page, load } = await windowWithClock()
  const json = { success: true, data: { keys: null } }
  await page.route('**/console/api/keys', (route) => route.fulfill({ json }))
  await load('/help')
  await press(page, 'link', 'API Keys')
  await page.getByText(sentence).waitFor()
  await press(page, 'link', 'Messages')
  await heading(page, 'Messages')
})
