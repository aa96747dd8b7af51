import { createHash } from 'node:crypto'
import MiniSearch from 'minisearch'
import { afterAll, expect, test } from 'vitest'
import { findPages, searchOptions } from '../../console/src/docs-search.ts'
import { idleRuntime } from '../../scripts/documents/idle-runtime.ts'
import { createApp } from '../../server/src/http/app.ts'
import { addDocsPages } from '../../server/src/http/docs/docs-pages.ts'

// The setup of a run with programs has rendered the pages already.
if (process.env.TEST_PROGRAMS === undefined) (await import('../../scripts/build-docs.ts')).buildDocs()
const app = await createApp(idleRuntime(), { readiness: { check: async () => [] }, resources: [addDocsPages] })
await app.ready()
afterAll(() => app.close())
const index = MiniSearch.loadJSON((await app.inject('/docs/search.json')).body, { ...searchOptions })

/** What a newcomer types, and the page that they look for. */
test.each([
  ['send a template', '/docs/sending'],
  ['send text', '/docs/sending'],
  ['idempotency key', '/docs/idempotency'],
  ['send an image', '/docs/api-messages#sendMedia'],
  ['upload media', '/docs/media'],
  ['download a file', '/docs/media'],
  ['verify webhook signature', '/docs/webhooks'],
  ['rotate webhook secret', '/docs/api-webhooks'],
  ['retry webhook delivery', '/docs/api-webhooks'],
  ['customer_window_closed', '/docs/errors#customer_window_closed'],
  ['rate limit', '/docs/rate-limits'],
  ['pagination cursor', '/docs/pagination'],
  ['sandbox magic numbers', '/docs/testing'],
  ['python sdk', '/docs/sdk-python'],
  ['typescript sdk', '/docs/sdk'],
  ['api key scopes', '/docs/authentication'],
  ['access token', '/docs/authentication'],
  ['migrate from twilio', '/docs/from-twilio'],
  ['360dialog', '/docs/from-360dialog'],
  ['backup restore', '/docs/backup'],
  ['postgresql cluster nodes', '/docs/scale'],
  ['prometheus alerts', '/docs/monitoring'],
  ['go live meta app', '/docs/go-live'],
  ['block a customer', '/docs/profile-and-blocking'],
  ['POSTERN_DATABASE_URL', '/docs/configuration#POSTERN_DATABASE_URL'],
  ['erase a customer', '/docs/erasing-customers'],
  ['24-hour window unknown', '/docs/message-lifecycle'],
  ['webhook address verification', '/docs/webhook-delivery'],
  ['interactive buttons', '/docs/sending'],
  ['marketing preference of a customer', '/docs/customers'],
  ['message.delivered', '/docs/events'],
  ['analytics by template', '/docs/analytics'],
  ['s3 bucket media', '/docs/media-store'],
  ['order update', '/docs/order-update'],
  ['invoice pdf', '/docs/invoice'],
  ['one-time codes', '/docs/one-time-codes'],
  ['broadcast csv', '/docs/broadcast-from-csv'],
  ['test in ci', '/docs/ci'],
  ['stop words', '/docs/customers'],
  ['three nodes', '/docs/three-nodes'],
  ['move from sqlite to postgresql', '/docs/sqlite-to-postgresql'],
  ['how do I cancel a scheduled message', '/docs/scheduling'],
  ['message scheduled window closed', '/docs/(scheduling|reply-or-template)'],
  ['what happens when a one-time code is not delivered', '/docs/one-time-codes'],
  ['code not delivered in time', '/docs/one-time-codes'],
  ['retry without sending twice', '/docs/idempotency'],
  ['simulate a tap on a button', '/docs/support-bot'],
  ['how to find my phone number', '/docs/(channels|go-live|tools|sending)'],
  ['spend limit of an api key', '/docs/budgets'],
])('a search for "%s" finds its page first', (words, address) => {
  const [first] = findPages(index, words)
  expect(first?.id).toEqual(expect.stringMatching(new RegExp(`^${address}(#|$)`)))
})

test('the page of the search runs its own script only, and loads nothing but its index', async () => {
  const { body, headers } = await app.inject('/docs/search')
  const scripts = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  expect(hashes).toHaveLength(1)
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", `script-src ${hashes[0]}`, "connect-src 'self'"]),
  )
})

test('everything that is found exists', async () => {
  const addresses = [...new Set(index.search(MiniSearch.wildcard).map(({ id }) => String(id)))]
  expect(addresses.length).toBeGreaterThan(300)
  const pages = new Map<string, string>()
  for (const address of addresses) {
    const [path = '', id] = address.split('#')
    if (!pages.has(path)) pages.set(path, (await app.inject(path)).body)
    expect([address, id === undefined || pages.get(path)?.includes(` id="${id}"`)]).toEqual([address, true])
  }
})
