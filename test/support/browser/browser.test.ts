import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTEXT } from './browser.ts'
import { connectBrowser } from './shared-browser.ts'

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
    browser = await connectBrowser()
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
