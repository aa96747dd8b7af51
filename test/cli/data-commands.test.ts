import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../server/src/contract/connections.ts'
import { scopePresets } from '../../server/src/contract/scopes.ts'
import { engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { answerOf, aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

const masterKey = 'c'.repeat(64)
type Number = { phone_number_id: string }

describe.each(engines)('the data commands, on %s', { timeout: 120_000 }, (engine) => {
  let play: Playground
  let database: TestDatabase | null = null
  let gateway: Gateway
  let env: Record<string, string> = {}

  beforeAll(async () => {
    play = await aPlayground()
    database = engine === 'postgres' ? await freshDatabase('postgres') : null
    const url = database?.database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.database.url } : {}
    env = { ...url, POSTERN_MASTER_KEY: masterKey }
    gateway = await play.serve([], env)
  }, 120_000)
  afterAll(async () => {
    await stop(gateway)
    await play.dispose()
    await database?.remove()
  })

  const run = (...args: string[]) => play.runHere([...args, '--json'], env)
  const me = (token: string) => answerOf(`${gateway.base_url}/v1/auth/me`, token)

  test('make a key that works at once on the running server, and take it away at once', async () => {
    const created = await run('keys', 'create', '--name', 'Reports', '--preset', 'read_only', '--expires', '90d')
    expect(created.code, created.stderr).toBe(0)
    expect(created.json).toMatchObject({
      api_key: expect.stringMatching(/^ptk_/),
      api_secret: expect.stringMatching(/^pts_/),
      name: 'Reports',
      account_id: gateway.firstRun?.account_id,
      scopes: [...scopePresets.read_only],
      expires_at: expect.any(String),
    })
    const token = await tokenOf(gateway.base_url, created.json)
    expect(await me(token)).toBe('200 ok')
    const key = String(created.json.api_key)
    const rotated = await run('keys', 'rotate', key, '--overlap', '1h')
    expect(await me(await tokenOf(gateway.base_url, rotated.json))).toBe('200 ok')
    expect(await me(await tokenOf(gateway.base_url, created.json))).toBe('200 ok')
    expect((await run('keys', 'revoke', key, '--yes')).json).toMatchObject({ status: 'revoked' })
    expect(await me(token)).toBe('401 token_revoked')
    const listed = await run('keys', 'list')
    expect(listed.json.keys).toMatchObject([{ name: 'First key' }, { name: 'Reports', status: 'revoked' }])
    expect(listed.stdout).not.toContain('pts_')
  })

  test('connect a tool that speaks the dialect of Meta, and end it at once', async () => {
    const created = await run('connections', 'create', '--name', 'Help desk', '--tool', 'chatwoot')
    expect(created.code, created.stderr).toBe(0)
    const { id, token, app_id, address, numbers } = created.json as Record<string, string> & { numbers: [Number] }
    expect([token, app_id, address]).toEqual([
      expect.stringMatching(/^ptg_\w{22}_\w{49}$/),
      expect.stringMatching(/^9\d{14}$/),
      expect.stringMatching(/\/graph$/),
    ])
    const [{ phone_number_id }] = numbers
    const code = async (bearer: unknown) => {
      const response = await fetch(`${gateway.base_url}/graph/v26.0/${phone_number_id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messaging_product: 'whatsapp', to: '+12025550100', text: { body: 'Hello' } }),
      })
      return ((await response.json()) as { error?: { code: number } }).error?.code ?? response.status
    }
    expect(await code(token)).toBe(200)
    const rotated = await run('connections', 'rotate', String(id))
    expect([await code(token), await code(rotated.json.token)]).toEqual([200, 200])
    const changed = await run('connections', 'change', String(id), '--repeats', 'off', '--repeat-window', '60')
    expect(changed.json.options).toMatchObject({ repeats: false, repeat_window: 60, unknown: 'alias' })
    expect((await run('connections', 'change', String(id), '--repeat-window', '601')).code).toBe(2)
    const early = await run('connections', 'switch-secret', String(id))
    expect(early.stderr).toContain('No new app secret')
    const { json: next } = await run('connections', 'prepare-secret', String(id))
    await run('connections', 'switch-secret', String(id))
    expect((await run('connections', 'show', String(id))).json.app_secret).toBe(next.next_app_secret)
    const listed = await run('connections', 'list')
    expect(listed.json.connections).toMatchObject([{ id, name: 'Help desk', tool: 'chatwoot' }])
    expect(listed.stdout).not.toContain(next.next_app_secret)
    expect((await run('keys', 'list')).stdout).not.toContain('Help desk')
    await run('connections', 'delete', String(id), '--yes')
    expect(await code(rotated.json.token)).toBe(190)
    expect((await run('connections', 'list')).json.connections).toEqual([])
  })

  test('try the set-up of a tool with its token, and say which call fails', async () => {
    for (const tool of tools) {
      const made = await run('connections', 'create', '--name', tool, '--tool', tool, '--scopes', 'templates:write')
      const { id, token, scopes } = made.json as { id: string; token: string; scopes: string[] }
      expect(scopes).toContain('templates:write')
      const tried = async (given: string) =>
        play.runHere(['connections', 'try', id, '--address', `${gateway.base_url}/graph`, '--json'], {
          ...env,
          POSTERN_CONNECTION_TOKEN: given,
        })
      const early = await tried(token)
      expect([early.code, early.json.callbacks]).toEqual([1, expect.stringContaining('no callback address')])
      expect((early.json.calls as { ok: boolean }[]).filter(({ ok }) => !ok)).toEqual([])
      await run('connections', 'callback', id, '--url', 'https://tool.invalid/webhook', '--waive')
      const ready = await tried(token)
      expect([ready.code, ready.json.ok, ready.json.callbacks]).toEqual([0, true, 'ok'])
      const wrong = await tried(`${token}x`)
      expect([wrong.code, wrong.json.calls]).toEqual([1, [expect.objectContaining({ ok: false, status: 401 })]])
      expect(wrong.stdout).not.toContain(token)
      await run('connections', 'delete', id, '--yes')
    }
    expect((await run('connections', 'create', '--name', 'Bot', '--scopes', 'nonsense')).code).toBe(2)
    const { id } = (await run('connections', 'create', '--name', 'Bot')).json as { id: string }
    const without = await run('connections', 'try', id)
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('POSTERN_CONNECTION_TOKEN')])
    await run('connections', 'delete', id, '--yes')
  })

  test('pass callbacks on to a tool, pause it, and send again what it missed', async () => {
    const { id } = (await run('connections', 'create', '--name', 'Bot', '--statuses', 'all')).json as { id: string }
    expect((await run('connections', 'callback', id)).code).toBe(2)
    const inside = await run('connections', 'callback', id, '--url', 'http://chatwoot/webhook')
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('POSTERN_RELAY_ALLOW')])
    const token = join(play.folder, 'token.txt')
    await writeFile(token, 's3cret\n')
    const address = ['--url', 'https://tool.invalid/webhook', '--verify-token-file', token]
    const asked = await run('connections', 'callback', id, ...address)
    expect(asked.code).toBe(1)
    expect(asked.json.callback).toMatchObject({ verified: false, verify_token: 's3cret' })
    expect((await run('connections', 'show', id)).json.callback).toMatchObject({ state: 'unverified' })
    expect((await run('connections', 'verify', id)).stderr).toContain('dns_error')
    expect((await run('connections', 'verify', id, '--waive')).json).toEqual({ id, verified: true })
    expect((await run('connections', 'pause', id)).json).toEqual({ id, paused: true })
    expect((await run('connections', 'show', id)).json.callback).toMatchObject({ state: 'paused' })
    expect((await run('connections', 'resume', id)).json).toEqual({ id, paused: false })
    expect((await run('connections', 'deliveries', id)).json.deliveries).toEqual([])
    const since = new Date(Date.now() - 60_000).toISOString()
    expect((await run('connections', 'replay', id, '--since', since)).json).toMatchObject({ matched: 0, queued: 0 })
    expect((await run('connections', 'change', id, '--fields', 'Messages!')).code).toBe(2)
    expect((await run('connections', 'callback', id, '--remove')).json).toEqual({ id, callback: null })
    expect((await run('connections', 'replay', id, '--since', since)).stderr).toContain('no callback address')
    await run('connections', 'delete', id, '--yes')
  })

  test('list failing webhooks over all accounts', async () => {
    expect((await run('webhooks', 'failing')).json).toEqual({ webhooks: [] })
    expect((await play.runHere(['webhooks', 'failing'], env)).stdout).toBe('No webhook is failing.\n')
    expect((await run('webhooks', 'failing', 'acc_1')).code).toBe(2)
  })

  test('make an account on a sandbox number of its own, and change what it may', async () => {
    const created = await run('accounts', 'create', '--name', 'Acme Store')
    expect(created.json, created.stderr).toMatchObject({ name: 'Acme Store', plan: 'free', sandbox: 'connected' })
    const { json: key } = await run('keys', 'create', '--name', 'Shop', '--account', 'Acme Store')
    expect(key.account_id).toBe(created.json.id)
    const token = await tokenOf(gateway.base_url, key)
    const sent = await fetch(`${gateway.base_url}/v1/chat/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+12025550100', message: 'Hello' }),
    })
    expect([sent.status, sent.headers.get('x-ratelimit-limit')]).toEqual([200, '100'])
    expect((await run('accounts', 'set-plan', 'Acme Store', '--plan', 'starter')).json.plan).toBe('starter')
    const counted = await fetch(`${gateway.base_url}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(counted.headers.get('x-ratelimit-remaining')).toBe('998')
    expect((await run('accounts', 'suspend', 'Acme Store', '--yes')).json.status).toBe('suspended')
    expect(await me(token)).toBe('403 account_suspended')
    expect((await run('accounts', 'resume', 'Acme Store')).json.status).toBe('active')
    expect(await me(token)).toBe('200 ok')
    expect((await run('accounts', 'list')).json.accounts).toMatchObject([
      { name: 'My business' },
      { name: 'Acme Store' },
    ])
  })

  test('invite people, and renew the links of owners and the forgetful', async () => {
    const invited = ['--email', 'Ana@acme.example', '--name', 'Ana', '--role', 'admin', '--account', 'My business']
    const created = await run('users', 'create', ...invited)
    expect(created.json, created.stderr).toMatchObject({ email: 'ana@acme.example', role: 'admin' })
    expect(created.json.console_link).toMatch(/^http:\/\/localhost:\d+\/setup/)
    const again = await run('users', 'create', ...invited)
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('email')])
    const reset = await run('users', 'reset-password', 'ana@acme.example', '--yes')
    expect(reset.json.console_link).not.toBe(created.json.console_link)
    expect((await run('setup-link', '--account', 'My business')).json.console_link).not.toBe(
      gateway.firstRun?.console_link,
    )
    expect((await run('users', 'reset-password', 'nobody@acme.example', '--yes')).code).toBe(3)
    expect((await run('users', 'reset-two-factor', 'nobody@acme.example', '--yes')).code).toBe(3)
    const unset = await run('users', 'reset-two-factor', 'ana@acme.example', '--yes')
    expect([unset.code, unset.stderr]).toEqual([expect.any(Number), expect.stringContaining('is not on')])
    expect(unset.code).not.toBe(0)
  })

  test('guess no account where there are several, but name them', async () => {
    const { json } = await run('accounts', 'list')
    const accounts = json.accounts as { id: string; name: string }[]
    const named = accounts.map(({ id, name }) => `${name} (${id})`).join(', ')
    const unnamed = [
      ['purge', '--phone', '+12025550100', '--yes'],
      ['keys', 'create', '--name', 'X'],
      ['messages', 'ask', 'wamid.1'],
      ['keys', 'list'],
      ['users', 'create', '--email', 'rui@acme.example', '--name', 'Rui', '--role', 'viewer'],
      ['setup-link'],
      ['channels', 'connect', '--sandbox', 'http://127.0.0.1:9'],
      ['channels', 'default', '+12025550100'],
    ]
    for (const words of unnamed) {
      const refused = await run(...words)
      expect([refused.code, refused.stdout], words.join(' ')).toEqual([2, ''])
      expect(refused.stderr, words.join(' ')).toContain(`name one with --account. They are ${named}.`)
    }
    const purged = await run('purge', '--phone', '+12025550100', '--yes', '--account', 'Acme Store')
    expect(purged.json, purged.stderr).toMatchObject({ account_id: accounts[1]?.id, messages: 1 })
  })

  test('rotate the signing key while tokens live, and find the audit log sound', async () => {
    const token = await tokenOf(gateway.base_url, gateway.firstRun ?? {})
    const { json } = await run('signing-keys', 'rotate')
    expect(json.keys).toMatchObject([{ status: 'active' }, { status: 'retired' }])
    expect(await me(token)).toBe('200 ok')
    const verified = await run('audit', 'verify')
    expect([verified.code, verified.json.ok]).toEqual([0, true])
  })

  test('say in one sentence what is wrong, with the exit code of its kind', async () => {
    const wrong: [code: number, ...words: string[]][] = [
      [2, 'keys', 'create'],
      [2, 'keys', 'create', '--name', 'X', '--scopes', 'messages:sned'],
      [2, 'keys', 'create', '--name', 'X', '--ips', 'everywhere', '--account', 'My business'],
      [3, 'keys', 'create', '--name', 'X', '--account', 'Nobody'],
      [3, 'keys', 'revoke', 'ptk_unknown', '--yes'],
      [2, 'keys', 'revoke', 'ptk_unknown'],
      [2, 'messages', 'settle', 'out_unknown'],
      [2, 'messages', 'settle', 'out_unknown', '--as', 'read'],
      [3, 'messages', 'settle', 'out_unknown', '--as', 'sent'],
      [3, 'messages', 'ask', 'out_unknown', '--account', 'My business'],
      [2, 'messages', 'ask'],
    ]
    for (const [code, ...words] of wrong) {
      const outcome = await run(...words)
      expect([outcome.code, outcome.stdout], words.join(' ')).toEqual([code, ''])
      expect(outcome.stderr.trimEnd().split('\n'), words.join(' ')).toHaveLength(1)
    }
  })
})
