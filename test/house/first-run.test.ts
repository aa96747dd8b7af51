import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataFlag } from '../../cli/src/find-data.ts'
import { startScreen } from '../../cli/src/output/announce.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { firstRun } from '../../server/src/installation/first-run.ts'
import { listAccounts } from '../../server/src/store/accounts/accounts.ts'
import { listApiKeys } from '../../server/src/store/accounts/api-keys.ts'
import { findOwner } from '../../server/src/store/accounts/users.ts'
import { startPostern } from '../support/child-process.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { runPostern, startHere } from '../support/run-postern.ts'
import { aRuntime } from '../support/runtime.ts'
import { accepts, answerOf, aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'
import { expectJsonLines, expectLocalAddresses } from '../support/start-lines.ts'
import { waitFor } from '../support/wait-for.ts'

/** How a gateway answers to the key that the first start printed. */
async function me({ base_url }: Gateway, first: Gateway): Promise<string> {
  return answerOf(`${base_url}/v1/auth/me`, await tokenOf(base_url, first.firstRun ?? {}))
}

const configOf = (data: string, env: Record<string, string> = {}) => loadConfig({ env, flags: { data } }).config

describe.each(engines)('the first run, on %s', (engine) => {
  test('happens once, however many nodes start at the same moment', async () => {
    const { rt, dispose } = await aRuntime(engine)
    const results = await Promise.all(Array.from({ length: 5 }, () => firstRun(rt)))
    expect(results.filter((result) => result !== null)).toHaveLength(1)
    const accounts = await rt.store.read(listAccounts, { after: '', count: 10 })
    expect(accounts).toMatchObject([{ plan: 'enterprise', status: 'active' }])
    const accountId = accounts[0]?.id ?? ''
    expect(await rt.store.read(listApiKeys, { account_id: accountId })).toHaveLength(1)
    expect(await rt.store.read(findOwner, { account_id: accountId })).toMatchObject([{ password_hash: null }])
    await dispose()
  })

  test('gives no key away in production', async () => {
    const { rt, dispose } = await aRuntime(engine, { POSTERN_ENV: 'production', POSTERN_MASTER_KEY: 'a'.repeat(64) })
    const result = await firstRun(rt)
    expect(result).toMatchObject({ credentials: null, consoleLink: expect.stringContaining('/setup') })
    expect(await rt.store.read(listApiKeys, { account_id: result?.accountId ?? '' })).toEqual([])
    await dispose()
  })
})

describe('postern serve on an empty folder', { timeout: 120_000 }, () => {
  let play: Playground
  let first: Gateway

  beforeAll(async () => {
    play = await aPlayground()
    first = await play.serve()
  }, 120_000)
  afterAll(() => play.dispose())

  /** The lines of its screen that can be pasted. */
  const linesOf = ({ firstRun: facts, ...addresses }: Gateway) => {
    const { api_key: apiKey = '', api_secret: apiSecret = '', console_link: consoleLink = '' } = facts ?? {}
    const firstRun = { accountId: '', credentials: { apiKey, apiSecret }, consoleLink }
    const flag = dataFlag(configOf(play.dataDir))
    const text = startScreen({ firstRun, addresses, database: 'SQLite', dataFlag: flag })
    const [sending = '', looking = ''] = text.split('\n').filter((line) => line.startsWith('curl '))
    const commands = [...text.matchAll(/npx --no-install postern (.+)$/gm)].map(([, command = '']) =>
      command.split(' '),
    )
    return { sending, looking, commands }
  }
  const paste = (line: string) =>
    JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', env: { PATH: pathWithCurl() } }))

  test('prints a key that works and a link', async () => {
    expect(first.firstRun).toMatchObject({
      api_key: expect.stringMatching(/^ptk_\w{22}$/),
      api_secret: expect.stringMatching(/^pts_\w{49}$/),
      console_link: expect.stringContaining(`${first.console_url}/setup`),
    })
    expect(await me(first, first)).toBe('200 ok')
  })

  test('gives two lines that work as pasted', () => {
    const { sending, looking } = linesOf(first)
    const sent = paste(sending)
    expect(sent).toEqual({ success: true, data: { message_id: expect.any(String), status: 'sent' } })
    expect(paste(looking).data.messages).toMatchObject([{ message_id: sent.data.message_id }])
  })

  test('gives commands that work as pasted, although its data are not in the usual folder', async () => {
    const [setupLink = [], listen = []] = linesOf(first).commands
    expect(await runPostern(setupLink)).toMatchObject({ code: 0, stdout: expect.stringContaining('/setup') })
    const listening = startHere(listen)
    await waitFor(() => listening.output.stdout.includes('Signing secret'), 60_000)
    listening.signal('SIGINT')
    expect(await listening.ended).toBe(0)
  })

  test('prints none of this on the next start, and all goes on working on other ports', async () => {
    await stop(first)
    expect(await accepts(first.base_url)).toBe(false)
    expectJsonLines(first.process)
    const second = await play.serve()
    expect(second.firstRun).toBeNull()
    expect(await me(second, first)).toBe('200 ok')
    expect(paste(linesOf(first).sending.replaceAll(first.base_url, second.base_url)).success).toBe(true)
    expect(startScreen({ firstRun: null, addresses: second, database: 'SQLite', dataFlag: '' })).not.toMatch(
      /curl|Secret/,
    )
  })

  test('without a terminal and without --json keeps the secrets in a file of its own', async () => {
    const data = join(play.folder, 'without-terminal')
    const server = startPostern(['serve', '--port', '0', '--admin-port', '0', '--sandbox-port', '0', '--data', data])
    const file = join(data, 'first-run.json')
    try {
      await waitFor(() => server.output.stderr.includes('ready on'), 90_000)
      const facts = JSON.parse(readFileSync(file, 'utf8')) as {
        api_secret: string
        console_link: string
        try: string[]
      }
      // The file holds what a terminal would have shown, and the commands work as pasted.
      expect(facts.try.map((line) => paste(line).success)).toEqual([true, true])
      expect(facts.api_secret).toMatch(/^pts_/)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const printed = server.output.stdout + server.output.stderr
      expect(printed).toContain(file)
      expect(printed).not.toContain(facts.api_secret)
      expect(printed).not.toContain(facts.console_link)
      expect(server.output.stdout).toBe('')
    } finally {
      await server.destroy()
    }
  })
})

test('commands on the screen name the data folder, ready for a shell, unless they find it by themselves', () => {
  expect(dataFlag(configOf('./data'))).toBe('')
  expect(dataFlag(configOf('/srv/postern'))).toBe(' --data /srv/postern')
  expect(dataFlag(configOf("/srv/Ana's data"))).toBe(` --data '/srv/Ana'\\''s data'`)
  expect(dataFlag(configOf('/srv/postern', { POSTERN_DATABASE_URL: 'postgres://localhost/postern' }))).toBe('')
})

describe('two nodes on one empty PostgreSQL', { timeout: 120_000 }, () => {
  test('print one key between them, in JSON lines without logs, and finish when they are stopped', async () => {
    const database = await freshDatabase('postgres')
    const plays = await Promise.all([aPlayground(), aPlayground()])
    const url = database.database.kind === 'postgres' ? database.database.url : ''
    const env = { POSTERN_DATABASE_URL: url, POSTERN_MASTER_KEY: 'b'.repeat(64) }
    const gateways = await Promise.all(plays.map((play) => play.serve([], env)))
    const [winner, ...others] = gateways.filter(({ firstRun }) => firstRun !== null)
    if (!winner) throw new Error('no node printed a key')
    expect(others).toEqual([])
    for (const gateway of gateways) {
      expectLocalAddresses(gateway)
      expect((await fetch(`${gateway.base_url}/readyz`)).status).toBe(200)
      expect(await me(gateway, winner)).toBe('200 ok')
    }
    await Promise.all(gateways.map(stop))
    expectJsonLines(winner.process)
    for (const play of plays) await play.dispose()
    await database.remove()
  })
})
