import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { webhooks } from '../../sdk/src/index.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { runPostern } from '../support/run-postern.ts'
import { localReceivers, publish } from '../support/webhook-world.ts'
import { aWorld } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const secret = `whsec_${randomBytes(32).toString('base64')}`
const id = 'evt_01jd4kb2c4d6e8f0g1h3j5k7m9'
const body = JSON.stringify({
  id,
  type: 'message.received',
  api_version: 'v1',
  data: { text: 'Olá, private words 👋' },
})

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const linesOf = (headers: object) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
const signedAgo = (seconds: number) => webhooks.sign({ id, body, secret, timestamp: Date.now() / 1_000 - seconds })

type Case = { headers?: string; input?: string | Uint8Array; own?: string; args?: string[] }

async function verify({ headers = linesOf(signedAgo(2)), input = body, own = secret, args = [] }: Case) {
  const words = ['--secret-file', file('secret.txt', `${own}\n`), '--headers', file('headers.txt', headers), ...args]
  const { code, stdout, stderr } = await runPostern(['verify', ...words], { input })
  expect(stdout + stderr).not.toMatch(/private|whsec_[A-Za-z0-9+/]{8}/)
  return { code, stdout, stderr }
}

describe('postern verify', { timeout: processTimeoutMs }, () => {
  test('finds what a gateway delivered valid, byte for byte', async () => {
    const [world, receiver] = [await aWorld('sqlite', localReceivers), await startHostileReceiver()]
    closers.push(world.stop, receiver.close)
    const { id: webhookId } = (await world.post('/v1/webhooks', { url: receiver.url, events: ['*'], secret })).body.data
    await world.post(`/v1/webhooks/${webhookId}/verify`)
    const data = { message_id: 'm1', text: 'private words 😀 </script>' }
    const eventId = await publish({ rt: world.service.rt, accountId: world.accountId }, { data })
    const challenges = receiver.requests.length
    await receiver.waitForRequests(challenges + 1, 30_000)
    for (const { headers, body: bytes } of receiver.requests) {
      const outcome = await verify({ headers: JSON.stringify(headers), input: bytes })
      expect([outcome.code, outcome.stdout]).toEqual([
        0,
        expect.stringMatching(/^Valid: [a-z.]+ \w+, signed \d+ s ago\.\n$/),
      ])
    }
    expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(eventId)
  })

  test.each([
    [
      'lines of any case after a request line',
      (own: object) =>
        `POST /hooks HTTP/1.1\r\n${linesOf(own).replace('webhook-id', 'Webhook-ID').replaceAll('\n', '\r\n')}`,
    ],
    ['what curl prints', (own: object) => linesOf({ host: 'a.test', ...own }).replace(/^/gm, '> ')],
    [
      'an object as a program logs it',
      (own: object) =>
        `{\n${Object.entries(own)
          .map(([name, value]) => `  '${name}': '${value}',\n`)
          .join('')}}`,
    ],
    ['JSON', (own: object) => JSON.stringify(own)],
    [
      'JSON with lists',
      (own: object) => JSON.stringify(Object.fromEntries(Object.entries(own).map(([name, value]) => [name, [value]]))),
    ],
  ])('reads headers as %s', async (_, write) => {
    const { code, stdout } = await verify({ headers: write(signedAgo(2)), args: ['--json'] })
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { valid: true, id, type: 'message.received', age_seconds: expect.any(Number) },
    ])
  })

  test('takes the secret from the environment, and either of two signatures', async () => {
    const own = signedAgo(2)
    const both = { ...own, 'webhook-signature': `v1,${randomBytes(32).toString('base64')} ${own['webhook-signature']}` }
    const { code, stderr } = await runPostern(['verify', '--headers', file('both.txt', linesOf(both))], {
      input: body,
      env: { POSTERN_WEBHOOK_SECRET: secret },
    })
    expect([code, stderr]).toEqual([0, ''])
  })
})

const without = (name: string) =>
  linesOf(Object.fromEntries(Object.entries(signedAgo(2)).filter(([own]) => own !== name)))
const changed = 'The secret is right, but the body was changed:'

describe('a delivery that is not valid', { timeout: processTimeoutMs }, () => {
  const cases: [what: string, given: Case, reason: string, message: RegExp][] = [
    [
      'no signature',
      { headers: without('webhook-signature') },
      'missing_headers',
      /^The header webhook-signature is missing: the webhook has no secret/,
    ],
    [
      'no headers of ours',
      { headers: 'host: a.test' },
      'missing_headers',
      /^Missing header webhook-id, webhook-timestamp, webhook-signature: /,
    ],
    [
      'a timestamp of yesterday',
      { headers: linesOf(signedAgo(93_700)) },
      'timestamp_outside_tolerance',
      /^The signature matches, but it was made 1 d 2 h ago, .* --any-age/,
    ],
    [
      'a timestamp to come',
      { headers: linesOf(signedAgo(-720)) },
      'timestamp_outside_tolerance',
      /made (11|12) min in the future: check the clocks/,
    ],
    [
      'a timestamp that is none',
      { headers: linesOf({ ...signedAgo(2), 'webhook-timestamp': 'now' }) },
      'timestamp_outside_tolerance',
      /is not a number of seconds\.$/,
    ],
    [
      'another secret',
      { own: 'another-secret' },
      'no_signature_matches',
      /^No signature matches: the body was changed, or the secret is not the one of this webhook\.$/,
    ],
    [
      'another secret and an old timestamp',
      { own: 'another-secret', headers: linesOf(signedAgo(93_700)) },
      'no_signature_matches',
      /^No signature matches/,
    ],
    [
      'one changed byte',
      { input: body.replace('private', 'privatE') },
      'no_signature_matches',
      /^No signature matches/,
    ],
    [
      'a body that is not UTF-8',
      { input: Buffer.from([0xff, 0x00, 0xfe]) },
      'no_signature_matches',
      /^No signature matches/,
    ],
    [
      'a line break at its end',
      { input: `${body}\n` },
      'no_signature_matches',
      new RegExp(`^${changed} a line break was added at its end\\.`),
    ],
    [
      'a byte order mark',
      { input: `\uFEFF${body}` },
      'no_signature_matches',
      new RegExp(`^${changed} a byte order mark`),
    ],
    [
      'a body that was formatted',
      { input: JSON.stringify(JSON.parse(body), null, 2) },
      'no_signature_matches',
      new RegExp(`^${changed} it was parsed and serialized again\\.`),
    ],
    [
      'the body of another delivery',
      { input: body.replace(id, 'evt_other') },
      'no_signature_matches',
      /^Headers and body are from two different deliveries: webhook-id is evt_01jd\w+, the id in the body is evt_other\.$/,
    ],
  ]
  test.each(cases)('because of %s is told so, with exit code 1', async (_, given, reason, message) => {
    const { code, stdout, stderr } = await verify({ ...given, args: ['--json'] })
    expect([code, stderr]).toEqual([1, ''])
    expect(JSON.parse(stdout)).toEqual({ valid: false, reason, message: expect.stringMatching(message) })
  })

  test('but old is valid with --any-age, a wrong one is not', async () => {
    const headers = linesOf(signedAgo(93_700))
    const old = await verify({ headers, args: ['--any-age'] })
    expect([old.code, old.stdout]).toEqual([0, `Valid: message.received ${id}, signed 1 d 2 h ago.\n`])
    const wrong = await verify({ headers, own: 'another-secret', args: ['--any-age'] })
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringMatching(/^Not valid: No signature matches/)])
  })
})

describe('a call of verify that makes no sense', { timeout: processTimeoutMs }, () => {
  test.each<[what: string, words: () => string[], sentence: RegExp]>([
    [
      'without a secret',
      () => ['--headers', file('h.txt', 'a: b')],
      /^Give --secret-file, or set POSTERN_WEBHOOK_SECRET\.\n$/,
    ],
    ['without headers', () => ['--secret-file', file('s.txt', secret)], /^Give --headers, /],
    [
      'with a file that is not there',
      () => ['--secret-file', join(folder, 'none'), '--headers', 'x'],
      /^The file .*none does not exist\.\n$/,
    ],
    [
      'with half a secret',
      () => ['--secret-file', file('s.txt', 'whsec_abc'), '--headers', 'x'],
      /^A whsec_ secret must be base64 .*\.\n$/,
    ],
    [
      'with headers that are none',
      () => ['--secret-file', file('s.txt', secret), '--headers', file('h.txt', 'hello')],
      /^There are no headers in /,
    ],
    [
      'without a body',
      () => ['--secret-file', file('s.txt', secret), '--headers', file('h.txt', 'a: b')],
      /^Give the body on stdin, /,
    ],
  ])('%s ends with 2', async (_, words, sentence) => {
    const { code, stdout, stderr } = await runPostern(['verify', ...words()])
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)])
  })
})
