import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSdk } from '../../scripts/build-sdk.ts'
import { Postern } from '../../sdk/src/index.ts'
import { processTimeoutMs, type RunningProcess, root, startProcess } from '../support/child-process.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { expectToReceive } from '../support/guides/receivers.ts'
import { aPlayground, type Gateway, type Playground, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const customer = '+12025550100'
const deadlineMs = 60_000

describe('the examples, copied out and run against a gateway that has just been started', {
  timeout: processTimeoutMs,
}, () => {
  let play: Playground
  let gateway: Gateway
  const started: RunningProcess[] = []
  const env = { POSTERN_WEBHOOK_DEV_ALLOW: 'localhost,127.0.0.0/8' }

  beforeAll(async () => {
    play = await aPlayground()
    gateway = await play.serve([], env)
    cpSync(join(root, 'examples'), join(play.folder, 'examples'), { recursive: true })
    // What `npm install` would bring: the SDK as it is packed, and Express.
    mkdirSync(join(play.folder, 'node_modules/@postern'), { recursive: true })
    buildSdk(join(play.folder, 'node_modules/@postern/sdk'))
    symlinkSync(join(root, 'node_modules/express'), join(play.folder, 'node_modules/express'))
  }, processTimeoutMs)
  afterAll(async () => {
    await Promise.all(started.map((process) => process.destroy()))
    await play.dispose()
  })

  type Credentials = { api_key?: unknown; api_secret?: unknown }

  /** Runs a program in the copy of an example's folder. */
  function run(
    example: string,
    [command = '', ...args]: string[],
    credentials: Credentials = gateway.firstRun ?? {},
    more: Record<string, string> = {},
  ): RunningProcess {
    const running = startProcess(command, args, {
      cwd: join(play.folder, 'examples', example),
      env: {
        ...more,
        PATH: pathWithCurl(),
        POSTERN_BASE_URL: gateway.base_url,
        POSTERN_API_KEY: String(credentials.api_key),
        POSTERN_API_SECRET: String(credentials.api_secret),
      },
    })
    started.push(running)
    return running
  }

  /** What the customer does, in the sandbox. */
  const inbound = async (what: object): Promise<void> => {
    const response = await fetch(`${gateway.sandbox_url}/_sandbox/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from: customer, ...what }),
    })
    expect(response.status).toBe(200)
  }

  async function messages(query: string): Promise<{ type: string; status: string; template: string | null }[]> {
    const token = await tokenOf(gateway.base_url, gateway.firstRun ?? {})
    const response = await fetch(`${gateway.base_url}/v1/chat/messages?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await response.json()) as { data: { messages: never[] } }).data.messages
  }

  test('curl: the tour goes through to its end', async () => {
    const tour = run('curl', ['sh', 'tour.sh'])
    expect([await tour.ended, tour.output.stderr]).toEqual([0, ''])
    const { stdout } = tour.output
    expect(stdout).toMatch(
      /POST \/v1\/chat\/messages\/send .*\n {2}-> 200 \{"success":true,"data":\{"message_id":"wamid/,
    )
    expect(stdout).toContain('the customer has read it')
    expect(stdout).toMatch(/both answers have wamid\./)
    expect(stdout).toContain("Did you mean 'message'?")
    expect(stdout).toMatch(/GET \/v1\/auth\/me \n {2}-> 401/)
    expect(stdout).toMatch(/The tour is complete\.\n$/)
    expect(stdout).not.toContain(gateway.firstRun?.api_secret)
    expect(stdout).not.toMatch(/"access_token":"\w/)
  })

  test('curl: the tour stops with the answer when something is refused', async () => {
    const tour = run('curl', ['sh', 'tour.sh'], { api_key: gateway.firstRun?.api_key, api_secret: 'pts_wrong' })
    expect(await tour.ended).toBe(1)
    expect(tour.output.stderr).toContain('invalid_credentials')
  })

  test('express-webhook: proves its address, prints what happens, and refuses what is not genuine', async () => {
    const { api_key: apiKey = '', api_secret: apiSecret = '' } = gateway.firstRun ?? {}
    const postern = new Postern({ baseUrl: gateway.base_url, apiKey, apiSecret })
    await expectToReceive(postern, (env) => run('express-webhook', [process.execPath, 'server.js'], {}, env))
  })

  test('bulk-notify: serves everyone it can, and nobody twice', async () => {
    const notify = [process.execPath, 'notify.ts', 'test']
    const first = run('bulk-notify', notify)
    expect([await first.ended, first.output.stderr]).toEqual([0, ''])
    expect(first.output.stdout).toMatch(/^line 6, to: /m)
    expect(first.output.stdout).toContain('5 recipients: 5 sent, 0 failed, 0 skipped')
    const before = (await messages('template=order_confirmation&limit=100')).length
    const again = run('bulk-notify', notify)
    expect(await again.ended).toBe(0)
    expect(again.output.stdout).toContain('5 recipients: 5 sent, 0 failed, 0 skipped')
    expect(await messages('template=order_confirmation&limit=100')).toHaveLength(before)
  })

  test('support-bot: talks with buttons, a list and a text', async () => {
    const bot = run('support-bot', [process.execPath, 'bot.ts'])
    await bot.line((line) => line === 'listening', deadlineMs)
    await waitFor(() => existsSync(join(play.folder, 'examples/support-bot/position.txt')), deadlineMs)
    const answers = (kind: string) => bot.output.stdout.split('\n').filter((line) => line.endsWith(`with a ${kind}`))
    await inbound({ text: 'Hi' })
    await waitFor(() => answers('buttons message').length === 1, deadlineMs)
    await inbound(tap('button_reply', 'orders', 'My order'))
    await waitFor(() => answers('list message').length === 1, deadlineMs)
    await inbound(tap('list_reply', 'order:A-1002', 'A-1002'))
    await waitFor(() => answers('text').length === 1, deadlineMs)
    bot.signal('SIGTERM')
    expect([await bot.ended, bot.output.stderr]).toEqual([0, ''])
    expect(bot.output.stdout).toMatch(/stopped\n$/)
    expect((await saidTo(customer, 3)).map(({ type }) => type)).toEqual(['text', 'interactive', 'interactive'])
  })

  test('support-bot: replies once to messages from while it was stopped, though the gateway was killed meanwhile', async () => {
    const before = await saidTo(customer, 100)
    const received = async () => (await messages('direction=inbound&limit=100')).length
    const heard = await received()
    await inbound(tap('button_reply', 'person', 'A person'))
    await waitFor(async () => (await received()) === heard + 1, deadlineMs)
    gateway.process.signal('SIGKILL')
    await gateway.process.ended
    const bot = run('support-bot', [process.execPath, 'bot.ts'])
    await bot.line((line) => line.startsWith('connection_failed: trying again'), deadlineMs)
    await serveAgain()
    await bot.line((line) => line.endsWith('with a text'), deadlineMs)
    bot.signal('SIGKILL')
    await bot.ended
    const again = run('support-bot', [process.execPath, 'bot.ts'])
    await inbound(tap('button_reply', 'orders', 'My order'))
    await again.line((line) => line.endsWith('with a list message'), deadlineMs)
    again.signal('SIGTERM')
    expect(await again.ended).toBe(0)
    const after = await saidTo(customer, 100)
    expect(after.slice(0, after.length - before.length).map(({ type }) => type)).toEqual(['interactive', 'text'])
  })

  /** What the customer got, newest first. */
  const saidTo = (whom: string, limit: number) =>
    messages(`direction=outbound&phone_number=${encodeURIComponent(whom)}&limit=${limit}`)

  /** The same gateway at the same addresses. */
  async function serveAgain(): Promise<void> {
    const { firstRun, base_url, sandbox_url } = gateway
    const ports = ['--port', new URL(base_url).port, '--sandbox-port', new URL(sandbox_url ?? '').port]
    gateway = { ...(await play.serve(ports, env)), firstRun }
  }
})

function tap(kind: 'button_reply' | 'list_reply', id: string, title: string): object {
  return { type: 'interactive', interactive: { type: kind, [kind]: { id, title } } }
}
