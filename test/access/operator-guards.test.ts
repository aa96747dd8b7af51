import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { createDatabase } from '../support/postgres/postgres-databases.ts'
import { aPlayground, type Playground, stop, tokenOf } from '../support/serve.ts'

let play: Playground
beforeEach(async () => {
  play = await aPlayground()
})
afterEach(() => play.dispose())

test('a damaged master key keeps the server from starting, with one sentence that says what to do', async () => {
  mkdirSync(play.dataDir, { recursive: true })
  writeFileSync(join(play.dataDir, 'master.key'), '')
  const { code, stderr } = await play.run(['serve', '--port', '0', '--admin-port', '0', '--sandbox-port', '0'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('master.key is damaged: it must contain a key of 64 hexadecimal characters.')
  expect(stderr).not.toMatch(/\n\s+at /)
}, 60_000)

describe.each(engines)('on %s', { timeout: 120_000 }, (engine) => {
  test('a master key that opens nothing, or none at all, stops the server and every command, and changes nothing', async () => {
    await using cleanup = new AsyncDisposableStack()
    const database = engine === 'postgres' ? await createDatabase(inject('postgresUrl')) : null
    if (database) cleanup.defer(() => database.drop())
    const env: Record<string, string> = database ? { POSTERN_DATABASE_URL: database.url } : {}
    await play.runHere(['accounts', 'create', '--name', 'Acme'], env)
    const wrong = { ...env, POSTERN_MASTER_KEY: 'ab'.repeat(32) }
    const refusals = async (settings: Record<string, string>) => {
      const serve = ['serve', '--port', '0', '--admin-port', '0', '--sandbox-port', '0']
      const commands = [serve, ['signing-keys', 'rotate'], ['setup-link']]
      return Promise.all(commands.map((command) => play.run(command, settings)))
    }
    for (const { code, stderr } of await refusals(wrong)) {
      expect(stderr).toContain('This key cannot decrypt the stored secrets: set the master key that was used')
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(code).not.toBe(0)
    }
    const file = join(play.dataDir, 'master.key')
    renameSync(file, `${file}.away`)
    for (const { code, stderr } of await refusals(env)) {
      expect(stderr).toContain('There is a database, but no key')
      expect(code).not.toBe(0)
    }
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}.away`, file)
    expect((await play.run(['accounts', 'list'], env)).stdout).toContain('Acme')
  })
})

test('a key can be made for numbers of its account alone, and sends from them', async () => {
  const gateway = await play.serve()
  const api = async (token: string, path: string, body?: object) => {
    const response = await fetch(`${gateway.base_url}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as { data: Record<string, unknown>; error?: { code: string } }
  }
  const me = await api(await tokenOf(gateway.base_url, gateway.firstRun ?? {}), '/v1/auth/me')
  const { phone_numbers: numbers } = me.data.channel as { phone_numbers: { id: string; phone_number: string }[] }
  const phoneNumber = numbers[0]?.phone_number ?? ''
  const create = (wanted: string) => play.run(['keys', 'create', '--name', 'One', '--numbers', wanted, '--json'])

  const { json: key } = await create(phoneNumber)
  expect(key.phone_number_ids).toEqual([numbers[0]?.id])
  const token = await tokenOf(gateway.base_url, key)
  const text = { to: '+12025550100', message: 'Hello' }
  const sent = await api(token, '/v1/chat/messages/send', { ...text, from: phoneNumber })
  expect(sent.error).toBeUndefined()
  const refused = await create('+12025550199')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('Give connected numbers of the account, by id or phone number.')
  await stop(gateway)
}, 60_000)
