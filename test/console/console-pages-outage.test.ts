import pg from 'pg'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { follow } from '../support/browser/console-browser.ts'
import { isLive, live, liveConsole } from '../support/console/live-console.ts'

const gateway = liveConsole()
const { windowWithClock, sendText } = gateway

/** A read without an answer is tried twice more, after a second and after two. The clock is moved on to each. */
async function failThreeTimes(page: Page, part: string): Promise<void> {
  const failure = () => page.waitForEvent('requestfailed', (request) => request.url().includes(part))
  let failed = failure()
  for (const pauseMs of [1_000, 2_000]) {
    await failed
    failed = failure()
    await page.clock.runFor(pauseMs)
  }
  await failed
}

describe('the check of a draft that the gateway could not answer', () => {
  test('is made up for without anybody doing anything', async () => {
    const { page, load } = await windowWithClock()
    // Only the look every half minute is left: a connection that opens makes the page ask for everything again.
    await page.route('**/console/api/live?**', (route) => route.abort())
    await page.route('**/console/api/templates/check', (route) => route.abort())
    await load('/help')
    const failures = failThreeTimes(page, '/templates/check')
    await follow(page, '/templates/new')
    await failures
    const checks = page.getByRole('region', { name: 'Checks' })
    await checks.getByText('The gateway did not respond.').waitFor()
    await page.unroute('**/console/api/templates/check')
    await page.clock.runFor(30_000)
    await checks.getByRole('listitem').first().waitFor()
    expect(await checks.getByText('The gateway did not respond.').count()).toBe(0)
  })
})

describe('the phone of the sandbox', () => {
  test('tells a conversation that is not there yet, or could not be looked at, from an empty one', async () => {
    const words = `Kept ${crypto.randomUUID()}`
    await sendText(words)
    const { promise: gate, resolve: letThrough } = Promise.withResolvers<void>()
    // By loading: a page that knows the conversation shows it at once.
    const { page, load } = await windowWithClock()
    await load('/help')
    await page.route('**/console/api/sandbox/conversation**', async (route) => {
      await gate
      await route.continue()
    })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sandbox' }).click()
    await page.locator('.phone-screen .skeleton').first().waitFor({ state: 'attached' })
    expect(await page.getByText('No messages yet').count()).toBe(0)
    letThrough()
    await page.getByRole('log').getByText(words).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/console/api/sandbox/conversation**', (route) => route.abort())
    const failures = failThreeTimes(page, '/sandbox/conversation')
    await sendText('Not seen')
    await failures
    await page.getByText('Last updated at').waitFor()
    expect(await page.getByRole('log').getByText(words).count()).toBe(1)
  })
})

describe('a page that nobody answers', () => {
  test('asks again on another connection', async () => {
    const { page, load } = await windowWithClock()
    await page.route('**/console/api/live?**', (route) => route.abort())
    await load('/help')
    let asked = 0
    // The list itself; what was rejected is asked for beside it.
    const list = /\/console\/api\/templates\?(?!.*status=)/
    await page.route(list, async (route) => {
      asked += 1
      if (asked > 1) await route.continue()
    })
    const isAsked = page.waitForRequest(list)
    const isGivenUp = page.waitForEvent('requestfailed', (request) => list.test(request.url()))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' }).click()
    await isAsked
    await page.clock.runFor(15_000)
    await isGivenUp
    expect(asked).toBe(1)
    await page.clock.runFor(1_000)
    await page.getByRole('main').getByRole('row').nth(1).waitFor()
    expect(asked).toBe(2)
  })
})

describe('a gateway that is gone', () => {
  test('is noticed on a page that follows nothing, at once and until it is back', async () => {
    let isGone = true
    const { page, load } = await windowWithClock()
    await page.route('**/console/api/live?**', (route) => (isGone ? route.abort() : route.continue()))
    await load('/settings/account')
    const banner = page.getByText('The gateway is not responding.')
    await banner.waitFor()
    isGone = false
    await page.clock.runFor(10_000)
    await banner.waitFor({ state: 'detached' })
    await page.unroute('**/console/api/live?**')
  })
})

describe('a connection that is refused', () => {
  test('is said to be lost, and is opened again without anybody doing anything', async () => {
    const words = `Back ${crypto.randomUUID()}`
    let refusals = 0
    const { page, load } = await windowWithClock()
    await page.route('**/console/api/live?**', (route) => {
      refusals += 1
      return refusals <= 2 ? route.fulfill({ status: 503, body: 'no' }) : route.continue()
    })
    await load('/')
    await page.getByText('Connection lost, trying again').waitFor()
    // Opened again after a second, refused, and after two more.
    const refused = page.waitForResponse('**/console/api/live?**')
    await page.clock.runFor(1_000)
    await refused
    await page.clock.runFor(2_000)
    await isLive(page)
    expect(refusals).toBe(3)
    await sendText(words)
    await page.getByRole('region', { name: 'Latest messages' }).getByText(words).waitFor()
  })
})

describe('the mark of a page that follows', () => {
  const unreadable = 'Not up to date, trying again'

  test('says within seconds that the database is away, and is Live again when it is back', async () => {
    const words = `Again ${crypto.randomUUID()}`
    const { page, load } = await windowWithClock()
    await load('/')
    await isLive(page)
    const { promise: isBack, resolve: letThrough } = Promise.withResolvers<void>()
    // Nothing that the page asks can tell it: it has to hear of it.
    await page.route(/console\/api\/(?!live)/, async (route) => {
      await isBack
      await route.continue()
    })
    const giveBack = await takeDatabaseAway()
    try {
      await live(page).getByText(unreadable).waitFor({ timeout: 15_000 })
    } finally {
      await giveBack()
      letThrough()
    }
    await isLive(page)
    await sendText(words)
    await page.getByRole('region', { name: 'Latest messages' }).getByText(words).waitFor()
  })

  test('says that something shown could not be read, until it is read', async () => {
    const { page, load } = await windowWithClock()
    await load('/')
    await isLive(page)
    const json = {
      success: false,
      error: { code: 'internal_error', message: 'Something went wrong.', retryable: true },
    }
    await page.route('**/console/api/messages?**', (route) => route.fulfill({ status: 500, json }))
    await page.clock.runFor(30_000)
    await live(page).getByText(unreadable).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    // Nothing changes and no other look is due.
    await page.clock.runFor(5_000)
    await isLive(page)
    expect(await page.getByText('Last updated at').count()).toBe(0)
  })

  test('says that a connection without heartbeats is lost, and opens another', async () => {
    const { page, load } = await windowWithClock()
    await load('/')
    await isLive(page)
    const { promise: isSeen, resolve: letThrough } = Promise.withResolvers<void>()
    // The connection that is open is not concerned.
    await page.route('**/console/api/live?**', async (route) => {
      await isSeen
      await route.continue()
    })
    await page.clock.runFor(10_000)
    await live(page).getByText('Connection lost, trying again').waitFor()
    letThrough()
    await isLive(page)
  })

  /** For the gateway alone; returns what gives it back. */
  async function takeDatabaseAway(): Promise<() => Promise<unknown>> {
    const { database } = gateway.world.database
    if (database.kind !== 'postgres') throw new Error('Not the database that was asked for.')
    const name = new URL(database.url).pathname.slice(1)
    const admin = new pg.Client(inject('postgresUrl'))
    await admin.connect()
    const allow = (whether: boolean) =>
      admin.query(`alter database ${pg.escapeIdentifier(name)} allow_connections ${whether}`)
    await allow(false)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    return async () => {
      await allow(true)
      await admin.end()
    }
  }
})
