import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testCertificates } from '../../../test/support/tls.ts'
import {
  type Config,
  ConfigError,
  type ConfigSources,
  describeConfig,
  loadConfig,
  settingFlags,
  settingsInForce,
} from './config.ts'
import { settings } from './config-schema.ts'

const hexKey = '0123456789abcdef'.repeat(4)
const production = {
  POSTERN_ENV: 'production',
  POSTERN_MASTER_KEY: hexKey,
  POSTERN_BASE_URL: 'https://gw.example.test',
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function load(sources: ConfigSources) {
  return loadConfig({ env: {}, terminal: false, ...sources })
}

function configOf(env: Record<string, string>): Config {
  return load({ env }).config
}

function problemsOf(sources: ConfigSources): readonly string[] {
  try {
    load(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('defaults', () => {
  test('need no setting at all in development and stay on loopback', () => {
    const { config, warnings } = load({})
    expect(warnings).toEqual([])
    expect(config).toMatchObject({
      env: 'development',
      role: 'all',
      listen: { host: '127.0.0.1', port: 8080 },
      adminListen: { host: '127.0.0.1', port: 9090 },
      sandboxListen: { host: '127.0.0.1', port: 8081 },
      baseUrl: null,
      consoleUrl: null,
      masterKey: null,
      database: { kind: 'sqlite', path: resolve('data/postern.db') },
      tokenTtlSeconds: 3600,
      tokenRefreshGraceSeconds: 86_400,
      tokenChainMaxAgeSeconds: 2_592_000,
      shutdownTimeoutMs: 25_000,
      shutdownDelayMs: 0,
      requestLog: 'refused',
      otelEndpoint: null,
    })
  })

  test('in production listen everywhere, wait for load balancers and leave the sandbox out', () => {
    expect(configOf(production)).toMatchObject({
      listen: { host: '0.0.0.0', port: 8080 },
      adminListen: { host: '127.0.0.1', port: 9090 },
      sandboxListen: 'off',
      shutdownDelayMs: 5000,
    })
  })

  test('deliver webhooks ten times within 44 h 43 min', () => {
    const delays = configOf({}).webhookRetryScheduleMs
    expect(delays).toHaveLength(10)
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBe((44 * 60 + 42) * 60_000 + 35_000)
  })

  test('write pretty logs on a terminal and JSON elsewhere', () => {
    expect(load({ terminal: true }).config.logFormat).toBe('pretty')
    expect(load({ terminal: false }).config.logFormat).toBe('json')
    expect(load({ terminal: true, env: { POSTERN_LOG_FORMAT: 'json' } }).config.logFormat).toBe('json')
  })
})

describe('precedence', () => {
  test('is flag, environment, file, default', () => {
    const file = write('all.json', { role: 'api', log_level: 'warn', token_ttl: 60 })
    const { config, origins } = load({
      file,
      env: { POSTERN_LOG_LEVEL: 'error', POSTERN_ROLE: 'worker' },
      flags: { role: 'all', json: true },
    })
    expect(config).toMatchObject({ role: 'all', logLevel: 'error', tokenTtlSeconds: 60, windowPolicy: 'auto' })
    expect(origins).toMatchObject({
      role: 'flag --role',
      logLevel: 'environment',
      tokenTtlSeconds: `file ${file}`,
      windowPolicy: 'default',
    })
  })

  test('lets a port flag keep the host that was set', () => {
    const env = { POSTERN_LISTEN: '0.0.0.0:80', POSTERN_SANDBOX_LISTEN: 'off' }
    const { config } = load({ env, flags: { port: '0', 'admin-port': '0', 'sandbox-port': '9999' } })
    expect(config.listen).toEqual({ host: '0.0.0.0', port: 0 })
    expect(config.adminListen).toEqual({ host: '127.0.0.1', port: 0 })
    expect(config.sandboxListen).toEqual({ host: '127.0.0.1', port: 9999 })
  })

  test('takes an empty variable as not set', () => {
    expect(configOf({ POSTERN_BASE_URL: '', POSTERN_ROLE: ' ' })).toMatchObject({ baseUrl: null, role: 'all' })
  })

  test('reads lists and booleans of a file as JSON values', () => {
    const file = write('typed.json', { webhook_dev_allow: ['127.0.0.0/8', 'hooks.test'], migrate: false })
    expect(load({ file }).config).toMatchObject({ webhookDevAllow: ['127.0.0.0/8', 'hooks.test'], migrate: false })
  })
})

describe('values', () => {
  test.each([
    ['POSTERN_LISTEN', '[::1]:8080', { listen: { host: '::1', port: 8080 } }],
    ['POSTERN_LISTEN', 'localhost:0', { listen: { host: 'localhost', port: 0 } }],
    ['POSTERN_SANDBOX_LISTEN', 'off', { sandboxListen: 'off' }],
    ['POSTERN_BASE_URL', 'https://gw.example.test/api/', { baseUrl: 'https://gw.example.test/api' }],
    ['POSTERN_TOKEN_TTL', '15m', { tokenTtlSeconds: 900 }],
    ['POSTERN_SHUTDOWN_TIMEOUT', '0.5', { shutdownTimeoutMs: 500 }],
    ['POSTERN_WEBHOOK_RETRY_SCHEDULE', '0, 250ms, 5, 2m', { webhookRetryScheduleMs: [0, 250, 5000, 120_000] }],
    ['POSTERN_TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['POSTERN_CORS_ORIGINS', 'https://app.example.test', { corsOrigins: ['https://app.example.test'] }],
    [
      'POSTERN_DATABASE_URL',
      'postgres://u:p,q@a.test:5432/postern?sslmode=require',
      { database: { kind: 'postgres', url: 'postgres://u:p,q@a.test:5432/postern?sslmode=require' } },
    ],
    [
      'POSTERN_DATABASE_URL',
      'postgres://u:p@a.test:5432,[::1]:5433/postern?target_session_attrs=read-write',
      { database: { url: 'postgres://u:p@a.test:5432,[::1]:5433/postern?target_session_attrs=read-write' } },
    ],
  ])('%s=%s is understood', (name, text, expected) => {
    expect(configOf({ [name]: text })).toMatchObject(expected)
  })

  test.each([
    'postgres://',
    'postgres://u:p%23%2F@w@a.test',
    'postgresql://u@%2Frun%2Fpg/x',
    'postgres:///x?host=/run/pg',
  ])('POSTERN_DATABASE_URL=%s is understood', (url) => {
    expect(configOf({ POSTERN_DATABASE_URL: url }).database).toEqual({ kind: 'postgres', url })
  })

  test.each([
    'mysql://a.test/postern',
    'postgres://u:p@a.test,/postern',
    'postgres://u:p@a.test,b.test/postern?target_session_attrs=prefer-standby',
    // Signs of a password that were not encoded.
    'postgres://u:p#w@a.test/postern',
    'postgres://u:p/w@a.test/postern',
    'postgres://u:1/w@a.test/postern',
    'postgres://u:p?w@a.test/postern',
  ])('POSTERN_DATABASE_URL=%s is refused without being repeated: it holds a password', (text) => {
    const problems = problemsOf({ env: { POSTERN_DATABASE_URL: text } })
    expect(problems).toEqual([expect.stringContaining('and name a server, or several with commas between them')])
    expect(problems[0]).not.toContain(text)
  })

  test.each([
    ['POSTERN_LISTEN', '8080'],
    ['POSTERN_LISTEN', '127.0.0.1:65536'],
    ['POSTERN_LISTEN', '::1:8080'],
    ['POSTERN_LISTEN', 'http://localhost:8080'],
    ['POSTERN_BASE_URL', 'gw.example.test'],
    ['POSTERN_BASE_URL', 'ftp://gw.example.test'],
    ['POSTERN_BASE_URL', 'https://u:p@gw.example.test'],
    ['POSTERN_TOKEN_TTL', '0'],
    ['POSTERN_TOKEN_TTL', '1.5'],
    ['POSTERN_TOKEN_TTL', '1e3'],
    ['POSTERN_SHUTDOWN_TIMEOUT', '-1'],
    ['POSTERN_WEBHOOK_RETRY_SCHEDULE', '5,soon'],
    ['POSTERN_WEBHOOK_RETRY_SCHEDULE', ','],
    ['POSTERN_TRUST_PROXY', '10.0.0.0/33'],
    ['POSTERN_TRUST_PROXY', 'proxy.test'],
    ['POSTERN_CORS_ORIGINS', '*'],
    ['POSTERN_CORS_ORIGINS', 'https://app.example.test/'],
    ['POSTERN_WINDOW_POLICY', 'Auto'],
    ['POSTERN_RETENTION_CONTENT_DAYS', '0'],
    ['POSTERN_MIGRATE', 'yes'],
    ['POSTERN_CHANNEL_GRAPH_VERSION', '26.0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ])('%s=%s is refused in one sentence that repeats it', (name, text) => {
    const problems = problemsOf({ env: { [name]: text } })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} must .*\\.$`))
    expect(problems[0]).toContain(JSON.stringify(text))
  })

  test('a bad port flag is named as the flag', () => {
    expect(problemsOf({ flags: { port: 'http' } })).toEqual([
      'The flag --port must be a port from 0 to 65535, not "http".',
    ])
  })

  test('two listeners cannot share a port', () => {
    expect(problemsOf({ flags: { port: '9090' } })).toEqual([expect.stringContaining('three different ports')])
    expect(problemsOf({ flags: { port: '0', 'admin-port': '0', 'sandbox-port': '0' } })).toEqual([])
  })

  test('more than one process needs PostgreSQL', () => {
    for (const processes of ['2', 'auto']) {
      const refused = problemsOf({ env: { POSTERN_PROCESSES: processes } })
      expect(refused).toEqual([expect.stringContaining('POSTERN_PROCESSES must be 1 on SQLite')])
    }
    const env = { POSTERN_DATABASE_URL: 'postgres://db.test/postern' }
    const processesOf = (flag: string) => load({ env, flags: { processes: flag } }).config.processes
    expect([processesOf('3'), processesOf('auto')]).toEqual([3, availableParallelism()])
    expect(problemsOf({ env, flags: { processes: '0' } })[0]).toContain('must be auto or a whole number from 1 to 64')
  })

  test('a certificate file that is not there, or is none, is refused at start', async () => {
    for (const path of [join(folder, 'missing.pem'), write('none.pem', 'x')]) {
      expect(problemsOf({ env: { POSTERN_WEBHOOK_CA_FILE: path } })).toEqual([expect.stringContaining(path)])
    }
    const path = write('ca.pem', (await testCertificates()).ca)
    expect(configOf({ POSTERN_WEBHOOK_CA_FILE: path }).webhookCaFile).toBe(path)
  })

  test('a proxy range that holds everybody gives a warning', () => {
    expect(load({ env: { POSTERN_TRUST_PROXY: '10.0.0.1,::/0' } }).warnings).toEqual([
      'POSTERN_TRUST_PROXY contains ::/0: every client could then forge its own address.',
    ])
  })
})

describe('unknown names', () => {
  test('near a setting are an error with the name that was meant', () => {
    expect(problemsOf({ env: { POSTERN_LISTN: '127.0.0.1:1' } })).toEqual([
      'POSTERN_LISTN is not a setting: did you mean POSTERN_LISTEN?',
    ])
    expect(problemsOf({ env: { POSTERN_MASTER_KEY_FIL: '/k' } })).toEqual([
      'POSTERN_MASTER_KEY_FIL is not a setting: did you mean POSTERN_MASTER_KEY_FILE?',
    ])
  })

  test('far from every setting are one warning each', () => {
    expect(load({ env: { POSTERN_SOMETHING_ELSE: '1' } }).warnings).toEqual([
      'POSTERN_SOMETHING_ELSE is not a setting of Postern and is ignored.',
    ])
  })

  test('that belong to the client or to Kubernetes are ignored', () => {
    const env = {
      POSTERN_API_KEY: 'k',
      POSTERN_API_SECRET: 's',
      POSTERN_WEBHOOK_SECRET: 'w',
      POSTERN_SERVICE_HOST: '10.0.0.1',
      POSTERN_PORT: 'tcp://10.0.0.1:8080',
      POSTERN_PORT_8080_TCP_ADDR: '10.0.0.1',
      HOME: '/root',
    }
    expect(load({ env }).warnings).toEqual([])
  })

  test('in the file are an error, near or far', () => {
    const file = write('unknown.json', { token_ttll: 5, colour: 'red', listen: { port: 1 } })
    expect(problemsOf({ file })).toEqual([
      `"token_ttll" in ${file} is not a setting: did you mean "token_ttl"?`,
      `"colour" in ${file} is not a setting.`,
      `"listen" in ${file} must be text, a number, true, false or a list.`,
    ])
  })

  test.each(['', '[]', '{"a"'])('a file with %j is refused as no JSON object', (content) => {
    expect(problemsOf({ file: write('broken.json', content) })).toEqual([
      expect.stringContaining('not one JSON object'),
    ])
  })
})

describe('secrets', () => {
  test('master keys are 32 bytes in hex or base64', () => {
    const bytes = Buffer.from(hexKey, 'hex')
    expect(configOf({ POSTERN_MASTER_KEY: hexKey }).masterKey).toEqual(bytes)
    expect(configOf({ POSTERN_MASTER_KEY: bytes.toString('base64') }).masterKey).toEqual(bytes)
  })

  test('come from the file of the _FILE variant without its last newline', () => {
    const { config, origins } = load({ env: { POSTERN_MASTER_KEY_FILE: write('key', `${hexKey}\n`) } })
    expect(config.masterKey?.toString('hex')).toBe(hexKey)
    expect(origins.masterKey).toBe('environment POSTERN_MASTER_KEY_FILE')
    const env = { POSTERN_DATABASE_URL_FILE: write('url', 'postgres://u:p@db.test/x\n') }
    expect(load({ env }).config.database).toEqual({ kind: 'postgres', url: 'postgres://u:p@db.test/x' })
  })

  test('cannot be given twice, nor by an unreadable or empty file', () => {
    const key = write('key2', hexKey)
    const both = { POSTERN_MASTER_KEY: hexKey, POSTERN_MASTER_KEY_FILE: key }
    expect(problemsOf({ env: both })).toEqual([
      'POSTERN_MASTER_KEY and POSTERN_MASTER_KEY_FILE are both set: keep one of them.',
    ])
    expect(problemsOf({ env: { POSTERN_MASTER_KEY_FILE: join(folder, 'none') } })).toEqual([
      expect.stringContaining('cannot be read (ENOENT)'),
    ])
    expect(problemsOf({ env: { POSTERN_MASTER_KEY_FILE: write('empty', '\n') } })).toEqual([
      expect.stringContaining('empty file'),
    ])
  })

  test('are never repeated in a refusal', () => {
    const env = { POSTERN_MASTER_KEY: 'hunter2-hunter2', POSTERN_DATABASE_URL: 'mysql://u:hunter2@h.test/x' }
    const problems = problemsOf({ env })
    expect(problems).toHaveLength(2)
    expect(problems.join()).not.toContain('hunter2')
  })

  test('are shown only as set or not set', () => {
    const env = { POSTERN_MASTER_KEY: hexKey, POSTERN_WEBHOOK_EGRESS_PROXY: 'http://u:hunter2@proxy.test:3128' }
    const rows = describeConfig(load({ env }))
    expect(rows.find(({ name }) => name === 'POSTERN_MASTER_KEY')).toMatchObject({
      value: 'set',
      origin: 'environment',
    })
    expect(rows.find(({ name }) => name === 'POSTERN_DATABASE_URL')).toMatchObject({ value: 'not set' })
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    expect(JSON.stringify(rows)).not.toContain(hexKey)
  })

  test('have no flag, because command lines are public', () => {
    const secrets = Object.values(settings).filter((row) => row.secret)
    expect(secrets.length).toBeGreaterThan(0)
    expect(secrets.filter((row) => row.flag !== undefined)).toEqual([])
  })
})

describe('production', () => {
  test('demands a master key', () => {
    expect(problemsOf({ env: { POSTERN_ENV: 'production' } })).toEqual([
      expect.stringMatching(/^POSTERN_MASTER_KEY .* is required when POSTERN_ENV=production/),
    ])
  })

  test('refuses private webhook addresses, which development only warns about', () => {
    const allow = { POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8' }
    expect(problemsOf({ env: { ...production, ...allow } })).toEqual([
      expect.stringMatching(/^POSTERN_WEBHOOK_DEV_ALLOW is not allowed/),
    ])
    expect(load({ env: allow }).warnings).toEqual([expect.stringContaining('POSTERN_WEBHOOK_DEV_ALLOW')])
  })

  test('without https gives a warning', () => {
    const { warnings } = load({ env: { ...production, POSTERN_BASE_URL: 'http://gw.example.test' } })
    expect(warnings).toEqual([expect.stringContaining('POSTERN_BASE_URL is not https')])
  })

  test('never starts the sandbox, and says that its address is ignored', () => {
    const { config, warnings } = load({ env: production, flags: { 'sandbox-port': '0' } })
    expect(config.sandboxListen).toBe('off')
    expect(warnings).toEqual([expect.stringContaining('flag --sandbox-port is ignored')])
  })
})

test('all problems are reported together', () => {
  const env = {
    POSTERN_ENV: 'production',
    POSTERN_ROLL: 'api',
    POSTERN_TOKEN_TTL: 'x',
    POSTERN_WEBHOOK_DEV_ALLOW: '::1',
  }
  const problems = problemsOf({ env, flags: { port: 'y' } })
  expect(problems).toHaveLength(5)
  expect(new ConfigError(problems).message.split('\n')).toEqual(problems)
})

test('every row has its own name, flag and a sentence, and a default that fits its kind', () => {
  const rows = Object.values(settings)
  const flags = settingFlags().map(({ flag }) => flag)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  expect(new Set(flags).size).toBe(flags.length)
  expect(flags).toEqual(expect.arrayContaining(['port', 'admin-port', 'sandbox-port', 'data']))
  expect(rows.filter(({ description }) => !description.endsWith('.'))).toEqual([])
  expect(describeConfig(load({ env: production }))).toHaveLength(rows.length)
})

test('deliveries are not kept longer than the contents that they repeat, and who asked for that is told', () => {
  const short = load({ env: { POSTERN_RETENTION_CONTENT_DAYS: '3' } })
  expect([short.config.retentionDeliveriesDays, short.warnings]).toEqual([3, []])
  const env = { POSTERN_RETENTION_CONTENT_DAYS: '3', POSTERN_RETENTION_DELIVERIES_DAYS: '9' }
  const asked = load({ env })
  expect(asked.config.retentionDeliveriesDays).toBe(3)
  expect(asked.warnings).toEqual([expect.stringContaining('POSTERN_RETENTION_DELIVERIES_DAYS (9) is reduced')])
})

test('a running node says that a secret is set, and never what it is', () => {
  const secret = 'not-for-a-page'
  const env = { ...production, POSTERN_SHARED_APP_ID: '123456789012345', POSTERN_SHARED_APP_SECRET: secret }
  const shown = settingsInForce(load({ env }).config)
  for (const one of ['POSTERN_MASTER_KEY', 'POSTERN_SHARED_APP_SECRET']) {
    expect(shown.find(({ name }) => name === one)?.value, one).toBe('set')
  }
  for (const hidden of [secret, hexKey.slice(0, 16)]) expect(JSON.stringify(shown)).not.toContain(hidden)
})
