import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { Scope } from '../../server/src/contract/scopes.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { resetConnection, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { runPostern } from '../support/run-postern.ts'
import { aWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld('sqlite')
}, 60_000)
afterAll(() => world.stop())

const ownEnv = () => ({
  POSTERN_BASE_URL: world.service.urls.base,
  POSTERN_API_KEY: world.apiKey,
  POSTERN_API_SECRET: world.apiSecret,
})

async function send(args: readonly string[], env: Record<string, string> = ownEnv()) {
  const { code, stdout, stderr } = await runPostern(['send', ...args], { env })
  expect(stdout + stderr).not.toContain(world.apiSecret)
  return { code, stdout, stderr, lines: stdout.split('\n').filter(Boolean) }
}

const idIn = (line: string | undefined) => /wamid\.\S+/.exec(line ?? '')?.[0] ?? ''
const recordOf = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
const sentCount = async () =>
  (await world.get('/v1/chat/messages?direction=outbound&limit=100')).body.data.messages.length

const ordered = ['--template', 'order_confirmation', '--var', 'Ana', '--var', 'A-1001', '--var', '42']
const byName = [
  '--template',
  'order_confirmation',
  '--var',
  'total=42',
  '--var',
  'name=Ana',
  '--var',
  'order_id=A-1001',
]
const confirmation = 'Hi Ana, your order A-1001 is confirmed. Total: 42.'

describe('postern send', { timeout: processTimeoutMs }, () => {
  test('sends a text under a reference, and says under which id', async () => {
    const { code, lines } = await send(['--to', world.customer, '--text', 'Hi', '--reference', 'A-1'])
    expect([code, lines]).toEqual([0, [expect.stringMatching(/^\d\d:\d\d:\d\d {2}sent {7}wamid\.\S+$/)]])
    expect(await recordOf(idIn(lines[0]))).toMatchObject({ client_reference: 'A-1', content: { text: 'Hi' } })
  })

  test.each([
    ['in order', ordered],
    ['by name, in any order', byName],
  ])('fills the body of a template %s', async (_, words) => {
    const { code, stdout } = await send(['--to', '+12025550101', ...words, '--json'])
    const { message_id, status } = JSON.parse(stdout)
    expect([code, status]).toEqual([0, 'sent'])
    expect(await recordOf(message_id)).toMatchObject({ language: 'en_US', content: { text: confirmation } })
  })

  test('sends everything else from a file, to whom the flag says', async () => {
    await using folder = await mkdtempDisposable(join(dataFolder(), 'postern-send-'))
    const file = join(folder.path, 'place.json')
    // Editors of Windows begin a file with this mark.
    const mark = '\u{feff}'
    await writeFile(
      file,
      `${mark}${JSON.stringify({ to: '+12025550199', latitude: 38.7, longitude: -9.1, name: 'Shop' })}`,
    )
    const words = ['--type', 'location', '--file', file]
    const { code, lines } = await send(['--to', world.customer, ...words, '--reference', 'A-2'])
    expect(code).toBe(0)
    const sent = {
      to: world.customer,
      client_reference: 'A-2',
      type: 'location',
      content: { location: { name: 'Shop' } },
    }
    expect(await recordOf(idIn(lines[0]))).toMatchObject(sent)
    const refused = await send([...words, '--dry-run'])
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('customer_window_closed')])
  })

  test.each([
    ['{"emoji": "a",}', 'The body is not valid JSON (at character 14).'],
    ['{"emoji": "a", "emoji": "b"}', "The key 'emoji' appears twice in one object."],
    ['[]', 'The body must be one JSON object.'],
    [Buffer.from([0x7b, 0xff]), 'The body is not valid UTF-8.'],
  ])('says what is wrong with a file: %s', async (content, sentence) => {
    await using folder = await mkdtempDisposable(join(dataFolder(), 'postern-send-'))
    const file = join(folder.path, 'message.json')
    await writeFile(file, content)
    const { code, stderr } = await send(['--to', world.customer, '--type', 'reaction', '--file', file])
    expect([code, stderr]).toEqual([2, `--file: ${file}: ${sentence}\n`])
  })

  test('with --wait prints each status once, in order, until the message has arrived', async () => {
    const { code, lines } = await send(['--to', '+12025550101', ...ordered, '--wait'])
    expect(code).toBe(0)
    expect(lines.map((line) => line.split(/ +/)[1])).toEqual(['sent', 'delivered'])
    expect(new Set(lines.map(idIn)).size).toBe(1)
  })

  test('with --wait ends with 1 and the reason when the message fails', async () => {
    const { code, stderr, lines } = await send(['--to', '+12025550102', ...ordered, '--wait', '--json'])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { status: 'sent' },
      { status: 'failed', error: { code: 'recipient_unreachable' } },
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('  recipient_unreachable: ')])
  })

  test('with --wait gives up after --timeout, and does not call that a success', async () => {
    await world.control('PUT', '/_sandbox/scenario', { delays: { delivered_ms: 3_600_000, read_ms: 3_600_000 } })
    const { code, stderr, lines } = await send(['--to', world.customer, '--text', 'Hi', '--wait', '--timeout', '1'])
    await world.control('PUT', '/_sandbox/scenario', {})
    expect([code, lines]).toEqual([1, [expect.stringContaining('  sent ')]])
    expect(stderr).toBe('Not delivered within 1 s; it may still arrive. Use --timeout to wait longer.\n')
  })

  test('with --dry-run says what would happen and sends nothing', async () => {
    const before = await sentCount()
    const fine = await send(['--to', '+12025550123', ...ordered, '--dry-run'])
    expect([fine.code, fine.stderr]).toEqual([0, ''])
    expect(fine.lines).toEqual(
      expect.arrayContaining([
        'would send  yes',
        'template    order_confirmation (en_US, utility)',
        `text        ${confirmation}`,
        'window      closed',
      ]),
    )
    const refused = await send(['--to', '+12025550123', '--text', 'Hi', '--dry-run'])
    expect(refused.code).toBe(1)
    expect(refused.stdout).toMatch(/^would send {2}no\nproblem {5}customer_window_closed: .*\n/)
    const json = await send(['--to', '+12025550123', '--text', 'Hi', '--dry-run', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ dry_run: true, would_send: false })
    expect(await sentCount()).toBe(before)
  })

  test('keeps a value whole that looks like name=value and is marked as none', async () => {
    const words = [
      '--template',
      'order_confirmation',
      '--var',
      '=a=b',
      '--var',
      'A-1001',
      '--var',
      'https://x.test/?y=z',
    ]
    const { code, stdout } = await send(['--to', '+12025550101', ...words, '--dry-run'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Hi a=b, your order A-1001 is confirmed. Total: https://x.test/?y=z.'),
    ])
  })
})

describe('what the gateway refuses', { timeout: processTimeoutMs }, () => {
  const cases: [words: string[], code: number, stderr: RegExp][] = [
    [
      ['--to', '+12025550123', '--text', 'Hi'],
      1,
      /^The customer has not written .*\n {2}to: .*\n {2}customer_window_closed: http:.*#customer_window_closed\n$/,
    ],
    [['--to', '+1202', '--text', 'Hi'], 2, /^'to' is not valid: A phone number has .*\n {2}validation_failed: .*\n$/],
    [
      ['--to', '+12025550100', '--template', 'no_such'],
      3,
      /^The template 'no_such' does not exist\. GET \/v1\/chat\/templates lists the names\.\n/,
    ],
    [['--to', '+12025550100', '--template', 'hello_world', '--language', 'pt'], 3, /exists in: en_US\.\n/],
    [['--to', '+12025550100', ...ordered.slice(0, -2)], 2, /^body needs 3 values \(name, order_id, total\), got 2\n/],
    [
      ['--to', '+12025550105', ...ordered],
      5,
      /\n {2}The record of the message is out_\w+\.\n {2}Try again in \d+ s\.\n/,
    ],
  ]
  test.each(cases)('is told in its words, with its hint: %j', async (words, code, sentence) => {
    const outcome = await send(words)
    expect([outcome.code, outcome.stdout, outcome.stderr]).toEqual([code, '', expect.stringMatching(sentence)])
  })

  async function envWith(scope: Scope): Promise<Record<string, string>> {
    const input = { accountId: world.accountId, name: 'One', scopes: [scope], createdBy: '', actor: operator } as const
    const { row, secret } = await createKey(world.service.rt, input)
    return { ...ownEnv(), POSTERN_API_KEY: row.public_key, POSTERN_API_SECRET: secret }
  }

  test('a key that may not send is told which scope it lacks', async () => {
    const { code, stderr } = await send(['--to', world.customer, '--text', 'Hi'], await envWith('messages:read'))
    expect([code, stderr]).toEqual([4, 'The API key lacks the scope messages:send; create one that has it.\n'])
  })

  test('a key that may send and not read is told that the message is out before --wait fails', async () => {
    const words = ['--to', world.customer, '--text', 'Hi', '--wait']
    const { code, stdout, stderr } = await send(words, await envWith('messages:send'))
    expect([code, stdout]).toEqual([4, expect.stringMatching(/^\S+ +sent +wamid\.\S+\n$/)])
    expect(stderr).toBe(
      'The message was sent, but cannot be followed:\nThe API key lacks the scope messages:read; create one that has it.\n',
    )
  })
})

test('an answer that was lost is not called a gateway that is not there', { timeout: processTimeoutMs }, async () => {
  const cut = await startHostileReceiver()
  cut.on('/v1/auth/token', respond({ body: JSON.stringify({ success: true, data: tokenFields }) }))
  cut.on('/v1/chat/messages/send', resetConnection())
  const { code, stderr } = await send(['--to', world.customer, '--text', 'Hi'], {
    ...ownEnv(),
    POSTERN_BASE_URL: cut.url,
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('it may have processed it')])
  await cut.close()
})

const tokenFields = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' }

const types = 'media, interactive, location, contacts, sticker, reaction, template'

describe('a call that makes no sense', { timeout: processTimeoutMs }, () => {
  const to = ['--to', '+12025550100']
  const cases: [words: string[], sentence: string][] = [
    [['--text', 'Hi'], 'Give --to, for example --to +12025550100.'],
    [to, 'Give one of --text, --template and --file.'],
    [[...to, '--text', 'Hi', '--template', 'hello_world'], 'Give one of --text, --template and --file.'],
    [[...to, '--text', 'Hi', '--type', 'media'], '--type is for --file only.'],
    [[...to, '--file', 'x.json'], 'Give --type, for example --type interactive.'],
    [[...to, '--type', 'video', '--file', 'x.json'], `--type: Use ${types}.`],
    [[...to, '--type', 'media', '--file', '/nowhere/x.json'], '--file: /nowhere/x.json cannot be read.'],
    [[...to, '--text', 'Hi', '--var', 'Ana'], '--language and --var are for --template only.'],
    [[...to, '--text', 'Hi', '--timeout', '5'], '--timeout is for --wait only.'],
    [[...to, '--text', 'Hi', '--wait', '--timeout', '0'], '--timeout is a whole number from 1 to 3600.'],
    [
      [...to, ...ordered, '--wait', '--dry-run'],
      '--dry-run sends nothing to wait for: use either --dry-run or --wait.',
    ],
    [
      [...to, '--template', 'x', '--var', 'Ana', '--var', 'id=7'],
      "Write every --var as name=value, or none. If 'id=…' is itself a value, write '=id=…'.",
    ],
  ]
  test.each(cases)('is refused before anybody is asked: %j', async (words, sentence) => {
    const outcome = await send(words, {})
    expect([outcome.code, outcome.stdout, outcome.stderr]).toEqual([2, '', `${sentence}\n`])
  })
})
