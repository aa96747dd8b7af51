import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { createProcessState } from '../../server/src/create-runtime.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { addPlatformCallbackRoutes } from '../../server/src/http/platform-callback.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { disconnectChannel } from '../../server/src/store/channels/channels.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { signature } from '../support/channel-world.ts'
import { type CountedDatabase, countRoundTrips } from '../support/postgres/count-round-trips.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { saveCloudChannel } from '../support/save-cloud-channel.ts'

let world: TestRuntime
let counted: CountedDatabase
let app: App
let baseUrl: string
/** Knows nothing of what the first one remembers. */
let otherNode: Runtime
let accountId: string
let serial = 0

beforeAll(async () => {
  world = await aRuntime('postgres', {}, async (database) => {
    if (database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
    counted = await countRoundTrips(database.url)
    return { kind: 'postgres', url: counted.url }
  })
  const { rt } = world
  otherNode = { ...rt, ...createProcessState(rt) }
  app = await createApp(rt, { readiness: { check: async () => [] }, resources: [addPlatformCallbackRoutes] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  accountId = (await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })).account.id
})
afterAll(async () => {
  await app.close()
  await world.dispose()
  await counted.close()
})

/** A channel whose last callback was taken a moment ago. */
async function aRememberedChannel() {
  const nth = ++serial
  const { channel } = await saveCloudChannel(world.rt, accountId, nth, 'old secret')
  const address = `${baseUrl}/channel/${channel.callbackId}/callback`
  const post = async (secret: string) => {
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [], nth: ++serial })
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature(body, secret) }
    return (await fetch(address, { method: 'POST', headers, body })).status
  }
  const stored = async () => Number((await world.rt.store.read(countStored, { channel_id: channel.id }))[0]?.count)
  expect([await post('old secret'), await stored()]).toEqual([200, 1])
  return { id: channel.id, nth, post, stored }
}

const countStored = query({
  name: 'test.count_callbacks',
  params: { channel_id: 'text' },
  returns: { count: 'int' },
  sql: 'select count(*) as count from callback_queue where channel_id = :channel_id',
})

test('the callbacks of a channel take one round trip each once it is known', async () => {
  const { post } = await aRememberedChannel()
  counted.take()
  expect(await post('old secret')).toBe(200)
  const trips = counted.take().map(({ statements }) => statements.filter((name) => name !== 'discard plans'))
  expect(trips.filter(([name]) => name !== 'notify')).toEqual([['channels.require', 'callbacks.insert']])
})

test('a secret that another node replaced is refused at once, and the new one taken', async () => {
  const { nth, post, stored } = await aRememberedChannel()
  await saveCloudChannel(otherNode, accountId, nth, 'new secret')
  expect([await post('old secret'), await stored()]).toEqual([401, 1])
  expect([await post('new secret'), await stored()]).toEqual([200, 2])
  expect([await post('old secret'), await stored()]).toEqual([401, 2])
})

test('a wrong signature is refused, and the channel stays known', async () => {
  const { post, stored } = await aRememberedChannel()
  expect([await post('wrong secret'), await stored()]).toEqual([401, 1])
  expect([await post('old secret'), await stored()]).toEqual([200, 2])
})

test('the address of a channel that another node disconnected is gone at once', async () => {
  const { id, post, stored } = await aRememberedChannel()
  await world.rt.store.write(unitOf(disconnectChannel, { id, account_id: accountId, now: world.clock.now() }))
  expect([await post('old secret'), await stored()]).toEqual([404, 1])
  expect([await post('old secret'), await stored()]).toEqual([404, 1])
})
