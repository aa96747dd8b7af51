import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { did } from '../support/console/two-tenants.ts'
import { engines } from '../support/postgres/databases.ts'
import { startGraphTool } from '../support/receiver/graph-tool.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

describe.each(engines)('connections in the console, on %s', { timeout: 60_000 }, (engine) => {
  let world: ConsoleService
  beforeAll(async () => {
    world = await aConsoleService(engine, { POSTERN_RELAY_ALLOW: 'localhost' })
  })
  afterAll(() => world?.stop())

  const create = (body: object) => did(world.owner, 'POST', '/connections', body)
  const read = async (id: string) => did(world.owner, 'GET', `/connections/${id}`)
  const sentences = ({ health }: { health: { sentence: string }[] }) => health.map(({ sentence }) => sentence)
  const graph = (token: string, path: string) => world.call('GET', `/graph${path}`, { token })

  test('a tool is connected, shown without its secrets, rotated and deleted', async () => {
    const { connection, token } = await create({ name: ' Help desk ', tool: 'chatwoot' })
    expect(connection).toMatchObject({ name: 'Help desk', tool: 'chatwoot', status: 'active', all_numbers: true })
    expect((await graph(token, '/me')).body).toMatchObject({ id: connection.id, name: 'Help desk' })
    const rotated = await did(world.owner, 'POST', `/connections/${connection.id}/rotate`)
    expect((await graph(rotated.token, '/me')).status).toBe(200)
    expect((await graph(token, '/me')).status).toBe(200)
    const shown = await read(connection.id)
    expect(shown.previous_token_until).toEqual(expect.any(String))
    const { row } = await requireConnection(world.service.rt, world.accountId, connection.id)
    const { appSecret } = openConnection(world.service.rt, row)
    const list = await did(world.owner, 'GET', '/connections')
    for (const text of [JSON.stringify(shown), JSON.stringify(list)]) {
      expect(text).not.toContain(appSecret)
      expect(text).not.toContain(token)
      expect(text).not.toContain(rotated.token)
    }
    expect((await did(world.owner, 'POST', `/connections/${connection.id}/secrets`)).app_secret).toBe(appSecret)
    await did(world.owner, 'DELETE', `/connections/${connection.id}`)
    expect((await graph(rotated.token, '/me')).body.error.code).toBe(190)
    expect((await world.owner.call('GET', `/connections/${connection.id}`)).status).toBe(404)
    const { entries } = await did(world.owner, 'GET', '/audit?limit=10')
    const acts = entries.map(({ action }: { action: string }) => action)
    expect(acts.slice(0, 4)).toEqual([
      'connection.deleted',
      'connection.secrets_shown',
      'connection.token_rotated',
      'connection.created',
    ])
  })

  test('an address is asked, told from one that does not answer, paused, resumed and removed', async () => {
    const { connection } = await create({ name: 'Bot', tool: 'generic' })
    const { id } = connection
    expect(sentences(connection)).toEqual([
      'There is no callback address: the tool receives nothing.',
      'The tool has not called yet. Follow the steps below.',
    ])
    const { app_secret: secret } = await did(world.owner, 'POST', `/connections/${id}/secrets`)
    const tool = await startGraphTool({ verifyToken: 'the-token', appSecret: () => secret })
    try {
      const set = (body: object) => did(world.owner, 'PUT', `/connections/${id}/callback`, body)
      const wrong = await set({ url: tool.url, verify_token: 'another' })
      expect(wrong.callback.state).toBe('unverified')
      expect(sentences(wrong)[0]).toMatch(
        /^The callback address has not passed the handshake: nothing is sent there\. The/,
      )
      const refused = await world.owner.call('POST', `/connections/${id}/callback/verify`, {})
      expect(refused.json.error.code).toBe('connection_handshake_failed')
      expect((await set({ url: tool.url, verify_token: 'the-token' })).callback.state).toBe('active')
      await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Hello' })
      await waitFor(() => tool.requests.length > 0, 20_000)
      await waitFor(async () => (await read(id)).callback.last_delivered_at !== null, 10_000)
      const { webhook_id: relay } = (await read(id)).callback
      const { deliveries } = await did(world.owner, 'GET', `/webhooks/${relay}/deliveries`)
      expect(deliveries[0].delivery).toMatchObject({ type: 'relay.message', status: 'delivered' })
      const since = new Date(Date.now() - 3_600_000).toISOString()
      const preview = await did(world.owner, 'GET', `/webhooks/${relay}/replay?since=${since}&status=all`)
      expect(preview.matched).toBe(1)
      const paused = await did(world.owner, 'POST', `/connections/${id}/callback/pause`)
      expect([paused.callback.state, sentences(paused)]).toEqual([
        'paused',
        expect.arrayContaining(['Callbacks are paused. What the tool misses can be replayed after you resume.']),
      ])
      expect((await did(world.owner, 'POST', `/connections/${id}/callback/resume`)).callback.state).toBe('active')
      expect((await did(world.owner, 'DELETE', `/connections/${id}/callback`)).callback).toBeNull()
    } finally {
      await tool.close()
    }
  })

  test('options are set as a whole, and the next app secret is shown before it signs', async () => {
    const { connection } = await create({ name: 'Bot', tool: 'pywa', scopes: ['messages:send', 'graph:pass'] })
    const { id } = connection
    expect(connection.scopes).toEqual(['messages:send', 'graph:pass'])
    const options = { ...connection.options, window: 'meta', echoes: 'others', hosts: ['bot.example.com'] }
    expect((await did(world.owner, 'PUT', `/connections/${id}/options`, options)).options).toEqual(options)
    const wrong = await world.owner.call('PUT', `/connections/${id}/options`, { ...options, hosts: ['https://a'] })
    expect([wrong.status, wrong.json.error.details[0].field]).toEqual([400, 'hosts[0]'])
    const prepared = await did(world.owner, 'POST', `/connections/${id}/prepare-secret`)
    expect((await read(id)).next_secret_prepared).toBe(true)
    await did(world.owner, 'POST', `/connections/${id}/switch-secret`)
    const { app_secret: now } = await did(world.owner, 'POST', `/connections/${id}/secrets`)
    expect([now, (await read(id)).next_secret_prepared]).toEqual([prepared.next_app_secret, false])
    const again = await world.owner.call('POST', `/connections/${id}/switch-secret`, {})
    expect(again.json.error.code).toBe('connection_secret_not_prepared')
  })

  test('is for owners and admins alone', async () => {
    const { link } = await did(world.owner, 'POST', '/members', {
      name: 'Dev',
      email: 'dev@acme.test',
      role: 'developer',
    })
    const developer = aVisitor(world)
    const person = { name: 'Dev', email: 'dev@acme.test', password }
    await developer.call('POST', '/setup', { token: tokenOfLink(link), ...person })
    const refused = await developer.call('GET', '/connections')
    expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_role'])
  })
})
