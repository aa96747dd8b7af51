import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../server/src/lib/secrets.ts'
import { appCode } from '../support/console/authenticator.ts'
import { engines } from '../support/postgres/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/postgres.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const masterKey = 'e1'.repeat(32)
const password = 'eleven quiet lighthouses 42'
const webhookSecret = 'my own webhook secret 4711'
const text = 'The parcel of Mrs. Example is at the neighbour'
const phone = '+12025550100'

type Body = Record<string, never> & { data: Record<string, string> }

/** Every kind of secret there is, issued once by the running program, under the name of its kind. */
async function issueEverything(play: Playground, gateway: Gateway, env: Record<string, string>) {
  const secrets = new Map<string, string>()
  const keep = (name: string, value: unknown) => {
    expect(value, name).toBeTypeOf('string')
    secrets.set(name, String(value))
    return String(value)
  }
  const cli = async (...args: string[]) => (await play.runHere([...args, '--json'], env)).json
  const { firstRun, base_url: base } = gateway
  keep('the secret of the first key', firstRun?.api_secret)
  const ownerLink = keep('the first console link', firstRun?.console_link).split('token=')[1] ?? ''
  secrets.set('the first console link', ownerLink)

  const key = await cli('keys', 'create', '--name', 'Second')
  keep('an API secret', key.api_secret)
  keep('a rotated API secret', (await cli('keys', 'rotate', String(key.api_key))).api_secret)
  const token = keep('an access token', await tokenOf(base, key))
  const call = callerOf(base, { authorization: `Bearer ${token}` })
  keep('a refreshed access token', (await call('/v1/auth/refresh')).body.data.access_token)

  const invited = await cli('users', 'create', '--email', 'ana@acme.example', '--name', 'Ana', '--role', 'admin')
  keep('an invitation', String(invited.console_link).split('token=')[1])
  const reset = await cli('users', 'reset-password', 'ana@acme.example', '--yes')
  keep('a password link', String(reset.console_link).split('token=')[1])
  const person = { token: ownerLink, name: 'Rui', email: 'rui@acme.example', password }
  const console_ = callerOf(base, { 'sec-fetch-site': 'same-origin' })
  const { headers } = await console_('/console/api/setup', person)
  secrets.set('a password', password)
  const session = keep('a console session', /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1])
  const own = callerOf(base, {
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    cookie: `__Host-session=${session}`,
  })
  const app = keep('a secret of an authenticator app', (await own('/console/api/me/two-factor')).body.data.secret)
  const { body: on } = await own('/console/api/me/two-factor/confirm', { code: appCode(app, Date.now()) })
  keep('a recovery code', on.data.recovery_codes?.[0])

  const hook = { url: 'https://hooks.acme.test/postern', events: ['message.sent'], secret: webhookSecret }
  const { body: webhook } = await call('/v1/webhooks', hook)
  secrets.set('a webhook secret', webhookSecret)
  keep('a rotated webhook secret', (await call(`/v1/webhooks/${webhook.data.id}/rotate-secret`)).body.data.secret)

  const sandbox = (await (await fetch(`${gateway.sandbox_url}/_sandbox`)).json()) as {
    numbers: { access_token: string; app_secret: string }[]
  }
  keep("the channel's token", sandbox.numbers[0]?.access_token)
  keep("the channel's app secret", sandbox.numbers[0]?.app_secret)
  secrets.set('the master key', masterKey)
  expect((await call('/v1/chat/messages/send', { to: phone, message: text })).status).toBe(200)
  return { secrets, publicKey: String(key.api_key) }
}

function callerOf(base: string, headers: Record<string, string>) {
  return async (path: string, body?: object) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = (await response.json()) as Body
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
    return { status: response.status, body: answer, headers: response.headers }
  }
}

/** As it is, and in the notations a careless column would use. */
function notations(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const decoded = Buffer.from(secret, 'base64url')
  return [bytes, Buffer.from(bytes.toString('hex')), Buffer.from(bytes.toString('base64url')), decoded].filter(
    ({ length }) => length >= 10,
  )
}

function namesFoundIn(haystack: Buffer, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    notations(secret).some((one) => haystack.includes(one)) ? [name] : [],
  )
}

function filesUnder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))))
}

describe.each(engines)('every kind of secret, issued on %s,', { timeout: 180_000 }, (engine) => {
  let play: Playground
  let server: PostgresServer | null = null
  let gateway: Gateway
  let env: Record<string, string> = {}
  let issued: Awaited<ReturnType<typeof issueEverything>>

  beforeAll(async () => {
    play = await aPlayground()
    server = engine === 'postgres' ? await startPostgres({ durable: true }) : null
    env = { POSTERN_MASTER_KEY: masterKey, ...(server ? { POSTERN_DATABASE_URL: server.url } : {}) }
    gateway = await play.serve([], { ...env, POSTERN_LOG_LEVEL: 'debug', POSTERN_REQUEST_LOG: 'all' })
    issued = await issueEverything(play, gateway, env)
  }, 180_000)
  afterAll(async () => {
    await stop(gateway)
    await play.dispose()
    await server?.stop()
  })

  async function databaseFiles(): Promise<Buffer> {
    if (server === null) {
      const names = readdirSync(play.dataDir).filter((name) => name.startsWith('postern.db'))
      return Buffer.concat(names.map((name) => readFileSync(join(play.dataDir, name))))
    }
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('checkpoint')
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    await client.end()
    return filesUnder(rows[0]?.data_directory ?? '')
  }

  test('is in no file of the database, its write-ahead log included', async () => {
    const files = await databaseFiles()
    // What is stored openly is found: the search itself works.
    expect(files.includes(issued.publicKey)).toBe(true)
    expect(namesFoundIn(files, issued.secrets)).toEqual([])
  })

  test('is in no log line and no metric, and neither are texts and whole phone numbers', async () => {
    await waitFor(() => gateway.process.output.stderr.includes('/v1/chat/messages/send'))
    const log = Buffer.from(gateway.process.output.stderr)
    const metrics = Buffer.from(await (await fetch(`${gateway.admin_url}/metrics`)).text())
    expect(metrics.includes('postern_http_requests_total')).toBe(true)
    const more = new Map([...issued.secrets, ['a text', text]])
    expect(namesFoundIn(log, more)).toEqual([])
    expect(namesFoundIn(metrics, more)).toEqual([])
    expect(log.includes(phone)).toBe(false)
    expect(metrics.includes(phone)).toBe(false)
  })

  test('is nowhere sealed with the old master key any more after it was changed', async () => {
    const rotate = (more: Record<string, string> = {}) =>
      play.runHere(['master-key', 'rotate', '--yes', '--json'], {
        ...env,
        POSTERN_NEW_MASTER_KEY: 'f2'.repeat(32),
        ...more,
      })
    expect((await rotate()).stderr).toContain('A server is using this data: stop it first, on every machine.')
    await stop(gateway)
    const old = `${createSecrets(Buffer.from(masterKey, 'hex')).keyId}.`
    const placesOfOld = async () => placesOf(old, server === null ? sqliteRows(play) : await postgresRows(server.url))
    expect(await placesOfOld()).not.toEqual([])
    const before = await placesOfOld()
    const wrong = await rotate({ POSTERN_MASTER_KEY: 'd3'.repeat(32) })
    expect(wrong.stderr).toMatch(/installation\.value of pepper was encrypted with a third key: nothing was changed/)
    expect(await placesOfOld()).toEqual(before)
    const rotated = await rotate()
    expect([rotated.code, rotated.stderr]).toEqual([0, ''])
    expect(await placesOfOld()).toEqual([])
  })
})

type Rows = [table: string, rows: Record<string, unknown>[]][]

/** The columns that hold the text anywhere. */
function placesOf(text: string, tables: Rows): string[] {
  const places = tables.flatMap(([table, rows]) =>
    rows
      .flatMap((row) => Object.entries(row))
      .filter(([, value]) => typeof value === 'string' && value.includes(text))
      .map(([column]) => `${table}.${column}`),
  )
  return [...new Set(places)].sort()
}

function sqliteRows({ dataDir }: Playground): Rows {
  const db = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true })
  const tables = db.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]
  const rows = tables.map(({ name }): Rows[number] => [name, db.prepare(`select * from "${name}"`).all()])
  db.close()
  return rows
}

async function postgresRows(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows: Rows = []
  for (const { name } of tables.rows) rows.push([name, (await client.query(`select * from "${name}"`)).rows])
  await client.end()
  return rows
}
