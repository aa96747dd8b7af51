import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { startPostern } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { runPostern } from '../support/run-postern.ts'
import { waitFor } from '../support/wait-for.ts'

type Step = { name: string; status: string; fix: string | null }
type Channel = { id: string; kind: string; numbers: { id: string; phone_number: string; default: boolean }[] }

/** Members that are named by people and numbers, and texts in them. */
const personal = '"+12025550123":{"Maria Silva":"See you at noon"},"98765432109876":["maria@mail.test"]'

/** The sandbox, with some of what it answers changed. */
async function startChangedPlatform(
  sandboxUrl: string,
  [from, to]: [from: string, to: string],
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { authorization, 'content-type': type = 'application/json' } = request.headers
    const body = request.method === 'POST' ? { body: new Uint8Array(await buffer(request)) } : {}
    const headers = { 'content-type': type, ...(authorization === undefined ? {} : { authorization }) }
    const answer = await fetch(`${sandboxUrl}${request.url}`, { method: request.method ?? 'GET', headers, ...body })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end((await answer.text()).replace(from, to))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** No server is running here, so everything works but the callback: the platform finds nobody at the address. */
describe('postern channels', () => {
  let sandbox: Sandbox
  let folder: string
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, approved: true, development: true })
    folder = await mkdtemp(join(dataFolder(), 'postern-test-'))
    expect((await run(['accounts', 'create', '--name', 'Acme', '--channel', 'none'])).code).toBe(0)
  })
  afterAll(async () => {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(words: string[], env: Record<string, string> = {}) {
    const settings = { POSTERN_DATA_DIR: folder, POSTERN_BASE_URL: 'http://127.0.0.1:9', ...env }
    const ended = await runPostern([...words, '--json'], { env: settings })
    return { ...ended, json: JSON.parse(ended.stdout || '{}') as Record<string, unknown> }
  }

  test.each([
    [
      ['--business', '102912345678901', '--number', '+15550100001'],
      /^--number is the phone number id, not the phone number: /,
    ],
    [['--business', 'Acme', '--number', '106512345678901'], /^--business is the id of the WhatsApp Business account: /],
  ])('refuses %j before Meta is asked', async (words, sentence) => {
    const { code, stderr } = await runPostern(['channels', 'connect', ...words])
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
  })

  test('connects, lists, checks and disconnects a sandbox number, and says which step failed', async () => {
    const connected = await run(['channels', 'connect', '--account', 'Acme', '--sandbox', sandbox.url])
    const steps = connected.json.steps as Step[]
    expect(steps.filter(({ status }) => status === 'failed').map(({ name }) => name)).toEqual([
      'app_callback',
      'callback',
    ])
    expect(connected.code).toBe(1)
    const [channel] = (await run(['channels', 'list', '--account', 'Acme'])).json.channels as Channel[]
    expect(channel).toMatchObject({ kind: 'sandbox', status: 'no_callbacks', numbers: [{ default: true }] })
    const listed = await runPostern(['channels', 'list', '--account', 'Acme'], { env: { POSTERN_DATA_DIR: folder } })
    expect(listed.stdout).toMatch(/ sandbox +no_callbacks /)
    // Nothing was tried before Meta, here the sandbox, was asked to call.
    const sentence = expect.stringMatching(/^The callback address is \S+\. A sandbox needs no public one\.$/)
    expect(steps[0]).toMatchObject({ name: 'address', sentence })
    const check = await run(['channels', 'check', '--account', 'Acme'])
    expect([check.code, check.json.ok]).toEqual([1, false])
    const chosen = await run(['channels', 'default', channel?.numbers[0]?.phone_number ?? '', '--account', 'Acme'])
    expect([chosen.code, chosen.json.default]).toEqual([0, true])
    const about = await run(['channels', 'profile', '--account', 'Acme', '--about', 'Open daily'])
    expect(about.json, about.stderr).toMatchObject({ about: 'Open daily', vertical: 'OTHER', websites: [] })
    const profile = await runPostern(['channels', 'profile'], { env: { POSTERN_DATA_DIR: folder } })
    expect(profile.stdout).toMatch(/^phone_number: \+\d+\nabout: +Open daily$/m)
    const blocked = await run(['channels', 'blocked', '--block', '+12025550100,+12025550111'])
    expect(blocked.json, blocked.stderr).toMatchObject({
      blocked: [{ customer: '+12025550100' }],
      failed: [{ customer: '+12025550111', code: 'block_window_closed' }],
    })
    expect(blocked.code).toBe(1)
    expect((await run(['channels', 'blocked', '--unblock', '+12025550100'])).json.blocked).toEqual([])
    const words = ['channels', 'disconnect', channel?.id ?? '', '--account', 'Acme', '--yes']
    expect((await run(words)).code).toBe(0)
    expect((await run(words)).code).toBe(3)
  }, 60_000)

  test.each([
    ['profile', '--about', 'x'.repeat(140), "'about' is not valid: Must have at most 139 characters."],
    ['profile', '--category', 'SPACE', "'vertical' is not valid: Must be one of: ALCOHOL, "],
    ['profile', '--email', 'nobody', "'email' is not valid: Write an email address"],
    ['profile', '--websites', 'acme.test', "'websites[0]' is not valid: Write the whole address"],
    ['blocked', '--block', Array(1_001).fill('+12025550100').join(), "'customers' is not valid: "],
    ['blocked', '--block', '+12025550100,', "'customers[1]' is not valid: "],
  ])('channels %s refuses %s as the API does, before Meta is asked', async (command, flag, value, sentence) => {
    // There is no channel that could be asked.
    const refused = await run(['channels', command, flag, value])
    expect([refused.code, JSON.parse(refused.stderr).error.message]).toEqual([2, expect.stringContaining(sentence)])
  })

  test('lists and checks the channels of all accounts, and says whose they are and when a token expires', async () => {
    await using cleanup = new AsyncDisposableStack()
    const own = await mkdtemp(join(dataFolder(), 'postern-test-'))
    cleanup.defer(() => rm(own, { recursive: true, force: true }))
    const ending = await startChangedPlatform(sandbox.url, ['"expires_at":0', '"expires_at":1999999999'])
    cleanup.defer(() => ending.close())
    const env = { POSTERN_DATA_DIR: own }
    for (const [name, url] of [
      ['Acme', sandbox.url],
      ['Bakery', ending.url],
    ] as const) {
      await run(['accounts', 'create', '--name', name, '--channel', 'none'], env)
      const { waba_id, phone_number_id, app_id, access_token, app_secret } = sandbox.control.createNumber({
        approved: true,
      })
      const ids = ['--business', waba_id, '--number', phone_number_id, '--app-id', app_id, '--base-url', url]
      const secrets = { POSTERN_CHANNEL_TOKEN: access_token, POSTERN_CHANNEL_APP_SECRET: app_secret }
      await run(['channels', 'connect', ...ids, '--account', name], { ...env, ...secrets })
    }
    const channels = (await run(['channels', 'list'], env)).json.channels as (Channel & { account_name: string })[]
    expect(channels.map(({ account_name }) => account_name)).toEqual(['Acme', 'Bakery'])
    const shown = await runPostern(['channels', 'list'], { env })
    const [head, acme, bakery] = shown.stdout.split('\n')
    expect(head).toMatch(/^account +channel .* token expires$/)
    expect([acme, bakery]).toEqual([
      expect.stringMatching(/^Acme .*yes$/),
      expect.stringMatching(/^Bakery .*2033-05-18T/),
    ])
    const checked = (await run(['channels', 'check'], env)).json.checks as { channel: Channel }[]
    expect(checked.map(({ channel }) => channel.id)).toEqual(channels.map(({ id }) => id))
    const [, last] = channels
    const one = (await run(['channels', 'check', last?.id ?? ''], env)).json.checks as { channel: Channel }[]
    expect(one).toMatchObject([{ channel: { id: last?.id, account_name: 'Bakery' } }])
    const taken = await run(['channels', 'check', '--take-over'], env)
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('Bakery (acc_')])
    const gone = await run(['channels', 'disconnect', last?.id ?? '', '--yes'], env)
    expect(gone.json, gone.stderr).toMatchObject({ disconnected: last?.id })
    const foreign = await run(['channels', 'check', channels[0]?.id ?? '', '--account', 'Bakery'], env)
    expect(foreign.code).toBe(3)
  }, 120_000)

  test('takes secrets from the environment or a file, never from flags, and prints none', async () => {
    const number = sandbox.control.createNumber({ approved: true })
    const words = ['channels', 'connect', '--business', number.waba_id, '--number', number.phone_number_id]
    const refused = await run(words)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('POSTERN_CHANNEL_TOKEN')])
    const here = [...words, '--base-url', sandbox.url]
    const env = { POSTERN_CHANNEL_TOKEN: number.access_token, POSTERN_CHANNEL_APP_SECRET: number.app_secret }
    const byEnvironment = await run(here, env)
    expect(byEnvironment.json.channel).toMatchObject({ business_id: number.waba_id, kind: 'cloud' })
    const file = join(folder, 'secrets.json')
    await writeFile(file, JSON.stringify({ access_token: number.access_token, app_secret: number.app_secret }))
    const byFile = await run([...here, '--secrets', file])
    expect(byFile.json.channel).toMatchObject({ business_id: number.waba_id })
    const printed = [byEnvironment, byFile].map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(printed).not.toContain(number.access_token)
    expect(printed).not.toContain(number.app_secret)
  }, 60_000)

  test('compares what the platform answers with the recorded shapes, and writes down what differs without a value', async () => {
    const number = sandbox.control.createNumber({ name: 'A Secret Bakery', approved: true })
    const ids = ['--business', number.waba_id, '--number', number.phone_number_id, '--app-id', number.app_id]
    const env = { POSTERN_CHANNEL_TOKEN: number.access_token, POSTERN_CHANNEL_APP_SECRET: number.app_secret }
    await run(['channels', 'connect', ...ids, '--base-url', sandbox.url], env)
    const probe = ['channels', 'probe', number.phone_number]
    const sound = await run(probe)
    const outcomes = (sound.json.probes as { call: string; outcome: string }[]).map(({ outcome }) => outcome)
    expect([sound.code, new Set(outcomes)], sound.stdout).toEqual([0, new Set(['as_recorded'])])
    expect(outcomes.length).toBeGreaterThan(7)
    expect(sandbox.control.messages({ phone_number_id: number.phone_number_id }).data).toEqual([])
    const sent = await run([...probe, '--send-to', '+12025550100'])
    expect([sent.code, sandbox.control.messages({ to: '+12025550100' }).data.length]).toEqual([0, 1])
    const undocumented = `"name_status":{},"mood":"good",${personal}`
    const changed = await startChangedPlatform(sandbox.url, ['"name_status":"APPROVED"', undocumented])
    const moved = await run(['channels', 'connect', ...ids, '--base-url', changed.url], env)
    expect(moved.json.channel, moved.stdout).not.toBeNull()
    const file = join(folder, 'differences.json')
    const differing = await run([...probe, '--record', file])
    await changed.close()
    expect(differing.code).toBe(1)
    const recorded = await readFile(file, 'utf8')
    const told = [
      { at: 'answer.mood', expected: 'nothing', found: 'string' },
      { at: 'answer.name_status', expected: 'string', found: 'object' },
      { at: 'answer.*', expected: 'nothing', found: 'object' },
      { at: 'answer.*', expected: 'nothing', found: 'list' },
    ]
    const [{ differences, ...first }] = JSON.parse(recorded).differing
    expect(first).toEqual({ call: 'GET /{phone_number}', outcome: 'differs', code: null })
    expect(differences).toEqual(expect.arrayContaining(told))
    expect(differences).toHaveLength(4)
    const { phone_number: phone, access_token: token, app_secret: secret, phone_number_id, waba_id, app_id } = number
    const own = ['Secret Bakery', phone.slice(1), token, secret, phone_number_id, waba_id, app_id]
    for (const data of [...own, '12025550123', 'Maria', 'noon', '98765432109876', 'mail.test']) {
      expect(recorded).not.toContain(data)
    }
  }, 90_000)

  test('prints what to enter at Meta by hand, waits for the handshake, and finishes the connection', async () => {
    const number = sandbox.control.createNumber({ approved: true })
    const own = await mkdtemp(join(dataFolder(), 'postern-test-'))
    const env = {
      POSTERN_DATA_DIR: own,
      POSTERN_CHANNEL_TOKEN: number.access_token,
      POSTERN_CHANNEL_APP_SECRET: number.app_secret,
    }
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => rm(own, { recursive: true, force: true }))
    const listen = ['--port', '0', '--admin-port', '0']
    const server = startPostern(['serve', '--json', ...listen], { env: { ...env, POSTERN_SANDBOX_LISTEN: 'off' } })
    cleanup.defer(() => server.destroy())
    await waitFor(() => server.output.stdout.includes('"ready"'), 20_000)
    const ids = ['--business', number.waba_id, '--number', number.phone_number_id, '--base-url', sandbox.url]
    const byHand = startPostern(['channels', 'connect', ...ids, '--manual', '--wait', '30', '--json'], { env })
    cleanup.defer(() => byHand.destroy())
    await waitFor(() => byHand.output.stdout.includes('\n'), 20_000)
    const [first] = byHand.output.stdout.split('\n')
    const { manual } = JSON.parse(first ?? '') as {
      manual: { callback_url: string; verify_token: string; fields: string[]; verified: boolean }
    }
    expect(manual).toMatchObject({ verified: false, fields: expect.arrayContaining(['messages', 'account_update']) })
    expect(manual.callback_url).toMatch(/\/channel\/app\/[0-9a-f]{32}\/callback$/)
    // What a person does in the App Dashboard; one field is forgotten.
    const entered = await fetch(`${sandbox.url}/v26.0/${number.app_id}/subscriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${number.app_id}|${number.app_secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        object: 'whatsapp_business_account',
        callback_url: manual.callback_url,
        verify_token: manual.verify_token,
        fields: 'messages',
      }),
    })
    expect(await entered.json()).toEqual({ success: true })
    expect(await byHand.ended).toBe(0)
    const last = JSON.parse(byHand.output.stdout.trim().split('\n').at(-1) ?? '') as { checks: { steps: Step[] }[] }
    expect(last.checks[0]?.steps.filter(({ status }) => status !== 'ok')).toEqual([])
  }, 60_000)
})
