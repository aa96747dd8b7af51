import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { engines } from '../support/postgres/databases.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { runPostern } from '../support/run-postern.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectSignedWith, localReceivers, publish } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'
import {
  aKey,
  aReceiver,
  closeAll,
  closers,
  envOf,
  listening,
  ownEnv,
  patienceMs,
  publisher,
  theWorld,
} from './listen-support.ts'

afterEach(closeAll)

const makeLive = operation({
  name: 'test.make_live',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `update channels set kind = 'cloud' from rows where channels.account_id = rows.account_id`,
})

describe.each(engines)('postern trigger, on %s', { timeout: processTimeoutMs }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine, localReceivers)
  })
  afterAll(() => world?.stop())

  test('sends a sample to webhooks and listeners that is in no feed and no statistics', async () => {
    const [receiver, hooked] = [await aReceiver(), await aReceiver()]
    const listener = await listening(receiver.url, ownEnv(world))
    const { id } = (await world.post('/v1/webhooks', { url: hooked.url, events: ['message.failed'] })).body.data
    await world.post(`/v1/webhooks/${id}/verify`)
    const { code, stdout } = await runPostern(['trigger', 'message.failed'], { env: ownEnv(world) })
    expect(code).toBe(0)
    expect(stdout).toBe(
      `Sent a sample message.failed; it does not appear in the feed or statistics.\n  webhook ${id}  ${hooked.url}  200\n  postern listen  with one API key\n`,
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

  test('lets a customer of the sandbox write, and says to whom that goes', async () => {
    const receiver = await aReceiver()
    await listening(receiver.url, ownEnv(world))
    const words = ['trigger', 'message.received', '--from', '+12025550123', '--text', 'Is it ready?']
    const { code, stdout } = await runPostern(words, { env: ownEnv(world) })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The customer \+12025550123 wrote to \+\d+ in the sandbox \(message wamid\..+\)\.\n/)
    expect(stdout).toContain('postern listen  with one API key')
    await receiver.waitForRequests(1, patienceMs)
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '')).toMatchObject({
      type: 'message.received',
      data: { from: '+12025550123', content: { text: 'Is it ready?' } },
    })
    expect((await world.get('/v1/chat/messages?direction=inbound')).body.data.messages).toHaveLength(1)
    const short = await world.post('/v1/events/trigger', { type: 'message.received', from: '+1000000' })
    expect(short.body.error).toMatchObject({ code: 'validation_failed', details: [{ field: 'from' }] })
  })

  test('leaves the webhooks of an account with a live number alone', async () => {
    const [receiver, hooked] = [await aReceiver(), await aReceiver()]
    await listening(receiver.url, ownEnv(world))
    const { id } = (await world.post('/v1/webhooks', { url: hooked.url, events: ['*'] })).body.data
    await world.post(`/v1/webhooks/${id}/verify`)
    const challenges = hooked.requests.length
    const unit = new Unit()
    unit.add(makeLive, { account_id: world.accountId })
    await world.service.rt.store.write(unit)
    const { stdout } = await runPostern(['trigger', 'message.received', '--text', 'Hi'], { env: ownEnv(world) })
    expect(stdout).toContain('Nothing was sent to webhooks')
    await receiver.waitForRequests(1, patienceMs)
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '').data.content).toEqual({ text: 'Hi' })
    expect(hooked.requests).toHaveLength(challenges)
  })
})

describe('what a newcomer to postern listen may meet', { timeout: processTimeoutMs }, () => {
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
    const wrong = await runPostern(['listen', '--forward-to', 'localhost:9'], { env: envOf(base, anybody) })
    expect([wrong.code, wrong.stderr]).toEqual([
      4,
      `The gateway at ${base} does not accept this API key and secret: check POSTERN_API_KEY and POSTERN_API_SECRET, or sign in again with "postern login".\n`,
    ])
    const reader = await aKey(world, world.accountId, ['messages:read'])
    const scopeless = await runPostern(['trigger', 'message.sent'], { env: envOf(base, reader) })
    expect([scopeless.code, scopeless.stderr]).toEqual([
      4,
      'The API key lacks the scope webhooks:write; create one that has it.\n',
    ])
    const leave = new AbortController()
    closers.push(async () => leave.abort())
    const headers = { authorization: `Bearer ${world.token}` }
    const open = () => fetch(`${base}/v1/listen`, { headers, signal: leave.signal })
    const opened = await Promise.all(Array.from({ length: 5 }, open))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const refused = await open()
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'too_many_streams' } }])
    const sixth = await runPostern(['listen', '--forward-to', 'localhost:9'], { env: ownEnv(world) })
    expect([sixth.code, sixth.stderr.split('\n')[0]]).toEqual([
      5,
      'At most 5 clients of an account can listen at a time.',
    ])
  })

  test('no gateway, no key, no address, a misspelt type: one sentence each', async () => {
    const nowhere = envOf('http://127.0.0.1:9', anybody)
    const cases: [words: string[], env: Record<string, string>, code: number, sentence: RegExp][] = [
      [['trigger', 'message.sent'], nowhere, 1, /^No gateway responds at http:\/\/127\.0\.0\.1:9\. .*\n$/],
      [
        ['listen', '--forward-to', 'localhost:9'],
        {},
        4,
        /^Sign in with "postern login", or set POSTERN_API_KEY and POSTERN_API_SECRET; .*\n$/,
      ],
      [['listen'], nowhere, 2, /^Give --forward-to, .*\n$/],
      [['listen', '--forward-to', 'ftp://x'], nowhere, 2, /^--forward-to is an http or https address, .*\n$/],
      [['listen', '--forward-to', '3000/hooks'], nowhere, 2, /^--forward-to is an http or https address, .*\n$/],
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
      const outcome = await runPostern(words, { env })
      expect.soft([words, outcome.code, outcome.stderr]).toEqual([words, code, expect.stringMatching(sentence)])
    }
  })
})
