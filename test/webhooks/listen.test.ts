import { afterEach, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { Scope } from '../../server/src/contract/scopes.ts'
import { createAccount } from '../../server/src/installation/create-account.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { listListeners } from '../../server/src/store/webhooks/listeners.ts'
import { processTimeoutMs, type RunningProcess, startPostern } from '../support/child-process.ts'
import { type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { answerAfter, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { aPlayground, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectSignedWith, localReceivers, publish } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'

type Credentials = { api_key: string; api_secret: string }
type Line = Record<string, unknown> & { event: string }

const patienceMs = 30_000
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function theWorld(engine: EngineName): Promise<World> {
  const world = await aWorld(engine, localReceivers)
  closers.push(world.stop)
  return world
}

async function aReceiver(): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver()
  closers.push(receiver.close)
  return receiver
}

function envOf(baseUrl: string, { api_key, api_secret }: Credentials) {
  return { POSTERN_BASE_URL: baseUrl, POSTERN_API_KEY: api_key, POSTERN_API_SECRET: api_secret }
}

function ownEnv({ service, apiKey, apiSecret }: World) {
  return envOf(service.urls.base, { api_key: apiKey, api_secret: apiSecret })
}

function run(args: readonly string[], env: Record<string, string>): RunningProcess {
  const process = startPostern(args, { env })
  closers.push(process.destroy)
  return process
}

/** `postern listen`, once it has said its secret. */
async function listening(forwardTo: string, env: Record<string, string>, ...args: string[]) {
  const process = run(['listen', '--forward-to', forwardTo, '--json', ...args], env)
  const first = JSON.parse(await process.line(() => true)) as Line & { secret: string; webhook_id: string }
  const lines = () => process.output.stdout.trim().split('\n').slice(1).filter(Boolean).map(toLine)
  return {
    ...first,
    process,
    lines,
    /** Ctrl+C, and what it came to. */
    async stop() {
      process.signal('SIGINT')
      return process.ended
    },
  }
}

function toLine(text: string): Line {
  return JSON.parse(text) as Line
}

async function done(process: RunningProcess) {
  const code = await process.ended
  return { code, ...process.output }
}

async function aKey(world: World, accountId: string, scopes: readonly Scope[]): Promise<Credentials> {
  const input = { accountId, name: 'Laptop', scopes, createdBy: '', actor: operator }
  const { row, secret } = await createKey(world.service.rt, input)
  return { api_key: row.public_key, api_secret: secret }
}

const idsAt = ({ requests }: HostileReceiver) => requests.map(({ headers }) => headers['webhook-id'])
const publisher = ({ service, accountId }: World) => ({ rt: service.rt, accountId })

const makeLive = operation({
  name: 'test.make_live',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `update channels set kind = 'cloud' from rows where channels.account_id = rows.account_id`,
})

describe.each(engines)('postern listen, on %s', { timeout: processTimeoutMs }, (engine) => {
  test('posts every event to this machine, signed and byte for byte, and the log has the answers', async () => {
    const [world, receiver] = [await theWorld(engine), await aReceiver()]
    const listener = await listening(`${receiver.url}/hooks`, ownEnv(world))
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
    const [world, receiver] = [await theWorld(engine), await aReceiver()]
    const listener = await listening(receiver.url, ownEnv(world))
    for (let index = 0; index < 20; index++) {
      const draft = { url: `https://hooks.acme.test/${index}`, events: ['message.sent'] }
      expect((await world.post('/v1/webhooks', draft)).status).toBe(201)
    }
    const ids = (await world.get('/v1/webhooks')).body.data.webhooks.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(20)
    expect(ids).not.toContain(listener.webhook_id)
    for (const method of ['GET', 'DELETE']) {
      expect((await world.call(method, `/v1/webhooks/${listener.webhook_id}`)).status).toBe(404)
    }
  })

  test('with a key without messages:read hears nothing of what customers write, and HEAD opens nothing', async () => {
    const world = await theWorld(engine)
    const base = world.service.urls.base
    const token = await tokenOf(base, await aKey(world, world.accountId, ['webhooks:write']))
    const open = (query = '', method = 'GET') =>
      fetch(`${base}/v1/listen${query}`, { method, headers: { authorization: `Bearer ${token}` } })
    const head = await open('', 'HEAD')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const { store } = world.service.rt
    expect(await store.read(listListeners, { account_id: world.accountId, since: 0 })).toEqual([])
    const named = await open('?events=message.sent,message.received')
    expect([named.status, await named.json()]).toMatchObject([403, { error: { required_scope: 'messages:read' } }])
    const streams = [await open(), await open('?events=message.*')]
    await publish(publisher(world), { type: 'message.received' })
    await publish(publisher(world), { type: 'message.read' })
    for (const { body } of streams) {
      let text = ''
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (text.includes('"message.read"')) break
      }
      expect(text.match(/"type":"message\.\w+"/g)).toEqual(['"type":"message.read"'])
    }
  })

  test('keeps its secret between runs and forwards nothing from before; another account hears nothing', async () => {
    const [world, receiver] = [await theWorld(engine), await aReceiver()]
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
    // Slow, so that most of the events are under way or not yet handed out when the gateway dies.
    receiver.on('/', answerAfter(500, respond()))
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
    expect(listener.process.output.stderr).not.toContain('    at ')
    expect(await listener.stop()).toBe(0)
  })
})

describe.each(engines)('postern trigger, on %s', { timeout: processTimeoutMs }, (engine) => {
  test('lets a customer of the sandbox write, and says to whom that goes', async () => {
    const [world, receiver] = [await theWorld(engine), await aReceiver()]
    await listening(receiver.url, ownEnv(world))
    const words = ['trigger', 'message.received', '--from', '+12025550123', '--text', 'Is it ready?']
    const { code, stdout } = await done(run(words, ownEnv(world)))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The customer \+12025550123 wrote to \+\d+ in the sandbox \(message wamid\..+\)\.\n/)
    expect(stdout).toContain('postern listen  one API key')
    await receiver.waitForRequests(1, patienceMs)
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '')).toMatchObject({
      type: 'message.received',
      data: { from: '+12025550123', content: { text: 'Is it ready?' } },
    })
    expect((await world.get('/v1/chat/messages?direction=inbound')).body.data.messages).toHaveLength(1)
  })

  test('sends a sample to webhooks and listeners that is in no feed and no statistics', async () => {
    const [world, receiver, hooked] = [await theWorld(engine), await aReceiver(), await aReceiver()]
    const listener = await listening(receiver.url, ownEnv(world))
    const { id } = (await world.post('/v1/webhooks', { url: hooked.url, events: ['message.failed'] })).body.data
    await world.post(`/v1/webhooks/${id}/verify`)
    const { code, stdout } = await done(run(['trigger', 'message.failed'], ownEnv(world)))
    expect(code).toBe(0)
    expect(stdout).toBe(
      `Sent a made-up message.failed; it is in no feed and no statistics.\n  webhook ${id}  ${hooked.url}  200\n  postern listen  one API key\n`,
    )
    await receiver.waitForRequests(1, patienceMs)
    expectSignedWith(listener.secret, receiver.requests)
    expect(hooked.requests.at(-1)?.headers).toMatchObject({ 'x-postern-event': 'message.failed' })
    expect((await world.get('/v1/events')).body.data.events).toEqual([])
    expect((await world.get(`/v1/webhooks/${id}`)).body.data.stats.total_sent).toBe(0)
    const log = `/v1/webhooks/${listener.webhook_id}/deliveries`
    await waitFor(async () => (await world.get(log)).body.data.deliveries.length === 1, patienceMs)
    const [{ id: deliveryId }] = (await world.get(log)).body.data.deliveries
    expect((await world.get(`${log}/${deliveryId}`)).body.data.attempts).toMatchObject([{ trigger: 'test' }])
  })

  test('leaves the webhooks of an account with a live number alone', async () => {
    const [world, receiver, hooked] = [await theWorld(engine), await aReceiver(), await aReceiver()]
    await listening(receiver.url, ownEnv(world))
    const { id } = (await world.post('/v1/webhooks', { url: hooked.url, events: ['*'] })).body.data
    await world.post(`/v1/webhooks/${id}/verify`)
    const challenges = hooked.requests.length
    const unit = new Unit()
    unit.add(makeLive, { account_id: world.accountId })
    await world.service.rt.store.write(unit)
    const { stdout } = await done(run(['trigger', 'message.received', '--text', 'Hi'], ownEnv(world)))
    expect(stdout).toContain('Webhooks were left alone')
    await receiver.waitForRequests(1, patienceMs)
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '').data.content).toEqual({ text: 'Hi' })
    expect(hooked.requests).toHaveLength(challenges)
  })
})

test('a gateway that stops is held up neither by who listens nor by who does not even read', async () => {
  const world = await aWorld('sqlite')
  const headers = { authorization: `Bearer ${world.token}` }
  const [reading, standing] = await Promise.all(
    [1, 2].map(() => fetch(`${world.service.urls.base}/v1/listen`, { headers })),
  )
  // More than the buffers of both ends take.
  const data = { text: 'x'.repeat(100_000) }
  for (let index = 0; index < 100; index++) await publish(publisher(world), { data })
  const read = reading?.text()
  const startedAt = performance.now()
  await world.stop()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect((await read)?.match(/^event: listening$/gm)).toHaveLength(1)
  await expect(standing?.text()).rejects.toThrow()
})

describe('what a newcomer may meet', { timeout: processTimeoutMs }, () => {
  const anybody = { api_key: 'ptk_unknown', api_secret: 'pts_unknown' }

  test('a server that is not there: each event says so, the log has it, and the end is not a success', async () => {
    const world = await theWorld('sqlite')
    const gone = await startHostileReceiver()
    await gone.close()
    const listener = await listening(`127.0.0.1:${gone.port}/hooks`, ownEnv(world))
    await publish(publisher(world))
    await waitFor(() => listener.lines().length === 1, patienceMs)
    expect(listener.lines()).toMatchObject([
      {
        status_code: null,
        error_code: 'connection_refused',
        error_message: `Nothing listens on 127.0.0.1:${gone.port}: start your server there.`,
      },
    ])
    const log = `/v1/webhooks/${listener.webhook_id}/deliveries?status=failed`
    await waitFor(async () => (await world.get(log)).body.data.deliveries.length === 1, patienceMs)
    expect(await listener.stop()).toBe(1)
  })

  test('a wrong key, a key without the scope, and too many who listen: one sentence each', async () => {
    const world = await theWorld('sqlite')
    const base = world.service.urls.base
    const wrong = await done(run(['listen', '--forward-to', 'localhost:9'], envOf(base, anybody)))
    expect([wrong.code, wrong.stderr]).toEqual([
      4,
      `The gateway at ${base} does not know this API key, or the secret is another: check POSTERN_API_KEY and POSTERN_API_SECRET.\n`,
    ])
    const reader = await aKey(world, world.accountId, ['messages:read'])
    const scopeless = await done(run(['trigger', 'message.sent'], envOf(base, reader)))
    expect([scopeless.code, scopeless.stderr]).toEqual([
      4,
      'The API key lacks the scope webhooks:write; make one that has it.\n',
    ])
    const leave = new AbortController()
    closers.push(async () => leave.abort())
    const headers = { authorization: `Bearer ${world.token}` }
    const open = () => fetch(`${base}/v1/listen`, { headers, signal: leave.signal })
    const opened = await Promise.all(Array.from({ length: 5 }, open))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const refused = await open()
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'too_many_streams' } }])
    const sixth = await done(run(['listen', '--forward-to', 'localhost:9'], ownEnv(world)))
    expect([sixth.code, sixth.stderr.split('\n')[0]]).toEqual([5, 'At most 5 clients of an account listen at a time.'])
  })

  test('no gateway, no key, no address, a misspelt type: one sentence each', async () => {
    const nowhere = envOf('http://127.0.0.1:9', anybody)
    const cases: [words: string[], env: Record<string, string>, code: number, sentence: RegExp][] = [
      [['trigger', 'message.sent'], nowhere, 1, /^No gateway answers at http:\/\/127\.0\.0\.1:9\. .*\n$/],
      [['listen', '--forward-to', 'localhost:9'], {}, 4, /^Set POSTERN_API_KEY and POSTERN_API_SECRET; .*\n$/],
      [['listen'], nowhere, 2, /^Give --forward-to, .*\n$/],
      [['listen', '--forward-to', 'ftp://x'], nowhere, 2, /^--forward-to is an http or https address, .*\n$/],
      [['listen', '--forward-to', 'x', '--events', 'mesage.*'], nowhere, 2, /Did you mean 'message\.\*'\?\n$/],
      [['trigger', 'message.recieved'], nowhere, 2, /Did you mean 'message\.received'\?\n$/],
      [
        ['trigger', 'message.sent', '--text', 'Hi'],
        nowhere,
        2,
        /^--from and --text are for message\.received only\.\n$/,
      ],
    ]
    for (const [words, env, code, sentence] of cases) {
      const outcome = await done(run(words, env))
      expect.soft([words, outcome.code, outcome.stderr]).toEqual([words, code, expect.stringMatching(sentence)])
    }
  })
})
