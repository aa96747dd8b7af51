import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolationsInBothThemes, follow, overflowOnPhone } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { addAccount, anOwner } from '../support/console/console-world.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleService
let numberId: string
const rightToLeft = 'שלום, מתי המשלוח מגיע?'
const longName = `نور ${'Abcdefghij'.repeat(6)}`

beforeAll(async () => {
  browser = await connectBrowser()
  world = await aConsoleService()
  numberId = (await world.owner.call('GET', '/sandbox/numbers')).json.data.numbers[0].id
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const window = sharedWindow(() => aWindow(browser, world, world.owner))

async function open(path: string): Promise<OpenPage> {
  const opened = await window()
  await opened.go(path)
  return opened
}

async function says(customer: string, text: string): Promise<void> {
  const act = { kind: 'text', text }
  await world.owner.call('POST', '/sandbox/inbound', { number_id: numberId, customer, act })
  await waitFor(async () => (await conversationOf(customer)).messages.at(-1)?.content.text === text, 10_000)
}

async function conversationOf(customer: string) {
  return (await world.owner.call('GET', `/conversation?customer=${encodeURIComponent(customer)}`)).json.data
}

describe('conversations', () => {
  test('the owner answers a customer and sends a template test without reading docs', async () => {
    await says(world.customer, 'Is my order on its way?')
    const { page, go } = await open('/')
    await page.getByRole('link', { name: 'Conversations' }).click()
    const ana = page.getByRole('navigation', { name: 'Customers' }).getByRole('link', { name: /Ana/ })
    await ana.getByText('1 unread').waitFor()
    await ana.click()
    const thread = page.getByRole('log', { name: 'Messages' })
    await thread.getByText('Is my order on its way?').waitFor()
    await page
      .getByText(/^Open: 2[34] hr/)
      .first()
      .waitFor()
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('It arrives tomorrow.')
    await page.keyboard.press('Enter')
    await thread.getByText('It arrives tomorrow.').waitFor()
    await thread.getByText('Ana Sousa').waitFor()
    await page.getByText('1 unread').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Attach or choose' }).click()
    await page.getByRole('menuitem', { name: 'A template…' }).click()
    // Nothing is chosen beforehand: each shows its text.
    expect(await page.getByRole('button', { name: 'Send template' }).count()).toBe(0)
    await page
      .getByRole('button', { name: /^shipping_update/ })
      .first()
      .click()
    // What was made up for the reviewer is not sent to a customer.
    const values = page.getByRole('dialog').getByRole('textbox')
    await page.getByRole('button', { name: 'Send template' }).click()
    await page.getByText('Enter the text that the customer sees here.').first().waitFor()
    for (const field of await values.all()) await field.fill('A-2002')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitFor(async () => (await conversationOf(world.customer)).messages.at(-1).template === 'shipping_update')

    await go('/templates')
    await page
      .getByRole('link', { name: /hello_world/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    expect(await page.getByRole('textbox', { name: 'To' }).inputValue()).toBe(world.customer)
    await page.getByRole('button', { name: 'Send template' }).click()
    await page.getByRole('heading', { level: 1, name: /^Message/ }).waitFor()
  })

  test('a question waits when its dialog is closed by accident, and a new reply can be written at once', async () => {
    await says(world.customer, 'When do you come?')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    const ask = async () => {
      await page.getByRole('button', { name: 'Attach or choose' }).click()
      await page.getByRole('menuitem', { name: 'A question with reply buttons…' }).click()
    }
    await ask()
    await page.getByLabel('Question').fill('Tomorrow?')
    await page.getByLabel('Reply 1').fill('Yes')
    await page.keyboard.press('Escape')
    await ask()
    expect(await page.getByLabel('Question').inputValue()).toBe('Tomorrow?')
    await page.getByLabel('Reply 2').fill('No')
    await page.getByRole('button', { name: 'Add a reply' }).click()
    await page.keyboard.type('Perhaps')
    expect(await page.getByLabel('Reply 3').inputValue()).toBe('Perhaps')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Perhaps').waitFor()
    // A notice lies above the button Send, and is not in its way.
    const { x, y } = (await page.locator('.toast').last().boundingBox()) ?? { x: 0, y: 0 }
    const pressed = `document.elementFromPoint(${x + 20}, ${y + 20}).closest('.toasts')`
    expect(await page.evaluate(`[${pressed}?.className]`)).toEqual([undefined])
    await ask()
    expect(await page.getByLabel('Question').inputValue()).toBe('')
  })

  test('what is written while an answer is on its way stays, and an answer that was refused comes back above it', async () => {
    await says(world.customer, 'Are you there?')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    const held: (() => void)[] = []
    const sends = '**/console/api/messages/send'
    const hold = (go: (route: Route) => Promise<void>) =>
      page.route(sends, async (route) => {
        await new Promise<void>((resolve) => held.push(resolve))
        await go(route)
      })
    const box = page.getByRole('textbox', { name: 'Reply' })
    const sending = page.getByRole('status').filter({ hasText: 'Sending: ' })
    const write = async (text: string) => {
      await box.click()
      await page.keyboard.type(text)
    }

    await hold((route) => route.continue())
    await write('First')
    await page.keyboard.press('Enter')
    await sending.getByText('First').waitFor()
    await write('Second')
    held.pop()?.()
    await page.getByRole('log').getByText('First', { exact: true }).waitFor()
    await sending.waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('Second')

    await page.unroute(sends)
    await hold((route) => route.abort())
    await page.keyboard.press('Enter')
    await sending.getByText('Second').waitFor()
    await write('Third')
    held.pop()?.()
    await page.getByRole('alert').waitFor()
    expect(await box.inputValue()).toBe('Second\nThird')
    await page.unroute(sends)
    await box.fill('')
  })

  test('what failed stands in the thread with the reason, and a closed window offers templates', async () => {
    const unreachable = '+12025550102'
    await says(unreachable, rightToLeft)
    const { page } = await open(`/conversations?customer=${encodeURIComponent(unreachable)}`)
    await page.getByRole('textbox', { name: 'Reply' }).fill('Tomorrow')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const note = page
      .getByRole('note')
      .filter({ hasText: 'This number is not on WhatsApp or cannot receive messages.' })
    await note.waitFor()
    // Codes are for developers, who find them with the message.
    expect(await note.textContent()).not.toContain('recipient_unreachable')
    expect(await note.getByRole('link', { name: 'Details' }).getAttribute('href')).toMatch(/^\/messages\//)
    const written = `[...document.querySelectorAll('.bubble-text')].at(0)`
    expect(await page.evaluate(`getComputedStyle(${written}).direction`)).toBe('rtl')
    const place = { number_id: numberId, customer: unreachable, state: 'closed' }
    await world.owner.call('POST', '/sandbox/window', place)
    await page.reload()
    await page.getByRole('button', { name: 'Send a template' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Reply' }).count()).toBe(0)
  })

  test('an answer that is refused says what to do, in no words of the API', async () => {
    await says(world.customer, 'May I ask something?')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    const sends = '**/console/api/messages/send'
    const error = {
      code: 'channel_rate_limited',
      message: 'Meta accepts no more (Meta code 131048)',
      request_id: 'req_1',
    }
    await page.route(sends, (route) => route.fulfill({ status: 429, json: { success: false, data: null, error } }))
    await page.getByRole('textbox', { name: 'Reply' }).fill('Certainly')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.getByText('WhatsApp is rate-limiting this number. Wait a moment').waitFor()
    expect(await alert.textContent()).not.toMatch(/channel_rate_limited|req_1|131048/)
    await page.unroute(sends)
    await page.getByRole('textbox', { name: 'Reply' }).fill('')
  })

  test('a chosen file leads to its caption, and waits through another conversation', async () => {
    const other = '+12025550111'
    await says(other, 'Where are you?')
    await says(world.customer, 'Please send the invoice')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    await page.getByRole('button', { name: 'Attach or choose' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'A file…' }).click()
    const invoice = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
    await (await chooser).setFiles(invoice)
    await page.locator('textarea:focus').and(page.getByPlaceholder('Add a caption…')).waitFor()
    const people = page.getByRole('navigation', { name: 'Customers' })
    const leadsTo = (customer: string) => people.locator(`[data-customer="${customer}"]`)
    await leadsTo(other).click()
    await page.getByPlaceholder('Write a reply…').waitFor()
    expect(await page.getByText('invoice.pdf').count()).toBe(0)
    await leadsTo(world.customer).click()
    await page.getByRole('button', { name: 'Remove invoice.pdf' }).click()
    await page.getByPlaceholder('Write a reply…').waitFor()
  })

  test('text beside an audio file, which has no caption, is sent behind it, and stays when it is refused', async () => {
    await says(world.customer, 'How does it sound?')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    const box = page.getByRole('textbox', { name: 'Reply' })
    const attach = async () => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach or choose' }).click()
      await page.getByRole('menuitem', { name: 'A file…' }).click()
      await (await chooser).setFiles({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('ID3\x04\0\0') })
      await page.locator('textarea:focus').and(page.getByPlaceholder('Write a reply…')).waitFor()
    }
    // Longer than a caption may be.
    const text = 'Like this. '.repeat(100).trim()
    await attach()
    await box.fill(text)
    await page.getByText('Audio has no caption').waitFor()
    await page.keyboard.press('Enter')
    const last = async () => (await conversationOf(world.customer)).messages.slice(-2)
    await waitFor(async () => (await last()).at(-1).content.text === text, 10_000)
    expect((await last()).map(({ type }: { type: string }) => type)).toEqual(['audio', 'text'])
    await page.getByRole('button', { name: 'Remove song.mp3' }).waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('')

    await page.route('**/console/api/messages/send', (route) => route.abort())
    await attach()
    await box.fill('And this?')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await box.inputValue()).toBe('And this?')
    // The audio is there, so another Enter sends the text alone.
    expect(await page.getByRole('button', { name: 'Remove song.mp3' }).count()).toBe(0)
    await page.unroute('**/console/api/messages/send')
    await page.keyboard.press('Enter')
    await waitFor(async () => (await last()).at(-1).content.text === 'And this?', 10_000)
    expect((await last()).map(({ type }: { type: string }) => type)).toEqual(['audio', 'text'])
  })

  test('what is typed on the phone of the sandbox stays when a voice message goes out without it', async () => {
    const { page } = await open('/sandbox')
    const field = page.getByLabel('Type as the customer')
    await field.fill('Did you hear it?')
    const send = async (name: string) => {
      await page.getByRole('button', { name: 'Attach' }).click()
      const sent = page.waitForResponse('**/console/api/sandbox/inbound')
      await page.getByRole('menuitem', { name }).click()
      expect((await sent).request().postDataJSON().act.caption).toBe(
        name.includes('voice') ? undefined : 'Did you hear it?',
      )
    }
    await send('A sample voice message')
    await page.getByRole('log').getByText('Voice note').last().waitFor()
    expect(await field.inputValue()).toBe('Did you hear it?')
    await send('A sample picture')
    await waitFor(async () => (await field.inputValue()) === '')
  })

  test('an answer that is too long says so near its end, and is not sent cut', async () => {
    await says(world.customer, 'Tell me everything')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(world.customer)}`)
    const box = page.getByRole('textbox', { name: 'Reply' })
    await box.fill('a'.repeat(4_000))
    await page.getByText('4,000 of 4,096 characters').waitFor()
    await box.fill('a'.repeat(4_100))
    await page.getByRole('status').getByText('A message can have up to 4,096 characters; this one has 4,100.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(await box.inputValue()).toHaveLength(4_100)
    expect((await conversationOf(world.customer)).messages.at(-1)?.content.text).toBe('Tell me everything')
    await box.fill('')
  })

  test('the head of an unread one has room for its name and its buttons on a phone', async () => {
    const customer = '+12025550112'
    await world.owner.call('POST', '/sandbox/customers', { number_id: numberId, customer, name: 'Maria João Ferreira' })
    await says(customer, 'Hello?')
    const { page } = await open(`/conversations?customer=${encodeURIComponent(customer)}`)
    const marks = page.getByRole('button', { name: 'Mark as read' })
    await marks.waitFor()
    for (const width of [375, 320]) {
      await page.setViewportSize({ width, height: 812 })
      const covered = await page.evaluate<string[]>(`(() => {
        const rectOf = (element) => element.getBoundingClientRect()
        const acts = rectOf(document.querySelector('.thread-acts'))
        const meets = (a, b) => a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom
        const parts = [...document.querySelectorAll('.thread-who h2, .thread-who p > *')]
        return parts.filter((part) => meets(rectOf(part), acts)).map((part) => part.textContent)
      })()`)
      expect(covered).toEqual([])
      expect((await page.locator('.thread-who h2').boundingBox())?.width).toBeGreaterThan(100)
    }
    await marks.click()
    await marks.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a thread stands still while a person reads further up, and follows at its end', async () => {
    const customer = '+12025550107'
    for (let index = 0; index < 3; index++) await says(customer, `Line\n`.repeat(30) + index)
    const { page } = await open(`/conversations?customer=${encodeURIComponent(customer)}`)
    const thread = page.getByRole('log', { name: 'Messages' })
    const screen = `document.querySelector('[role=log]')`
    const top = () => page.evaluate<number>(`Math.round(${screen}.scrollTop)`)
    await waitFor(async () => (await top()) > 0)
    await page.evaluate(`${screen}.scrollTo(0, 100)`)
    await says(customer, 'And now?')
    const news = page.getByRole('button', { name: '1 new message' })
    await news.waitFor()
    expect(await top()).toBe(100)
    const box = await news.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
    await news.waitFor({ state: 'detached' })
    await says(customer, 'Hello?')
    await thread.getByText('Hello?').waitFor()
    const left = `${screen}.scrollHeight - ${screen}.scrollTop - ${screen}.clientHeight`
    await waitFor(async () => (await page.evaluate<number>(left)) < 2)
    // Who answers wants to see the answer.
    await page.evaluate(`${screen}.scrollTo(0, 100)`)
    await page.getByRole('textbox', { name: 'Reply' }).fill('We are here')
    await page.keyboard.press('Enter')
    await thread.getByText('We are here').waitFor()
    await waitFor(async () => (await page.evaluate<number>(left)) < 2)
    expect(await page.getByRole('button', { name: /new message/ }).count()).toBe(0)
  })

  test('are found by what was written, opted out of marketing, and erased with a receipt', async () => {
    const customer = '+12025550108'
    await world.owner.call('POST', '/sandbox/customers', { number_id: numberId, customer, name: longName })
    await says(customer, 'A very special request')
    const { page } = await open('/conversations')
    await page.getByRole('searchbox').fill('SPECIAL request')
    const found = page.getByRole('navigation', { name: 'Customers' }).getByRole('link')
    await found.filter({ hasText: 'A very special request' }).click()
    await page.getByRole('textbox', { name: 'Reply' }).fill('An answer to the special request')
    await page.getByRole('button', { name: 'Attach or choose' }).click()
    await page.getByRole('menuitem', { name: 'A question with reply buttons…' }).click()
    await page.getByLabel('Question').fill('A question about the special request')
    await page.keyboard.press('Escape')
    const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    expect((await kept()).match(/special request/g)).toHaveLength(2)
    await page.getByRole('link', { name: 'Customer', exact: true }).click()
    await page.getByRole('heading', { name: 'Window and preferences' }).waitFor()
    await page.getByRole('button', { name: 'Stop marketing' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop marketing' }).click()
    await page.getByText('No marketing messages').waitFor()
    await page.getByRole('button', { name: 'Allow marketing' }).waitFor()
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('textbox', { name: /to confirm/ }).fill(customer)
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await page.getByRole('heading', { name: 'Erased', exact: true }).waitFor()
    expect(await page.getByText(longName).count()).toBe(0)
    expect(await page.locator('h1').textContent()).toBe('Erased customer')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download receipt' }).click()
    expect((await saving).suggestedFilename()).toBe('erasure-receipt.txt')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
    // Nor from what the page remembers.
    expect(await page.getByText('A very special request').count()).toBe(0)
    expect(await kept()).not.toContain('special request')
    expect(await kept()).not.toContain(customer)
  })

  test('names and messages that are read from right to left begin where they can be seen', async () => {
    const customer = '+12025550113'
    const name = 'נועה כהן'
    await world.owner.call('POST', '/sandbox/customers', { number_id: numberId, customer, name })
    await says(customer, 'שלום')
    const message = 'שלום נועה, ההזמנה A-1001 יצאה מהמחסן שלנו ותגיע מחר בבוקר, אם מזג האוויר יאפשר'
    await world.post('/v1/chat/messages/send', { to: customer, message })
    const { page } = await open(`/conversations?${new URLSearchParams({ customer })}`)
    await page.getByRole('log').getByText(message).waitFor()
    /** Where the first letters of an element are, and the element around them. */
    const begins = (selector: string, around: string) =>
      page.evaluate<Record<'letters' | 'box', { left: number; right: number }>>(`(() => {
        const element = document.querySelector('${selector}')
        const letters = document.createRange()
        letters.setStart(element.firstChild, 0)
        letters.setEnd(element.firstChild, 4)
        const box = element.closest('${around}').getBoundingClientRect()
        return { letters: letters.getBoundingClientRect().toJSON(), box: box.toJSON() }
      })()`)
    const row = `[data-customer="${customer}"]`
    await page.locator(`${row} .person-whose`).getByText('You:').waitFor()
    const last = await begins(`${row} .person-last`, '.inbox-row')
    expect(last.letters.right).toBeLessThanOrEqual(last.box.right)
    expect(last.letters.left).toBeGreaterThan(last.box.left + 100)
    // A name is as wide as its letters, and they begin at the edge where its number does.
    const edge = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? -1
    const whole = 'getSelection().selectAllChildren(document.querySelector("SELECTOR"))'
    const nameAt = (selector: string) =>
      page.evaluate<number>(
        `(${whole.replace('SELECTOR', selector)}, getSelection().getRangeAt(0).getBoundingClientRect().left)`,
      )
    expect(await nameAt('.thread-who h2')).toBeCloseTo(await edge('.thread-who .mono'), 0)
    await page.getByRole('link', { name: 'Customer', exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await nameAt('h1')).toBeCloseTo(await edge('.breadcrumb'), 0)
    // The slash stands before it, not behind.
    expect(await nameAt('.breadcrumb [aria-current] > bdi')).toBeGreaterThan((await edge('[aria-current=page]')) + 4)

    await open(`/sandbox?${new URLSearchParams({ customer })}`)
    await page.locator(`[data-phone="${customer}"]`).waitFor()
    const person = await begins(`[data-phone="${customer}"] .person-last`, '.person')
    expect(person.letters.right).toBeLessThanOrEqual(person.box.right)
    // On a phone the list scrolls sideways, to the one who is chosen.
    const farthest = (await page.locator('.person').last().getAttribute('data-phone')) ?? ''
    await page.setViewportSize({ width: 375, height: 812 })
    await open(`/sandbox?${new URLSearchParams({ customer: farthest })}`)
    const chosen = await page.locator('.person[aria-current=true]').boundingBox()
    expect((chosen?.x ?? 375) + (chosen?.width ?? 0)).toBeLessThanOrEqual(375)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('break no rule of axe and fit into 320 px', async () => {
    const customer = '+12025550109'
    await world.owner.call('POST', '/sandbox/customers', { number_id: numberId, customer, name: longName })
    await says(customer, rightToLeft)
    const address = new URLSearchParams({ customer })
    const found: string[] = []
    const { page } = await open('/help')
    for (const path of ['/conversations', `/conversations?${address}`, `/customer?${address}`]) {
      await follow(page, path)
      found.push(...(await axeViolationsInBothThemes(page)).map((violation) => `${path}: ${violation}`))
      if ((await overflowOnPhone(page)) > 0) found.push(`${path}: wider than 320 px`)
    }
    expect(found).toEqual([])
  })

  test('are answered on a phone without scrolling, and by keys the focus goes there and back', async () => {
    await says(world.customer, 'Are you open?')
    const { page } = await open('/conversations')
    await page.setViewportSize({ width: 320, height: 640 })
    const ana = page.getByRole('navigation', { name: 'Customers' }).getByRole('link', { name: /Are you open/ })
    await ana.focus()
    await page.keyboard.press('Enter')
    await page.locator('textarea:focus').waitFor()
    const box = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()
    expect((box?.y ?? 640) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
    await page.getByRole('link', { name: 'All conversations' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.inbox-row:focus').filter({ hasText: 'Are you open?' }).waitFor()
  })
})

describe('an inbox without a conversation', () => {
  test('says what begins one and leads there, on a phone too', async () => {
    const { url, service } = world
    const owner = await anOwner({ url, ...(await addAccount(service.rt, 'empty.test')) })
    const { page, context, faults, go } = await aWindow(browser, world, owner)
    const found: string[] = []
    const pressed = async (name: string) => {
      await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
      expect(await page.getByText('Select a customer').count()).toBe(0)
      found.push(...(await axeViolationsInBothThemes(page)))
      if ((await overflowOnPhone(page)) > 0) found.push('wider than 320 px')
      const box = await page.getByRole('main').getByRole('link', { name }).boundingBox()
      if (!box) throw new Error(`${name} is not to be seen.`)
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    }
    await go('/conversations')
    await pressed('Open the channel')
    await page.waitForURL(`${url}/channel`)

    // Its number comes with a customer, who is erased.
    await owner.call('POST', '/channels/sandbox')
    expect((await owner.call('POST', '/customer/erase', { customer: world.customer })).status).toBe(200)
    await page.setViewportSize({ width: 375, height: 667 })
    await page.goto(`${url}/conversations`)
    await pressed('Open sandbox')
    await page.waitForURL(/\/sandbox/)
    await page.getByLabel('Type as the customer').fill('Is anybody there?')
    await page.getByRole('button', { name: 'Send as the customer' }).click()
    await go('/conversations')
    await page
      .getByRole('navigation', { name: 'Customers' })
      .getByText('Is anybody there?')
      .waitFor({ timeout: 10_000 })
    expect(await page.getByText('No conversations yet').count()).toBe(0)
    await context.close()
    expect([...found, ...faults]).toEqual([])
  })
})
