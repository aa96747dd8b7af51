import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTEXT, findBrowser, launchBrowser } from './browser.ts'

describe('the choice of a browser', () => {
  test('CHROMIUM_PATH wins over everything', async () => {
    const machine = { named: '/opt/chromium', platform: 'linux', arch: 'x64', installed: [process.execPath] }
    expect(await findBrowser(machine)).toEqual({ executablePath: '/opt/chromium' })
  })

  test('where npm brings none, the first installed one is taken', async () => {
    const machine = { named: undefined, platform: 'linux', arch: 'arm64', installed: ['/no/such', process.execPath] }
    expect(await findBrowser(machine)).toEqual({ executablePath: process.execPath })
  })

  test('with no browser at all the failure says what to do', async () => {
    const machine = { named: undefined, platform: 'linux', arch: 'arm64', installed: ['/no/such'] }
    await expect(findBrowser(machine)).rejects.toThrow(/linux arm64.*Install Chromium or set CHROMIUM_PATH/)
  })
})

describe('the browser', () => {
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Test</title><p id="p">Hello</p><script>p.append(" ", navigator.language)</script>')
  })
  let browser: Browser
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('opens a page on 127.0.0.1, runs its script and reads its text', async () => {
    const context = await browser.newContext(CONTEXT)
    const page = await context.newPage()
    await page.goto(url)
    expect(await page.textContent('p')).toBe('Hello en-US')
    await context.close()
  })

  test('keeps the storage of two contexts apart', async () => {
    const [first, second] = [await browser.newContext(CONTEXT), await browser.newContext(CONTEXT)]
    const [one, two] = [await first.newPage(), await second.newPage()]
    await Promise.all([one.goto(url), two.goto(url)])
    await one.evaluate('localStorage.setItem("key", "mine")')
    expect(await two.evaluate('localStorage.getItem("key")')).toBeNull()
    await Promise.all([first.close(), second.close()])
  })
})
