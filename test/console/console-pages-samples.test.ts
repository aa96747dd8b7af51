import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toCurl } from '../../console/src/pages/logs/to-curl.ts'
import { listPath } from '../../console/src/pages/messages/log-filter.ts'
import { getSamples, postSamples, type Samples, sampleKey, tokenSamples } from '../../console/src/samples.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { aWorld, type World } from '../support/world.ts'

const run = promisify(execFile)

/** How each language is run; python and php are tried where somebody installed them. */
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
    const request = { method: 'POST', route: '/v1/webhooks', body: `{"url":"it's not one","events":["*"]}` }
    const output = await outputOf({ curl: toCurl(world(), request) }, 'curl')
    expect(JSON.parse(output).error).toMatchObject({ code: 'webhook_url_not_allowed' })
  })
})
