import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCurl } from '../../console/src/components/requests/to-curl.ts'
import { listPath } from '../../console/src/pages/messages/log-filter.ts'
import { getSamples, postSamples, type Samples, sampleKey, tokenSamples } from '../../console/src/samples.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { requestOf } from '../../server/src/messages/send/request-of.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import type { RequestLogRow } from '../../server/src/store/accounts/request-log.ts'
import { connectedNumbers } from '../../server/src/store/channels/numbers.ts'
import { findMessage } from '../../server/src/store/messages/messages.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { readRequests } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const run = promisify(execFile)

/** How each language is run; python and php are tried where they are installed. */
const interpreters: Record<string, (code: string) => [program: string, args: string[]]> = {
  curl: (code) => ['sh', ['-c', code]],
  node: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  python: (code) => ['python3', ['-c', code]],
  php: (code) => ['php', ['-r', code.replace('<?php', '')]],
}
const languages = ['curl', 'node', ...['python', 'php'].filter((name) => isInstalled(name))]

function isInstalled(language: string): boolean {
  try {
    execFileSync(language === 'python' ? 'python3' : language, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let gateway: World
beforeAll(async () => {
  gateway = await aWorld('sqlite')
}, 60_000)
afterAll(() => gateway?.stop())

const world = () => ({ baseUrl: gateway.service.urls.base, apiKey: gateway.apiKey })

async function outputOf(samples: Samples, language: string): Promise<string> {
  const [program, args] = interpreters[language]?.(samples[language] ?? '') ?? ['false', []]
  const env = { PATH: pathWithCurl(), HOME: process.env.HOME ?? '', POSTERN_API_SECRET: gateway.apiSecret }
  return (await run(program, args, { env, timeout: 20_000 })).stdout
}

describe.each(languages)('the samples of the console in %s', (language) => {
  test('get a token', async () => {
    expect(await outputOf(tokenSamples(world()), language)).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\s*$/)
  })

  test('read something, also with several filters in the address', async () => {
    const path = listPath({ direction: 'outbound', status: 'not_sent', search: '+12025550100', since: '2026-01-01' })
    const output = await outputOf(getSamples(world(), path), language)
    expect(output).toMatch(/success['"]?: ?true/i)
    expect(output).toContain('pagination')
  })

  test('send whatever a text may hold, byte for byte', async () => {
    const message = `It's "quoted" \\ $HOME $(id) \`id\` '''\n{{1}} é 👍 true null`
    const body = { to: gateway.customer, message, client_reference: `${language}-'1'` }
    const output = await outputOf(postSamples(world(), '/v1/chat/messages/send', body), language)
    expect(output).toMatch(/success['"]?: ?true/i)
    const reference = encodeURIComponent(body.client_reference)
    const { messages } = (await gateway.get(`/v1/chat/messages?client_reference=${reference}`)).body.data
    expect(messages).toHaveLength(1)
    const sent = (await gateway.get(`/v1/chat/messages/${encodeURIComponent(messages[0].message_id)}`)).body.data
    expect(JSON.stringify(sent)).toContain(JSON.stringify(message))
  })
})

describe.each(languages)('a refusal of a sample in %s', (language) => {
  async function shown(samples: Samples, secret: string): Promise<string> {
    const [program, args] = interpreters[language]?.(samples[language] ?? '') ?? ['false', []]
    const env = { PATH: pathWithCurl(), HOME: process.env.HOME ?? '', POSTERN_API_SECRET: secret }
    const { stdout, stderr } = await run(program, args, { env, timeout: 20_000 }).catch((failed) => failed)
    return `${stdout}${stderr}`
  }

  test('is printed when key and secret do not fit', async () => {
    for (const samples of [tokenSamples(world()), getSamples(world(), '/v1/chat/messages')]) {
      expect(await shown(samples, 'pts_wrong')).toContain('invalid_credentials')
    }
  })

  test('is printed when the call itself is refused', async () => {
    const refused = [
      getSamples(world(), '/v1/chat/messages?limit=0'),
      postSamples(world(), '/v1/chat/messages/send', { to: 'nobody' }),
    ]
    for (const samples of refused) expect(await shown(samples, gateway.apiSecret)).toContain('validation_failed')
  })
})

describe('the call of a message', () => {
  test('leaves from the same number, with its reference and the message it quotes', async () => {
    const { rt } = gateway.service
    await connectSandboxChannel(rt, gateway.accountId, { url: gateway.sandboxUrl, openNumber: openSandboxNumber })
    const numbers = await rt.store.read(connectedNumbers, { account_id: gateway.accountId })
    const second = numbers[1]
    const inbound = { to: second?.phone_number, from: gateway.customer, text: 'Hello, second' }
    const { message_id: quoted } = (await gateway.control('POST', '/_sandbox/inbound', inbound)).body
    const record = async (id: string) => (await gateway.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
    await waitFor(async () => (await record(quoted)) !== null, 10_000)
    const body = { to: gateway.customer, from: second?.phone_number, reply_to: quoted, client_reference: 'second-1' }
    const answer = await gateway.post('/v1/chat/messages/send', { ...body, message: 'From the second' })
    const [row] = await rt.store.read(findMessage, { account_id: gateway.accountId, id: answer.body.data.message_id })
    const request = row && (await requestOf(rt, row))
    if (!request) throw new Error('no call')
    const output = JSON.parse(await outputOf(postSamples(world(), request.path, request.body), 'curl'))
    const of = async (id: string) => {
      const { from, to, reply_to, client_reference, content } = await record(id)
      return { from, to, reply_to, client_reference, content }
    }
    const first = await of(answer.body.data.message_id)
    expect(await of(output.data.message_id)).toEqual(first)
    expect(first).toMatchObject({ from: second?.phone_number, reply_to: quoted, client_reference: 'second-1' })
  })
})

describe('the key of a sample', () => {
  const key = (name: string, status = 'active') => ({ key: name, status })

  test('is the last one whose secret was saved here, while it works; otherwise a placeholder', () => {
    expect(sampleKey([key('ptk_new'), key('ptk_old')], ['ptk_old'])).toBe('ptk_old')
    expect(sampleKey([key('ptk_a'), key('ptk_b')], ['ptk_a', 'ptk_b'])).toBe('ptk_b')
    expect(sampleKey([key('ptk_new'), key('ptk_old', 'revoked')], ['ptk_old'])).toBe('YOUR_API_KEY')
    expect(sampleKey([key('ptk_new')], [])).toBe('YOUR_API_KEY')
  })
})

describe('a request of the log as curl', () => {
  test('is sent again as it stands', async () => {
    const body = {
      to: gateway.customer,
      type: 'buttons',
      body: `It's "the same" \\ $HOME é 👍`,
      buttons: [{ id: 'a', title: "O'K" }],
      client_reference: 'twice',
    }
    expect((await gateway.post('/v1/chat/messages/interactive?dry_run=false', body)).status).toBe(200)
    const logged = await loggedCall('/v1/chat/messages/interactive')
    expect(logged).toMatchObject({ method: 'POST', path: '/v1/chat/messages/interactive?dry_run=false' })
    const output = JSON.parse(await outputOf({ curl: toCurl(world(), logged) ?? 'false' }, 'curl'))
    expect(output).toMatchObject({ success: true, data: { to: gateway.customer } })
    const { messages } = (await gateway.get('/v1/chat/messages?client_reference=twice')).body.data
    expect(messages).toHaveLength(2)
    const [second, first] = await Promise.all(
      messages.map(async ({ message_id }: { message_id: string }) => {
        const { data } = (await gateway.get(`/v1/chat/messages/${encodeURIComponent(message_id)}`)).body
        return { type: data.type, to: data.to, from: data.from, content: data.content }
      }),
    )
    expect(second).toEqual(first)
    expect(first).toMatchObject({ type: 'interactive', to: gateway.customer })
    expect(JSON.parse(logged.answer ?? '')).toMatchObject({ success: true, data: { to: gateway.customer } })
  })

  test('is sent again with its ids and without a body where it had none', async () => {
    const path = '/v1/chat/messages/wamid.none/read?x=1'
    const refused = await gateway.call('POST', path)
    const logged = await loggedCall('/v1/chat/messages/{message_id}/read')
    expect(logged).toMatchObject({ path, body: '' })
    const output = JSON.parse(await outputOf({ curl: toCurl(world(), logged) ?? 'false' }, 'curl'))
    expect(output.error.code).toBe(refused.body.error.code)
  })

  /** The row is on disk a moment after the answer. */
  async function loggedCall(route: string): Promise<RequestLogRow> {
    const { rt } = gateway.service
    const newest = { before_at: Number.MAX_SAFE_INTEGER, before_id: '', count: 100 }
    const find = async () => {
      const rows = await rt.store.read(readRequests, { account_id: gateway.accountId, ...newest })
      return rows.find((row) => row.route === route)
    }
    await waitFor(async () => (await find()) !== undefined)
    return (await find()) as RequestLogRow
  }
})
