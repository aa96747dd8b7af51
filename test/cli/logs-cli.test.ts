import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { logsTail } from '../../cli/src/commands/logs.ts'
import { startControlServer } from '../../cli/src/control/control-server.ts'
import { processTimeoutMs, startPostern } from '../support/child-process.ts'
import { type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import { runPostern } from '../support/run-postern.ts'
import { aRuntime } from '../support/runtime.ts'
import { aPlayground, type Gateway, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const patienceMs = 30_000
type Closer = () => Promise<unknown>
const closers: Closer[] = []
const closeAll = async (opened: Closer[]) => {
  for (const close of opened.splice(0).reverse()) await close()
}
afterEach(() => closeAll(closers))

/** A gateway and `logs tail` on its data. */
async function theGateway(engine: EngineName, opened: Closer[]) {
  const play = await aPlayground()
  opened.push(play.dispose)
  const { database, remove } = await freshDatabase(engine)
  opened.push(remove)
  const env: Record<string, string> = database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}
  const gateway = await play.serve([], env)
  return {
    gateway,
    serve: (...args: string[]) => play.serve(args, env),
    tail: (...args: string[]) => play.runHere(['logs', 'tail', ...args], env),
    follow(...args: string[]) {
      const process = startPostern(['logs', 'tail', '--follow', '--data', play.dataDir, ...args], { env })
      closers.push(process.destroy)
      return { process, lines: () => process.output.stdout.split('\n').slice(0, -1) }
    },
    api: await clientOf(gateway),
  }
}

async function clientOf({ base_url, firstRun }: Gateway) {
  const authorization = `Bearer ${await tokenOf(base_url, firstRun ?? {})}`
  const headers = { authorization, 'content-type': 'application/json' }
  return {
    get: async (path: string) => (await fetch(`${base_url}${path}`, { headers })).status,
    send: async (body: object) =>
      (await fetch(`${base_url}/v1/chat/messages/send`, { method: 'POST', headers, body: JSON.stringify(body) }))
        .headers,
  }
}

const statusesIn = (text: string) => text.split('\n').flatMap((line) => line.split(/ +/)[1] ?? [])
const idOf = (headers: Headers) => headers.get('x-request-id') ?? ''

describe.each(engines)('postern logs tail, on %s', { timeout: processTimeoutMs }, (engine) => {
  const shared: Closer[] = []
  let running: Awaited<ReturnType<typeof theGateway>>
  beforeAll(async () => {
    running = await theGateway(engine, shared)
  }, processTimeoutMs)
  afterAll(() => closeAll(shared))

  test('shows refusals and sends aligned, newest last, and only those that were asked for', async () => {
    const { api, tail } = running
    expect(await api.get('/v1/webhooks/whk_none')).toBe(404)
    await api.send({ to: '+12025550100', message: 'private words' })
    await api.send({ to: '+1202', message: 'private words' })
    const last = async () => statusesIn((await tail()).stdout).length
    await waitFor(async () => (await last()) >= 3, patienceMs)
    const all = await tail()
    expect([all.code, all.stderr]).toEqual([0, ''])
    const iso = String.raw`\d{4}-\d\d-\d\dT[\d:.]{12}Z`
    const [first = '', ...others] = all.stdout.trimEnd().split('\n')
    expect(first).toMatch(new RegExp(`^${iso}  404  GET   /v1/webhooks/\\S+ +webhook_not_found +\\d+ ms  First key$`))
    expect(others).toEqual([
      expect.stringMatching(new RegExp(`^${iso}  200  POST  /v1/chat/messages/send +- +\\d+ ms  First key$`)),
      expect.stringMatching(
        new RegExp(`^${iso}  400  POST  /v1/chat/messages/send +validation_failed +\\d+ ms  First key$`),
      ),
    ])
    expect(new Set([first, ...others].map((line) => line.indexOf('First key'))).size).toBe(1)
    expect(statusesIn((await tail('--status', '4xx')).stdout)).toEqual(['404', '400'])
    expect(statusesIn((await tail('--status', '400')).stdout)).toEqual(['400'])
    expect(statusesIn((await tail('--route', 'messages/send', '--lines', '1')).stdout)).toEqual(['400'])
    expect(statusesIn((await tail('--account', 'My business', '--lines', '2')).stdout)).toEqual(['200', '400'])
    const json = await tail('--status', '2xx', '--json')
    expect(json.json).toMatchObject({ status: 200, method: 'POST', code: null, key_name: 'First key' })
    expect(all.stdout + json.stdout).not.toMatch(/private|12025550100/)
    const none = await tail('--status', '503')
    expect([none.code, none.stdout, none.stderr]).toEqual([
      0,
      '',
      'No request matches. Only rejected requests and sends are kept (POSTERN_REQUEST_LOG=refused).\n',
    ])
  })

  test('follows what happens, each request once, also over a restart of the server', async () => {
    const { gateway, api, tail, follow, serve } = running
    const before = [idOf(await api.send({ to: '+1202' })), idOf(await api.send({ to: '+1203' }))]
    const { process, lines } = follow('--json', '--lines', '1')
    await waitFor(() => lines().length > 0, patienceMs)
    const ids = () => lines().map((line) => (JSON.parse(line) as { id: string }).id)
    const during = [idOf(await api.send({})), idOf(await api.send({}))]
    await waitFor(() => ids().includes(during[1] ?? ''), patienceMs)
    await stop(gateway)
    // Without a server the log can be read, and a command that follows waits for one.
    expect(statusesIn((await tail('--lines', '2')).stdout)).toEqual(['400', '400'])
    const late = follow('--lines', '1')
    const told = () => late.process.output.stderr
    await waitFor(() => late.lines().length === 1 && told() === noServer[engine], patienceMs)
    const portOf = (url: string | null) => new URL(url ?? '').port
    const again = await serve('--port', portOf(gateway.base_url), '--sandbox-port', portOf(gateway.sandbox_url))
    const after = idOf(await api.send({ to: '+1204' }))
    await waitFor(() => ids().includes(after), patienceMs)
    // Seconds in which the same rows are looked at again.
    const mark = idOf(await api.send({ to: '+1205' }))
    await waitFor(() => ids().includes(mark) && late.lines().length === 3, patienceMs)
    expect(ids()).toEqual([before[1], ...during, after, mark])
    expect(told()).toBe(noServer[engine] && `${noServer[engine]}Following again.\n`)
    process.signal('SIGINT')
    expect(await process.ended).toBe(0)
    expect(process.output.stderr).not.toContain('    at ')
    await stop(again)
  })
})

/** Servers of a shared database may run elsewhere, so of those nothing is said. */
const noServer = { sqlite: 'No server is running; waiting for one.\n', postgres: '' }

describe('postern logs tail', { timeout: processTimeoutMs }, () => {
  test('says that the log is switched off, and where', async () => {
    const { rt, dispose } = await aRuntime('sqlite', { POSTERN_REQUEST_LOG: 'off' })
    closers.push(dispose)
    // All of a gateway that a command talks to.
    const control = await startControlServer(rt, new Map([[logsTail.name, logsTail.verb]]))
    closers.push(control.close)
    const off =
      'The request log is disabled (POSTERN_REQUEST_LOG=off): set it to refused or all, and restart the server.\n'
    const command = ['logs', 'tail', '--data', rt.config.dataDir]
    const ended = await runPostern(command)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([1, '', off])
    const following = startPostern([...command, '--follow'])
    closers.push(following.destroy)
    expect([await following.ended, following.output.stdout, following.output.stderr]).toEqual([1, '', off])
  })

  test('refuses what it does not understand with one sentence', async () => {
    const play = await aPlayground()
    closers.push(play.dispose)
    const wrong: [words: string[], sentence: string][] = [
      [['--status', '4x'], '--status is a class such as 4xx, or one status such as 429.'],
      [['--lines', '0'], '--lines is a whole number from 1 to 1000.'],
      [['yesterday'], "'yesterday' is not recognized here; see --help."],
    ]
    for (const [words, sentence] of wrong) {
      const { code, stdout, stderr } = await play.runHere(['logs', 'tail', ...words])
      expect([code, stdout, stderr]).toEqual([2, '', `${sentence}\n`])
    }
  })
})
