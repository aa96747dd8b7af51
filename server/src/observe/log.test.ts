import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createLogger, type Log, type LogOptions } from './log.ts'

type Line = Record<string, unknown>

function capture(options: Partial<LogOptions> = {}): { log: Log; text(): string; lines(): Line[] } {
  const written: string[] = []
  const destination = { write: (line: string) => written.push(line) }
  const log = createLogger({ level: 'info', format: 'json', ...options, destination })
  return { log, text: () => written.join(''), lines: () => written.map((line) => JSON.parse(line) as Line) }
}

describe('lines', () => {
  test('are one JSON object each with time in ISO milliseconds, level as a word and msg', () => {
    const { log, text, lines } = capture()
    log.info({ request_id: 'req_1', status: 200 }, 'request.finished')
    log.warn({}, 'second')
    expect(text().split('\n')).toHaveLength(3)
    expect(lines()[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'info',
      msg: 'request.finished',
      request_id: 'req_1',
      status: 200,
    })
  })

  test('below the level are not written', () => {
    const { log, lines } = capture({ level: 'warn' })
    log.debug({}, 'a')
    log.info({}, 'b')
    log.error({}, 'c')
    expect(lines().map(({ msg }) => msg)).toEqual(['c'])
  })

  test('of a child carry its fields and those of its parents', () => {
    const { log, lines } = capture()
    log.child({ account_id: 'acc_1' }).child({ logger: 'webhooks' }).info({ status: 1 }, 'x')
    expect(lines()[0]).toMatchObject({ account_id: 'acc_1', logger: 'webhooks', status: 1 })
  })

  test('begin with level and time, then fields of the child, then their own, and end with msg', () => {
    const { log, text } = capture()
    log.child({ process: 2 }).warn({ a: 'ä"\\\n', b: null, c: true, d: 1.5, e: [1], f: { g: 'h' } }, 'x"y')
    const end = ',"process":2,"a":"ä\\"\\\\\\n","b":null,"c":true,"d":1.5,"e":[1],"f":{"g":"h"},"msg":"x\\"y"}\n'
    expect(text().replace(/"time":"[^"]+"/, '"time":"T"')).toBe(`{"level":"warn","time":"T"${end}`)
  })

  test('leave out what JSON has no value for, and show numbers that are none as null', () => {
    const { log, lines } = capture()
    log.info({ a: undefined, b: () => {}, c: Symbol('s'), d: Number.NaN, e: Number.POSITIVE_INFINITY }, 'x')
    expect(Object.keys(lines()[0] ?? {})).toEqual(['level', 'time', 'd', 'e', 'msg'])
    expect(lines()[0]).toMatchObject({ d: null, e: null })
  })

  test('go to stderr, never to stdout', () => {
    const script = `import { createLogger } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
      createLogger({ level: 'info', format: 'json' }).info({}, 'hello')`
    const program = ['--input-type=module', '--eval', `${script}; process.stderr.write('end')`]
    const stdout = execFileSync(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' })
    expect(stdout).toBe('')
    const swapped = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...program], {
      encoding: 'utf8',
    })
    expect(swapped).toMatch(/"msg":"hello"\}\nend$/)
  })
})

describe('redaction', () => {
  const secret = 'hunter2'

  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'api_secret',
    'apiSecret',
    'secret',
    'webhook_secret',
    'access_token',
    'refreshToken',
    'token',
    'password',
    'message',
    'text',
    'caption',
    'components',
    'challenge',
    'body',
    'masterKey',
    'database_url',
  ])('drops %s at any depth, also from children and from errors', (key) => {
    const { log, text } = capture()
    log.info({ [key]: secret, kept: 1 }, 'top')
    log.info({ a: { b: [{ [key]: { value: secret } }] } }, 'deep')
    log.child({ [key]: secret }).info({}, 'child')
    log.error({ err: Object.assign(new Error('failed'), { details: { [key]: secret } }) }, 'error')
    expect(text()).not.toContain(secret)
    expect(text()).toContain('"kept":1')
  })

  test('keeps ids that only sound like secrets', () => {
    const { log, lines } = capture()
    log.info({ token_id: 'tok_1', key_id: 'key_1', message_id: 'wamid.x' }, 'x')
    expect(lines()[0]).toMatchObject({ token_id: 'tok_1', key_id: 'key_1', message_id: 'wamid.x' })
  })

  test('cuts headers to the allow list and shows idempotency keys as fingerprints', () => {
    const { log, lines } = capture()
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'curl',
      'x-custom': secret,
      authorization: secret,
    }
    log.info({ headers: { ...headers, 'idempotency-key': 'order-1001' } }, 'x')
    expect(lines()[0]?.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'curl',
      'idempotency-key': expect.stringMatching(/^sha256:[0-9a-f]{12}$/),
    })
  })

  test('masks phone numbers in fields, lists, sentences and errors', () => {
    const { log, text, lines } = capture()
    log.info({ to: '+351912345678', from: '351912345678', all: ['+351912345678'] }, 'sent to +351912345678')
    log.error({ err: new Error('no route to +351912345678') }, 'x')
    expect(text()).not.toContain('12345678')
    expect(lines()[0]).toMatchObject({ to: '+3519•••••678', from: '+3519•••••678', msg: 'sent to +3519•••••678' })
  })

  test('keeps type, code, reason, cause and stack of an error', () => {
    const { log, lines } = capture()
    const cause = new RangeError('inner')
    log.error({ err: Object.assign(new TypeError('outer', { cause }), { code: 'E_X' }) }, 'failed')
    expect(lines()[0]?.err).toMatchObject({
      type: 'TypeError',
      code: 'E_X',
      reason: 'outer',
      cause: { type: 'RangeError', reason: 'inner' },
      stack: expect.stringContaining('log.test.ts'),
    })
  })

  test('survives circles, bytes, big integers and endless text', () => {
    const { log, text, lines } = capture()
    const circle: Record<string, unknown> = {}
    circle.self = circle
    log.info({ circle, raw: Buffer.alloc(9), big: 1n, long: 'x'.repeat(100_000), when: new Date(0) }, 'x')
    expect(lines()[0]).toMatchObject({ raw: '[9 bytes]', big: '1', when: '1970-01-01T00:00:00.000Z' })
    expect(text().length).toBeLessThan(10_000)
  })
})

describe('pretty format', () => {
  test('shows clock, level, message and fields on one line', () => {
    const { log, text } = capture({ format: 'pretty' })
    log.info({ kind: 'media', attempt: 2, note: 'two words' }, 'job.retried')
    expect(text()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}job\.retried kind=media attempt=2 note="two words"\n$/)
  })

  test('shows a request as a person reads it, with its error code and its id', () => {
    const { log, text } = capture({ format: 'pretty' })
    const request = { request_id: 'req_1', method: 'GET', route: '/v1/auth/me', duration_ms: 3, remote_ip: '192.0.2.1' }
    log.info({ ...request, status: 401, code: 'missing_credentials' }, 'request.finished')
    log.info({ ...request, status: 200, code: null }, 'request.finished')
    expect(text()).toMatch(/ INFO {2}GET \/v1\/auth\/me 401 missing_credentials 3 ms req_1\n/)
    expect(text()).toMatch(/ INFO {2}GET \/v1\/auth\/me 200 3 ms req_1\n$/)
  })

  test('escapes everything a terminal would obey', () => {
    const { log, text } = capture({ format: 'pretty' })
    log.info({ agent: 'a\u001b[2J\r\nfake line', 'k\u0007': '\u202egnp' }, 'x\n00:00:00.000 ERROR forged\u009b1m')
    expect(text().trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(text()).toContain('\\u000a00:00:00.000 ERROR forged\\u009b1m')
  })

  test('puts the stack of an error under the line', () => {
    const { log, text } = capture({ format: 'pretty' })
    log.error({ err: new Error('boom\u001b') }, 'job.gave_up')
    const [head, ...stack] = text().trimEnd().split('\n')
    expect(head).toContain('job.gave_up')
    expect(head).toContain('boom')
    expect(stack[0]).toMatch(/^ {4}at /)
  })
})
