import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../cli/src/commands.ts'
import { controlPath } from '../../cli/src/control/control-path.ts'
import { withScheme } from '../../cli/src/gateway/gateway-client.ts'
import { commandHelp } from '../../cli/src/output/help.ts'
import { migrations } from '../../server/src/store/migrations/all.ts'
import { startPostern, startProcess } from '../support/child-process.ts'
import { programFile } from '../support/programs/program-file.ts'
import { runPostern } from '../support/run-postern.ts'
import { answerOf, aPlayground, type Gateway, type Outcome, type Playground, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const commands = await allCommands()

describe('every command', () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    '%s leads its help with examples',
    (_, one) => {
      expect(one.examples.length).toBeGreaterThan(0)
      expect(commandHelp(one)).toContain(one.summary)
      for (const [flag, { help }] of Object.entries(one.options)) expect(help, `--${flag}`).toBeTruthy()
    },
  )

  test('takes no secret as a flag, only files that hold them', () => {
    const suspicious = commands.flatMap(({ name, options }) =>
      Object.entries(options)
        .filter(([flag, { help }]) => /secret|password|token|master/.test(flag) && !/file/i.test(help))
        .map(([flag]) => `${name} --${flag}`),
    )
    expect(suspicious).toEqual([])
  })
})

describe('what was typed', { timeout: 60_000 }, () => {
  test.each([
    [['--version'], 0, /^postern \d+\./],
    [['help', 'keys', 'create'], 0, /^Create an API key/],
    [['help', 'keys'], 0, /keys create .*\n.*keys list/],
    [['keys', '--help'], 0, /keys create .*\n.*keys list/],
  ])('%j is answered on stdout', async (words, code, expected) => {
    const { code: ended, stdout } = await runPostern(words)
    expect([ended, stdout]).toEqual([code, expect.stringMatching(expected)])
  })

  test.each([
    [['keys', 'lst'], /Did you mean 'postern keys list'\?/],
    [['hlep', 'keys'], /Unknown command/],
    [['keys', 'list', '--jsn'], /Did you mean '--json'\?/],
    [['keys'], /needs a second word: keys create/],
    [['serve', '9000'], /^Give the port as --port 9000; .*: npm start -- --port 9000$/m],
  ])('%j is told what was meant', async (words, expected) => {
    const { code, stderr } = await runPostern(words)
    expect([code, stderr]).toEqual([2, expect.stringMatching(expected)])
  })

  test.each([
    'serve',
    'doctor',
    'health',
    'config print',
    'config check',
    'migrate status',
    'migrate up',
    'master-key rotate',
    'openapi',
    'sandbox',
    'version',
  ])('%s takes no word that it would ignore', async (name) => {
    const { code, stderr } = await runPostern([...name.split(' '), 'staging'])
    expect([code, stderr]).toEqual([2, "'staging' is not recognized here; see --help.\n"])
  })

  test('a reader that closes the pipe early is no failure', async () => {
    // Far longer than what a pipe holds.
    const command = [process.execPath, programFile('postern'), 'openapi']
    const piped = startProcess('sh', ['-c', '"$@" | head -c 1', 'sh', ...command])
    expect(await piped.ended).toBe(0)
    expect(piped.output).toEqual({ stdout: '{', stderr: '' })
  })

  test('with --json a failure is an object too', async () => {
    const { code, stderr } = await runPostern(['keys', 'list', '--nope', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stderr).error).toEqual({ message: expect.stringContaining('--nope'), exit_code: 2 })
  })

  test('an address without http:// is one', () => {
    expect(withScheme('localhost:8080')).toBe('http://localhost:8080')
    expect(withScheme('127.0.0.1:80/x')).toBe('http://127.0.0.1:80/x')
    expect(withScheme('chat.acme.test')).toBe('https://chat.acme.test')
    expect(withScheme('http://chat.acme.test')).toBe('http://chat.acme.test')
  })
})

describe('a command that only reads', { timeout: 120_000 }, () => {
  test('makes no folder and no data, and says where it looked', async () => {
    const play = await aPlayground()
    for (const words of [
      ['keys', 'list'],
      ['accounts', 'list'],
      ['migrate', 'status'],
      ['logs', 'tail'],
      ['audit', 'verify'],
    ]) {
      const { code, stderr } = await play.runHere(words)
      expect([code, stderr], words.join(' ')).toEqual([
        3,
        expect.stringContaining(`There is no data in ${play.dataDir}`),
      ])
    }
    await play.runHere(['doctor'])
    expect(existsSync(play.dataDir)).toBe(false)
    await play.dispose()
  })
})

describe('the schema, for an operator', { timeout: 120_000 }, () => {
  test('is a version and a count, without the names that contributors gave its migrations', async () => {
    const play = await aPlayground()
    const newest = migrations.at(-1)?.id
    const told = [await play.runHere(['migrate', 'up']), await play.runHere(['migrate', 'status'])]
    expect(told.map(({ stdout }) => stdout)).toEqual([
      expect.stringMatching(new RegExp(`^Applied \\d+ migrations?\\. The database schema has version ${newest}\\.\n$`)),
      `The database schema is up to date. This program supports versions up to ${newest}.\n`,
    ])
    const { json } = await play.runHere(['migrate', 'status', '--json'])
    const rows = json.migrations as object[]
    expect(rows).toHaveLength(migrations.length)
    expect(rows.at(-1)).toEqual({ id: newest, state: 'applied', applied_at: expect.any(Number) })
    expect((await play.runHere(['migrate', 'up'])).stdout).toBe('Nothing to do.\n')
    await play.dispose()
  })
})

describe('beside a gateway of this machine, a command', { timeout: 120_000 }, () => {
  let play: Playground
  let gateway: Gateway
  let early: Record<'tooEarly' | 'account' | 'key', Outcome>
  let hadSocket: boolean
  beforeAll(async () => {
    play = await aPlayground()
    const createKey = ['keys', 'create', '--name', 'Early', '--json']
    early = {
      tooEarly: await play.runHere(createKey),
      account: await play.runHere(['accounts', 'create', '--name', 'Early', '--json']),
      key: await play.runHere(createKey),
    }
    hadSocket = existsSync(controlPath(play.dataDir))
    gateway = await play.serve()
  }, 120_000)
  afterAll(() => play.dispose())

  test('that ran before the gateway started has worked on the data itself', async () => {
    expect(early.tooEarly.code).toBe(3)
    expect(early.account.json).toMatchObject({ sandbox: 'waiting' })
    expect(hadSocket).toBe(false)
    const token = await tokenOf(gateway.base_url, early.key.json)
    expect(await answerOf(`${gateway.base_url}/v1/auth/me`, token)).toBe('200 ok')
    expect(statSync(controlPath(play.dataDir)).mode & 0o777).toBe(0o600)
  })

  test('that reads finds it on the default folder, and names the data it uses', async () => {
    const list = startPostern(['accounts', 'list', '--json'], {
      cwd: play.folder,
      env: { POSTERN_DATA_DIR: join(play.folder, 'elsewhere') },
    })
    expect(await list.ended, list.output.stderr).toBe(0)
    expect(list.output.stderr).toContain(`Data: ${play.dataDir}`)
    expect(JSON.parse(list.output.stdout).accounts).toMatchObject([{ name: 'Early' }, { name: 'My business' }])
    expect(existsSync(join(play.folder, 'elsewhere'))).toBe(false)
  })

  test('that reads, and one that sends, need no key', async () => {
    const run = async (args: string[], env = {}) => {
      const started = startPostern(args, { cwd: play.folder, env })
      expect(await started.ended, started.output.stderr).toBe(0)
      return started.output.stdout
    }
    expect(await run(['send', '--to', '+12025550100', '--text', 'Hi'])).toMatch(/sent {7}wamid\./)
    expect(await run(['trigger', 'message.received', '--json'])).toContain('"message_id"')
    // As in the environment of its service.
    const own = { POSTERN_BASE_URL: `${gateway.base_url}/` }
    expect(await run(['messages', 'list', '--limit', '1'], own)).toContain('wamid.')
    const elsewhere = { POSTERN_BASE_URL: 'https://other.test', XDG_CONFIG_HOME: play.folder }
    const refused = startPostern(['messages', 'list'], { cwd: play.folder, env: elsewhere })
    expect([await refused.ended, refused.output.stderr]).toEqual([4, expect.stringContaining('postern login')])
    const { json } = await play.runHere(['accounts', 'list', '--json'])
    const [first] = json.accounts as { id: string }[]
    const listed = await play.runHere(['keys', 'list', '--account', first?.id ?? '', '--json'])
    const keys = listed.json.keys as { name: string }[]
    expect(keys.filter(({ name }) => name === 'Command line on this machine')).toHaveLength(1)
  })

  test('that changes the master key has to wait until it is stopped; keys, tokens and numbers go on working', async () => {
    const token = await tokenOf(gateway.base_url, gateway.firstRun ?? {})
    expect((await play.runHere(['master-key', 'rotate', '--yes'])).stderr).toContain('stop it first')
    // The account that was there before the gateway gets its number soon after the start.
    const db = new DatabaseSync(join(play.dataDir, 'postern.db'), { readOnly: true })
    await waitFor(() => db.prepare('select id from channels').all().length === 2)
    db.close()
    await stop(gateway)
    const old = readFileSync(join(play.dataDir, 'master.key'), 'utf8')
    const keyFile = join(play.folder, 'missing.key')
    const given = { POSTERN_MASTER_KEY: '0'.repeat(64), POSTERN_NEW_MASTER_KEY_FILE: keyFile }
    expect(await play.runHere(['master-key', 'rotate', '--yes'], given)).toMatchObject({
      code: 2,
      stderr: `The file of POSTERN_NEW_MASTER_KEY_FILE, ${keyFile}, cannot be read (ENOENT).\n`,
    })
    const rotated = await play.runHere(['master-key', 'rotate', '--yes', '--json'])
    expect([rotated.code, rotated.stderr]).toEqual([0, ''])
    // Pepper, signing key; of each of two accounts, three secrets of the channel, two of its app, and its audit head.
    expect(rotated.json.resealed).toBe(14)
    expect(readFileSync(join(play.dataDir, 'master.key'), 'utf8')).not.toBe(old)
    const after = await play.serve()
    expect(await answerOf(`${after.base_url}/v1/auth/me`, token)).toBe('200 ok')
    const fresh = await tokenOf(after.base_url, gateway.firstRun ?? {})
    const sent = await fetch(`${after.base_url}/v1/chat/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fresh}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+12025550100', message: 'Hello' }),
    })
    expect(sent.status).toBe(200)
    await stop(after)
  })
})

describe('without a server', { timeout: 120_000 }, () => {
  test('a changed line of the audit log is found', async () => {
    const play = await aPlayground()
    await play.runHere(['accounts', 'create', '--name', 'Acme'])
    await play.runHere(['keys', 'create', '--name', 'One'])
    const db = new DatabaseSync(join(play.dataDir, 'postern.db'))
    db.exec(`update audit_log set entry = replace(entry, 'One', 'Two') where seq = 2`)
    db.close()
    const verified = await play.runHere(['audit', 'verify', '--json'])
    expect([verified.code, verified.json.ok]).toEqual([1, false])
    expect(verified.json.accounts).toMatchObject([{ ok: false, broken_at: 2 }])
    await play.dispose()
  })

  test('a start that PostgreSQL refuses leaves nothing in the data folder', async () => {
    const play = await aPlayground()
    const env = { POSTERN_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/postern' }
    for (const processes of ['1', '2']) {
      const flags = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0', '--processes', processes]
      const { code, stderr } = await play.run(['serve', ...flags], env)
      expect([code, stderr]).toEqual([1, 'The database is not reachable: connect ECONNREFUSED 127.0.0.1:1\n'])
      expect(existsSync(play.dataDir)).toBe(false)
    }
    await play.dispose()
  })

  test('a data folder with a long path has its socket elsewhere', async () => {
    const play = await aPlayground()
    const long = join(play.folder, 'd'.repeat(120))
    await mkdir(long)
    expect(controlPath(long).length).toBeLessThanOrEqual(100)
    expect(controlPath(long)).not.toBe(controlPath(`${long}e`))
    await play.dispose()
  })
})

describe('postern sandbox', { timeout: 120_000 }, () => {
  test('says where it is and what a client needs, is strict unless flags make it kinder, and ends when told', async () => {
    type Place = Record<'phone_number_id' | 'waba_id' | 'app_id' | 'app_secret' | 'access_token', string>
    const look = async (flags: string[]) => {
      const sandbox = startPostern(['sandbox', '--port', '0', '--json', ...flags])
      const line = JSON.parse(await sandbox.line((text) => text.includes('"event":"ready"'), 30_000))
      const seen = (await (await fetch(`${line.sandbox_url}/_sandbox`)).json()) as { numbers: unknown[] }
      expect(line.numbers).toEqual(seen.numbers)
      const place: Place = line.numbers[0]
      const call = async (path: string, token: string, body?: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
        return (await (await fetch(`${line.sandbox_url}/v26.0/${path}`, { headers, ...more })).json()) as {
          name_status?: string
          error?: { code: number; message: string }
        }
      }
      const { name_status } = await call(`${place.phone_number_id}?fields=name_status`, place.access_token)
      const text = { messaging_product: 'whatsapp', to: '+12025550100', type: 'text', text: { body: 'Hi' } }
      let refused: number | undefined
      for (let sent = 0; sent < 60 && refused === undefined; sent++) {
        refused = (await call(`${place.phone_number_id}/messages`, place.access_token, text)).error?.code
      }
      const callback = { object: 'whatsapp_business_account', callback_url: 'http://127.0.0.1:9/', verify_token: 'v' }
      const app = await call(`${place.app_id}/subscriptions`, `${place.app_id}|${place.app_secret}`, callback)
      sandbox.signal('SIGTERM')
      expect(await sandbox.ended).toBe(0)
      return { name_status, refused, callback: app.error?.code }
    }
    expect(await look([])).toEqual({ name_status: 'PENDING_REVIEW', refused: 131_056, callback: 100 })
    // With --development http is tried; here nobody listens.
    const kinder = { name_status: 'APPROVED', refused: undefined, callback: 2200 }
    expect(await look(['--approved', '--development', '--unlimited'])).toEqual(kinder)
  })
})

test('postern openapi prints the document', async () => {
  const document = startPostern(['openapi'])
  expect(await document.ended, document.output.stderr).toBe(0)
  expect(Object.keys(JSON.parse(document.output.stdout).paths)).toContain('/v1/auth/token')
}, 60_000)
