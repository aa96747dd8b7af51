import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { changeKey } from '../../server/src/access/keys/console-keys.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { findApiKeyByPublicKey } from '../../server/src/store/accounts/api-keys.ts'
import { listListeners } from '../../server/src/store/webhooks/listeners.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { aPlayground, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectSignedWith, localReceivers, publish } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'
import {
  aKey,
  aReceiver,
  type Credentials,
  closeAll,
  closers,
  envOf,
  idsAt,
  listening,
  listeningAlone,
  ownEnv,
  patienceMs,
  publisher,
} from './listen-support.ts'

afterEach(closeAll)

describe.each(engines)('postern listen, on %s', { timeout: processTimeoutMs }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine, localReceivers)
  })
  afterAll(() => world?.stop())

  test('posts every event to this machine, signed and byte for byte, and the log has the answers', async () => {
    const receiver = await aReceiver()
    const listener = await listeningAlone(`${receiver.url}/hooks`, ownEnv(world))
    receiver.next(respond({ status: 201, body: 'made' }), respond({ status: 500, body: 'oh\u0000no' }))
    const ids = [
      await publish(publisher(world), { data: { message_id: 'm1', text: 'Olá 😀 </script>' } }),
      await publish(publisher(world), { type: 'message.failed' }),
    ]
    await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello' })
    await waitFor(() => receiver.requests.length >= 5, patienceMs)
    await waitFor(() => listener.lines().length >= 5, patienceMs)
    expectSignedWith(listener.secret, receiver.requests)
    expect(idsAt(receiver).slice(0, 2)).toEqual(ids)
    const { events } = (await world.get('/v1/events?limit=100')).body.data
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual(events)
    const [first] = receiver.requests
    expect(first).toMatchObject({
      method: 'POST',
      path: '/hooks',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Postern-Webhooks/1.0',
        'x-postern-event': 'message.sent',
        'x-postern-webhook': listener.webhook_id,
        'x-postern-attempt': '1',
      },
    })
    expect(first?.headers).not.toHaveProperty('accept-encoding')
    const log = `/v1/webhooks/${listener.webhook_id}/deliveries`
    await waitFor(async () => (await world.get(log)).body.data.deliveries.length === 5, patienceMs)
    const [made, failed] = listener.lines()
    expect(made).toMatchObject({ event: 'forwarded', event_id: ids[0], status_code: 201 })
    expect((await world.get(`${log}/${failed?.delivery_id}`)).body.data).toMatchObject({
      event_id: ids[1],
      status: 'failed',
      attempts: [
        { url: `${receiver.url}/hooks`, status_code: 500, response_body: 'oh\uFFFDno', next_attempt_at: null },
      ],
    })
    expect(await listener.stop()).toBe(0)
  })

  test('is no webhook to anybody: not in the list, not counted, not to be read or deleted', async () => {
    const receiver = await aReceiver()
    const base = world.service.urls.base
    const { account } = await createAccount(world.service.rt, { name: 'Many', plan: 'free', actor: operator })
    const key = await aKey(world, account.id, ['webhooks:read', 'webhooks:write'])
    const token = await tokenOf(base, key)
    const listener = await listening(receiver.url, envOf(base, key))
    for (let index = 0; index < 20; index++) {
      const body = { url: `https://hooks.acme.test/${index}`, events: ['message.sent'] }
      expect((await world.call('POST', '/v1/webhooks', { body, token })).status).toBe(201)
    }
    const ids = (await world.get('/v1/webhooks', token)).body.data.webhooks.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(20)
    expect(ids).not.toContain(listener.webhook_id)
    for (const method of ['GET', 'DELETE']) {
      expect((await world.call(method, `/v1/webhooks/${listener.webhook_id}`, { token })).status).toBe(404)
    }
  })

  test('with a key without messages:read hears that customers write and not what, and HEAD opens nothing', async () => {
    const base = world.service.urls.base
    const { account } = await createAccount(world.service.rt, { name: 'Blind', plan: 'free', actor: operator })
    const token = await tokenOf(base, await aKey(world, account.id, ['webhooks:write']))
    const open = (query = '', method = 'GET') =>
      fetch(`${base}/v1/listen${query}`, { method, headers: { authorization: `Bearer ${token}` } })
    const head = await open('', 'HEAD')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const { store } = world.service.rt
    expect(await store.read(listListeners, { account_id: account.id, since: 0 })).toEqual([])
    const streams = [await open(), await open('?events=message.read,message.received')]
    const data = { content: { text: 'Confidential' }, from: '+351912345678', contact: { name: 'Zulmira' } }
    await publish({ ...publisher(world), accountId: account.id }, { type: 'message.received', data })
    await publish({ ...publisher(world), accountId: account.id }, { type: 'message.read' })
    for (const { body } of streams) {
      let text = ''
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (text.includes('"message.read"')) break
      }
      expect(text.match(/"type":"message\.\w+"/g)).toEqual(['"type":"message.received"', '"type":"message.read"'])
      expect(text).not.toMatch(/Confidential|351912345678|Zulmira/)
    }
  })

  test('hands a key that was revoked, or lost a scope, nothing more: not even what happens at once', async () => {
    const { rt, urls } = world.service
    const { account } = await createAccount(rt, { name: 'Revoked', plan: 'free', actor: operator })
    for (const change of [{ status: 'revoked' }, { scopes: '["webhooks:write"]' }]) {
      const credentials = await aKey(world, account.id, ['webhooks:write', 'messages:read'])
      const headers = { authorization: `Bearer ${await tokenOf(urls.base, credentials)}` }
      const { body } = await fetch(`${urls.base}/v1/listen`, { headers })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toContain('event: listening')
      await publish({ ...publisher(world), accountId: account.id }, { data: { template: 'before' } })
      expect((await reader?.read())?.value).toContain('before')
      const [key] = await rt.store.read(findApiKeyByPublicKey, { public_key: credentials.api_key })
      if (!key) throw new Error('no key')
      await changeKey(rt, key, change, { action: 'api_key.access_changed', actor: operator })
      await publish({ ...publisher(world), accountId: account.id }, { data: { template: 'after' } })
      let rest = ''
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest += next.value
      expect(rest).toBe('')
    }
  })

  test('keeps its secret between runs and forwards nothing from before; another account hears nothing', async () => {
    const receiver = await aReceiver()
    const { account } = await createAccount(world.service.rt, { name: 'Other', plan: 'free', actor: operator })
    const stranger = await aReceiver()
    const strangers = await aKey(world, account.id, ['webhooks:write'])
    const other = await listening(stranger.url, envOf(world.service.urls.base, strangers))
    const first = await listening(receiver.url, ownEnv(world))
    expect(await first.stop()).toBe(0)
    await publish(publisher(world))
    const second = await listening(receiver.url, ownEnv(world), '--events', 'message.*', '--events', 'webhook.failing')
    expect([second.secret, second.webhook_id]).toEqual([first.secret, first.webhook_id])
    expect(other.secret).not.toBe(first.secret)
    await publish(publisher(world), { type: 'template.status_changed' })
    const wanted = await publish(publisher(world), { type: 'message.read' })
    await waitFor(() => receiver.requests.length > 0, patienceMs)
    const theirs = await publish({ ...publisher(world), accountId: account.id })
    await waitFor(() => stranger.requests.length > 0, patienceMs)
    expect(idsAt(receiver)).toEqual([wanted])
    expect(idsAt(stranger)).toEqual([theirs])
  })

  test('loses nothing when the gateway is killed and comes back', async () => {
    const play = await aPlayground()
    closers.push(play.dispose)
    const { database, remove } = await freshDatabase(engine)
    closers.push(remove)
    const env: Record<string, string> = database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}
    const before = await play.serve([], env)
    const credentials = before.firstRun as Credentials
    const portOf = (url: string | null) => new URL(url ?? '').port
    const ports = ['--port', portOf(before.base_url), '--sandbox-port', portOf(before.sandbox_url)]
    const receiver = await aReceiver()
    // Answers nothing before, so that every event is under way or not yet handed out when the gateway dies.
    const dead = Promise.withResolvers<void>()
    receiver.on('/', { run: (exchange) => dead.promise.then(() => respond().run(exchange)) })
    const listener = await listening(receiver.url, envOf(before.base_url, credentials))
    const api = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${await tokenOf(before.base_url, credentials)}` }
      const json = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
      const init = body ? { ...json, body: JSON.stringify(body) } : { headers }
      return (await (await fetch(`${before.base_url}${path}`, init)).json()) as { data: { events: { id: string }[] } }
    }
    const published = async () => (await api('/v1/events?limit=100')).data.events.map(({ id }) => id)
    for (let index = 0; index < 3; index++) await api('/v1/events/trigger', { type: 'message.received' })
    await waitFor(async () => (await published()).length === 3, patienceMs)
    await receiver.waitForRequests(1, patienceMs)
    before.process.signal('SIGKILL')
    await before.process.ended
    dead.resolve()
    await play.serve(ports, env)
    for (let index = 0; index < 3; index++) await api('/v1/events/trigger', { type: 'message.received' })
    await waitFor(async () => (await published()).length === 6, patienceMs)
    await waitFor(() => new Set(idsAt(receiver)).size === 6, patienceMs)
    expect(idsAt(receiver)).toEqual(await published())
    expectSignedWith(listener.secret, receiver.requests)
    await waitFor(() => listener.lines().length === 6, patienceMs)
    const log = `/v1/webhooks/${listener.webhook_id}/deliveries`
    const logged = async () => (await api(log)).data as unknown as { deliveries: object[] }
    await waitFor(async () => (await logged()).deliveries.length === 6, patienceMs)
    expect(listener.output.stderr).not.toContain('    at ')
    expect(await listener.stop()).toBe(0)
  })
})

test('a gateway that stops is held up neither by who listens nor by who does not even read', async () => {
  // Held up by either, it would stop after this time alone.
  const world = await aWorld('sqlite', { POSTERN_SHUTDOWN_TIMEOUT: '600' })
  const headers = { authorization: `Bearer ${world.token}` }
  const [reading, standing] = await Promise.all(
    [1, 2].map(() => fetch(`${world.service.urls.base}/v1/listen`, { headers })),
  )
  // More than the buffers of both ends take.
  const data = { text: 'x'.repeat(100_000) }
  for (let index = 0; index < 100; index++) await publish(publisher(world), { data })
  const read = reading?.text()
  await world.stop()
  expect((await read)?.match(/^event: listening$/gm)).toHaveLength(1)
  await expect(standing?.text()).rejects.toThrow()
})
