import type { Browser, Locator, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations, type ConsolePage, openConsole, overflowX, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { appCode } from '../support/console/authenticator.ts'
import {
  aMember,
  anOwner,
  type ConsoleWorld,
  password,
  startConsole,
  type Visitor,
} from '../support/console/console-world.ts'
import { waitFor } from '../support/wait-for.ts'

let world: ConsoleWorld
let owner: Visitor
let browser: Browser
beforeAll(async () => {
  world = await startConsole()
  owner = await anOwner(world)
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})

const stepMs = 30_000
/** The next code of the app. */
function nextCode(secret: string): string {
  world.clock.advance(stepMs)
  return appCode(secret, world.clock.now())
}

/** With the pointer, at the middle of what is seen: something that lies above it would be hit instead. */
async function press(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('Nothing to press.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const secretOf = async (page: Page) =>
  ((await page.getByTestId('two-factor-secret').textContent()) ?? '').replaceAll(' ', '')

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, button(page, 'Sign in'))
}

/** The page asks for the session anew. */
async function comeBackToTab(page: Page): Promise<void> {
  const asked = page.waitForResponse(/console\/api\/session$/)
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await asked
}

/** What a camera in front of the screen would read. */
async function readQrCode(page: Page): Promise<string> {
  const png = await page.getByRole('img', { name: /^QR code/ }).screenshot()
  // As one text: a list of a million numbers takes seconds on its way.
  const image = await page.evaluate<{ width: number; height: number; data: string }>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    canvas.drawImage(bitmap, 0, 0)
    const { width, height, data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height)
    return { width, height, data: Array.from(data, (byte) => String.fromCharCode(byte)).join('') }
  })()`)
  return decodeQR({ ...image, data: Uint8Array.from(Buffer.from(image.data, 'latin1')) })
}

test('two-factor sign-in is switched on, asked for, and switched off again with the pointer', {
  timeout: 60_000,
}, async () => {
  const opened: ConsolePage = await openConsole(browser, world, { cookie: owner.cookie })
  const { page, faults } = opened
  await visit(page, `${world.url}/settings/security`)
  await press(page, button(page, 'Turn on'))
  const secret = await secretOf(page)
  expect(await readQrCode(page)).toContain(`secret=${secret}&issuer=Postern`)
  expect(await axeViolations(page)).toEqual([])
  const codeField = page.getByLabel('Code from your app')
  expect(await codeField.getAttribute('autocomplete')).toBe('one-time-code')
  await codeField.fill('000000')
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: 'Turn on', exact: true }))
  await page.getByText('The code is wrong.').waitFor()
  await codeField.fill(nextCode(secret))
  await press(page, dialog.getByRole('button', { name: 'Turn on', exact: true }))
  await page.getByText('Your recovery codes').waitFor()
  const recovery = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  expect(recovery).toHaveLength(10)
  await press(page, button(page, 'Copy'))
  const copied = `${recovery.join('\n')}\n`
  await waitFor(async () => (await page.evaluate('navigator.clipboard.readText()')) === copied)
  const downloading = page.waitForEvent('download')
  await press(page, button(page, 'Download'))
  expect((await downloading).suggestedFilename()).toBe('postern-recovery-codes.txt')
  // A press beside the dialog must not cost the codes.
  await page.mouse.click(5, 400)
  await page.getByText('Close without saving the codes?').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await press(page, button(page, 'Go back'))
  await press(page, button(page, 'I have saved them'))
  await page.getByText('10 recovery codes left.').waitFor()
  await page.locator('#content:focus').waitFor()

  // Signing in again: the code is pasted as phones write it.
  await opened.context.clearCookies()
  await visit(page, `${world.url}/settings/security`)
  await signIn(page, 'ana@acme.test')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.activeElement.autocomplete')).toBe('one-time-code')
  const code = nextCode(secret)
  await page.evaluate(`navigator.clipboard.writeText('${code.slice(0, 3)} ${code.slice(3)}')`)
  await page.keyboard.press('Control+v')
  await press(page, button(page, 'Sign in'))
  await page.getByText('10 recovery codes left.').waitFor()

  await opened.context.clearCookies()
  await visit(page, `${world.url}/settings/security`)
  await signIn(page, 'ana@acme.test')
  await codeField.fill('000000')
  await press(page, button(page, 'Sign in'))
  await page.getByText('The code is wrong.').waitFor()
  // Fetching the code from another tab must not lead back to the first step, nor its refusal to the other kind of code.
  await comeBackToTab(page)
  await press(page, button(page, 'Use a recovery code'))
  expect(await page.getByText('The code is wrong.').count()).toBe(0)
  await page.getByLabel('Recovery code').fill(recovery[0] ?? '')
  await press(page, button(page, 'Sign in'))
  await page.getByText('9 recovery codes left.').waitFor()

  await press(page, button(page, 'New recovery codes'))
  await dialog.getByLabel('Password').fill(password)
  await page.getByLabel('Code from your app').fill(nextCode(secret))
  await press(page, button(page, 'Create codes'))
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await press(page, button(page, 'I have saved them'))
  await page.getByText('10 recovery codes left.').waitFor()

  await press(page, button(page, 'Turn off'))
  await dialog.getByLabel('Password').fill(password)
  await page.getByLabel('Code from your app').fill(nextCode(secret))
  await press(page, dialog.getByRole('button', { name: 'Turn off', exact: true }))
  await page.getByText('Each sign-in then asks for your password').waitFor()
  expect(faults).toEqual([])
  await opened.close()
})

test('an account that requires it leads a member to set it up, on a phone, and keeps the codes on the screen', {
  timeout: 60_000,
}, async () => {
  await aMember(world, 'support')
  owner = await anOwner(world)
  world.clock.advance(1_000)
  const asOwner = await openConsole(browser, world, { cookie: owner.cookie })
  await visit(asOwner.page, `${world.url}/settings/members`)
  await press(asOwner.page, button(asOwner.page, 'Require it for all members'))
  await button(asOwner.page, 'Make it optional').waitFor()

  const { page, faults, close } = await openConsole(browser, world, { width: 375 })
  await visit(page, `${world.url}/conversations`)
  await signIn(page, 'support@acme.test')
  await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor()
  await press(page, button(page, 'Set up'))
  const secret = await secretOf(page)
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  expect([await overflowX(page), await axeViolations(page)]).toEqual([0, []])
  await page.getByLabel('Code from your app').fill(nextCode(secret))
  await press(page, button(page, 'Turn on'))
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  // A person goes to their password manager and comes back, which makes the page ask for the session anew.
  await page.clock.setFixedTime(world.clock.now() + 5 * 60_000)
  await comeBackToTab(page)
  expect(await page.getByRole('list', { name: 'Recovery codes' }).isVisible()).toBe(true)
  expect([await overflowX(page), await axeViolations(page)]).toEqual([0, []])
  await press(page, button(page, 'I have saved them'))
  await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
  expect(faults).toEqual([])
  await close()

  await asOwner.page.reload()
  await press(asOwner.page, asOwner.page.getByRole('button', { name: 'Actions for The support' }))
  await press(asOwner.page, asOwner.page.getByRole('menuitem', { name: 'New invite link' }))
  await asOwner.page.getByText('For a lost password or phone').waitFor()
  await press(asOwner.page, button(asOwner.page, 'Create link'))
  await asOwner.page.getByTestId('invite-link').waitFor()
  await press(asOwner.page, button(asOwner.page, 'Done'))
  await press(asOwner.page, button(asOwner.page, 'Make it optional'))
  await button(asOwner.page, 'Require it for all members').waitFor()
  expect(asOwner.faults).toEqual([])
  await asOwner.close()
})
