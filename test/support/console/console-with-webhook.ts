import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { connectBrowser } from '../browser/shared-browser.ts'
import { sharedWindow } from '../browser/shared-window.ts'
import { type HostileReceiver, startHostileReceiver } from '../receiver/hostile-receiver.ts'
import { waitFor } from '../wait-for.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from './console-service.ts'
import type { Visitor } from './console-world.ts'

/** What customers, receivers and people may write wherever they can. */
export const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'

/** The gateway with a webhook at `/hooks/chat` that gets every event, and a window of its owner, for the tests of a file. */
export function consoleWithWebhook() {
  let browser: Browser
  let world: ConsoleService
  let receiver: HostileReceiver
  let webhookId: string

  beforeAll(async () => {
    browser = await connectBrowser()
    // Two attempts, so that a delivery has failed within a moment.
    world = await aConsoleService('sqlite', { POSTERN_WEBHOOK_RETRY_SCHEDULE: '0, 100ms' })
    receiver = await startHostileReceiver()
    const draft = { url: `${receiver.url}/hooks/chat`, events: ['*'], description: `Orders ${markup}` }
    webhookId = (await world.owner.call('POST', '/webhooks', draft)).json.data.id
    const webhook = async () => (await world.owner.call('GET', `/webhooks/${webhookId}`)).json.data.webhook
    await waitFor(async () => (await webhook()).verification.status === 'verified', 10_000)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await world?.stop()
  })

  const window = sharedWindow(() => aWindow(browser, world, world.owner))

  return {
    get world() {
      return world
    },
    get receiver() {
      return receiver
    },
    get webhookId() {
      return webhookId
    },

    async open(path: string): Promise<OpenPage> {
      const opened = await window()
      await opened.go(path)
      return opened
    },

    /** Where the page must not know yet what is looked for. */
    async load(path: string): Promise<OpenPage> {
      const opened = await window()
      await opened.load(path)
      return opened
    },

    /** Another window, of another person. */
    windowOf: (visitor: Visitor): Promise<OpenPage> => aWindow(browser, world, visitor),

    async sendText(message: string): Promise<string> {
      return (await world.post('/v1/chat/messages/send', { to: world.customer, message })).body.data.message_id
    },

    async statusOf(id: string): Promise<string> {
      // One that is on its way through the callbacks is not there yet.
      return (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data?.status ?? 'none'
    },
  }
}
