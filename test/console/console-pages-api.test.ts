import { describe, expect, onTestFinished, test } from 'vitest'
import { operator, verifyAudit } from '../../server/src/audit/audit.ts'
import { setDefaultNumber } from '../../server/src/channels/save-channel.ts'
import { allowedActions, roles } from '../../server/src/contract/console/roles.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { ownStep } from '../../server/src/messages/message-record.ts'
import { saveQuota } from '../../server/src/store/accounts/quotas.ts'
import { insertRequests } from '../../server/src/store/accounts/request-log.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { addAddress, insertCustomer } from '../../server/src/store/messages/customers.ts'
import { insertMessage, type MessageRow, newMessage } from '../../server/src/store/messages/messages.ts'
import { createTemplate } from '../../server/src/templates/create-template.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { testWebhook } from '../../server/src/webhooks/test-webhook.ts'
import { verifyWebhook } from '../../server/src/webhooks/verify-webhook.ts'
import { aMember, anOwner, type ConsoleWorld, sharedConsole, type Visitor } from '../support/console/console-world.ts'
import { seedNumber } from '../support/console/message-seed.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const aConsole = sharedConsole()

/** Every route of these pages with the action it needs; bodies are empty, so that nothing changes. */
const guarded = [
  ['analytics:read', 'GET', '/home', 200],
  ['costs:read', 'GET', '/costs', 200],
  ['costs:read', 'GET', '/rates', 200],
  ['rates:write', 'POST', '/rates', 400],
  ['rates:write', 'POST', '/rates/check', 400],
  ['rates:write', 'DELETE', '/rates/none', 404],
  ['messages:read', 'GET', '/messages', 200],
  ['messages:read', 'GET', '/message-filters', 200],
  ['messages:read', 'GET', '/messages/none', 404],
  ['messages:read', 'GET', '/media/med_none/content', 404],
  ['messages:send', 'POST', '/messages/send', 400],
  ['messages:send', 'POST', '/messages/template', 400],
  ['messages:send', 'POST', '/messages/media', 400],
  ['messages:send', 'POST', '/messages/interactive', 400],
  ['messages:send', 'POST', '/messages/location', 400],
  ['messages:send', 'POST', '/messages/contacts', 400],
  ['messages:send', 'POST', '/messages/sticker', 400],
  ['messages:send', 'POST', '/messages/reaction', 400],
  ['messages:send', 'POST', '/messages/none/again', 404],
  ['conversations:read', 'GET', '/conversations', 200],
  ['messages:read', 'GET', '/conversation?customer=%2B351912345678', 200],
  ['messages:read', 'GET', '/customer?customer=%2B351912345678', 200],
  ['messages:send', 'POST', '/conversation/read', 400],
  ['customers:erase', 'POST', '/customer/erase', 400],
  ['webhooks:read', 'GET', '/webhooks', 200],
  ['webhooks:read', 'GET', '/webhooks/none', 404],
  ['webhooks:read', 'GET', '/webhooks/none/deliveries', 404],
  ['webhooks:read', 'GET', '/webhooks/none/deliveries/none', 404],
  ['webhooks:read', 'GET', '/webhooks/none/replay?since=2026-01-01T00:00:00Z', 404],
  ['webhooks:read', 'POST', '/webhooks/none/check-signature', 400],
  ['webhooks:write', 'POST', '/webhooks', 400],
  ['webhooks:write', 'PUT', '/webhooks/none', 400],
  ['webhooks:write', 'DELETE', '/webhooks/none', 404],
  ['webhooks:write', 'POST', '/webhooks/none/verify', 404],
  ['webhooks:write', 'POST', '/webhooks/none/test', 400],
  ['webhooks:write', 'POST', '/webhooks/none/rotate-secret', 404],
  ['webhooks:write', 'POST', '/webhooks/none/deliveries/none/retry', 404],
  ['webhooks:write', 'POST', '/webhooks/none/replay', 400],
  ['sandbox:use', 'GET', '/sandbox/numbers', 200],
  ['sandbox:use', 'GET', '/sandbox/events', 200],
  ['sandbox:use', 'GET', '/sandbox/phone?number_id=none', 404],
  ['sandbox:use', 'GET', '/sandbox/conversation?number_id=none&customer=x', 404],
  ['sandbox:use', 'POST', '/sandbox/inbound', 400],
  ['sandbox:use', 'POST', '/sandbox/customers', 400],
  ['sandbox:use', 'POST', '/sandbox/window', 400],
  ['sandbox:use', 'PUT', '/sandbox/behaviour', 400],
  ['channel:read', 'GET', '/channels', 200],
  ['channel:write', 'POST', '/channels', 400],
  ['channel:write', 'POST', '/channels/none/check', 404],
  ['channel:write', 'POST', '/channels/none/disconnect', 400],
  ['channel:write', 'POST', '/numbers/none/default', 404],
] as const

describe('a role', () => {
  test.each(roles)('%s reaches exactly the pages its row allows', async (role) => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const visitor = role === 'owner' ? owner : await aMember(world, role)
    for (const [action, method, path, allowedStatus] of guarded) {
      const { status, json } = await visitor.call(method, path, method === 'GET' ? undefined : {})
      const allowed = allowedActions[role].includes(action)
      expect(status, `${method} ${path}`).toBe(allowed ? allowedStatus : 403)
      if (!allowed) expect(json.error).toMatchObject({ code: 'insufficient_role', required_scope: action })
    }
    expect((await visitor.call('GET', '/progress')).status).toBe(200)
  })

  test('must have given its password lately to rotate a secret, disconnect a channel or erase a customer', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    world.clock.advance(6 * 60_000)
    const tries = await Promise.all([
      owner.call('POST', '/webhooks/none/rotate-secret', {}),
      owner.call('POST', '/channels/none/disconnect', { confirm: '+1' }),
      owner.call('POST', '/customer/erase', { customer: '+351912345678' }),
    ])
    for (const { status, json } of tries) {
      expect([status, json.error.code]).toEqual([403, 'recent_sign_in_required'])
    }
  })
})

describe.each(engines)('the log of messages on %s', (engine) => {
  test('holds messages and refused sends by time, page by page without a gap', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { messages } = await seedMessages(world)
    const refused = await seedRefusals(world)
    const seen: string[] = []
    let cursor = ''
    do {
      const { data } = (await owner.call('GET', `/messages?limit=3${cursor}`)).json
      seen.push(...data.entries.map(({ id }: { id: string }) => id))
      cursor = data.pagination.next_cursor ? `&cursor=${data.pagination.next_cursor}` : ''
    } while (cursor !== '')
    // The refusal of the platform has a message of its own and is not told twice.
    expect(seen).toEqual([messages[0]?.id, refused, messages[1]?.id, messages[2]?.id, messages[3]?.id])
  })

  test('is narrowed by every filter', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { messages } = await seedMessages(world)
    const refused = await seedRefusals(world)
    const found = async (query: string) =>
      (await owner.call('GET', `/messages?${query}`)).json.data.entries.map(({ id }: { id: string }) => id)
    expect(await found('status=not_sent')).toEqual([refused])
    expect(await found('direction=inbound')).toEqual([messages[3]?.id])
    expect(await found('status=failed')).toEqual([messages[2]?.id])
    expect(await found('template=order_confirmation')).toEqual([messages[1]?.id])
    expect(await found('search=order-A-1001')).toEqual([messages[0]?.id])
    expect(await found(`search=${messages[2]?.id}`)).toEqual([messages[2]?.id])
    expect(await found('search=%2B351%20912%20345%20678')).toEqual(messages.map(({ id }) => id))
    expect(await found(`search=${refused}`)).toEqual([refused])
    expect(await found('search=%25')).toEqual([])
    expect(await found('key_id=key_other')).toEqual([])
    expect(await found('code=recipient_unreachable')).toEqual([messages[2]?.id])
    expect(await found('code=customer_window_closed')).toEqual([refused])
    expect(await found('code=recipient-unreachable')).toEqual([])
    expect(await found('code=%25')).toEqual([])
    const since = new Date(world.clock.now() - 150_000).toISOString()
    expect(await found(`since=${since}`)).toEqual([messages[0]?.id, refused, messages[1]?.id])
  })

  test('goes on with the next page although "the last hour" began later meanwhile', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { messages } = await seedMessages(world)
    const since = (minutes: number) => new Date(world.clock.now() - minutes * 60_000).toISOString()
    const first = (await owner.call('GET', `/messages?limit=2&since=${since(10)}`)).json.data
    const next = `/messages?limit=2&since=${since(9)}&cursor=${first.pagination.next_cursor}`
    const { data } = (await owner.call('GET', next)).json
    expect(data.entries.map(({ id }: { id: string }) => id)).toEqual([messages[2]?.id, messages[3]?.id])
  })

  test('is taken away as a file that hides what the list hides', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    await seedMessages(world)
    const file = async ({ cookie }: Visitor, query = '') => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      return (await fetch(`${world.url}/console/api/exports/messages${query}`, { headers })).text()
    }
    const [whole, masked] = [await file(owner), await file(developer)]
    expect(whole.split('\r\n')).toHaveLength(6)
    for (const word of ["'+351912345678", 'Is it on its way', 'Bruno Dias']) {
      expect(whole).toContain(word)
      expect(masked).not.toContain(word)
    }
    expect(masked).toContain("'+3519•••••678")
    expect((await file(owner, '?code=recipient_unreachable')).split('\r\n')).toHaveLength(3)
  })

  test('shows people to those who work with them, and hides them from others', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const { messages } = await seedMessages(world)
    const id = messages[3]?.id ?? ''
    const pages = async (visitor: Visitor) =>
      JSON.stringify([
        (await visitor.call('GET', '/messages')).json,
        (await visitor.call('GET', `/messages/${id}`)).json,
      ])
    const [whole, masked] = [await pages(owner), await pages(developer)]
    for (const word of ['+351912345678', 'Is it on its way', 'Bruno Dias']) {
      expect(whole).toContain(word)
      expect(masked).not.toContain(word)
    }
    expect(masked).toContain('+3519•••••678')
    expect((await developer.call('GET', '/media/med_none/content')).status).toBe(403)
  })

  test('explains a failure: what, why, and what to do', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { messages } = await seedMessages(world)
    const { data } = (await owner.call('GET', `/messages/${messages[2]?.id}`)).json
    expect(data.failure).toMatchObject({
      code: 'recipient_unreachable',
      why: 'Message undeliverable',
      help: expect.stringContaining('Check the number'),
      upstream_code: 131026,
    })
    expect(data.request).toEqual({
      path: '/v1/chat/messages/send',
      body: { to: '+351912345678', message: 'Thanks! Your code is 1234' },
    })
  })
})

describe.each(engines)('a message sent by hand on %s', (engine) => {
  test('takes from the plan as a call of the API does', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const now = world.clock.now()
    const unit = new Unit()
    unit.add(saveQuota, {
      account_id: world.accountId,
      hour_start: now - (now % 3_600_000),
      hour_used: 999,
      day_start: now - (now % 86_400_000),
      day_used: 999,
    })
    await world.rt.store.write(unit)
    const body = { to: '+12025550100', message: 'Hello' }
    const last = await owner.call('POST', '/messages/send', body)
    expect([last.json.error.code, last.headers.get('x-ratelimit-remaining')]).toEqual(['channel_not_connected', '0'])
    const tries = [
      await owner.call('POST', '/messages/send', body),
      await owner.call('POST', '/messages/template', { to: body.to, template: 'order_confirmation' }),
      await owner.call('POST', '/messages/media', { to: body.to, type: 'image', media_id: 'med_1' }),
      await owner.call('POST', '/messages/interactive', { to: body.to }),
      await owner.call('POST', '/messages/none/again', {}),
      await owner.call('POST', '/media', {}, { 'content-type': 'multipart/form-data; boundary=x' }),
    ]
    for (const { status, json, headers } of tries) {
      expect([status, json.error.code]).toEqual([429, 'rate_limit_exceeded'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await owner.call('GET', '/limits')).json.data.hour).toMatchObject({ quota: 1_000, used: 1_000 })
  })

  test('costs nothing when it fails on our side', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { store } = world.rt
    const broken: Store = {
      ...store,
      read: (query, params) =>
        query.name === 'numbers.connected' ? Promise.reject(new Error('broken')) : store.read(query, params),
    }
    Object.assign(world.rt, { store: broken })
    onTestFinished(() => void Object.assign(world.rt, { store }))
    const used = async () => (await owner.call('GET', '/limits')).json.data.hour.used
    expect((await owner.call('POST', '/messages/send', { to: '+12025550100', message: 'Hello' })).status).toBe(500)
    await waitFor(async () => (await used()) === 0)
    expect(await used()).toBe(0)
  })

  test('never carries what is hidden to another phone', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const { messages } = await seedMessages(world)
    // A customer wrote it, so it is not sent again for anybody.
    const path = `/messages/${messages[3]?.id}/again`
    const to = '+12025550199'
    const refused = await developer.call('POST', path, { to })
    expect(refused.json.error).toMatchObject({ status: 403, code: 'insufficient_role', required_scope: 'pii:read' })
    expect((await developer.call('POST', path, {})).json.error.code).toBe('message_not_resendable')
    expect((await owner.call('POST', path, { to })).json.error.code).toBe('message_not_resendable')
  })
})

describe('a member who does not see people’s data', () => {
  const refusal = ({ status, json }: { status: number; json: { error: Record<string, unknown> | null } }) => [
    status,
    json.error?.code,
    json.error?.required_scope,
  ]
  const barred = [403, 'insufficient_role', 'pii:read']
  const aKey = (scopes: string[]) => ({ name: 'Till', scopes, expires_at: null, allowed_ips: null })

  test('makes no key that reads messages or media, and neither widens nor rotates one', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    for (const scope of ['messages:read', 'media:read']) {
      expect(refusal(await developer.call('POST', '/keys', aKey(['messages:send', scope])))).toEqual(barred)
    }
    const { key: own } = (await developer.call('POST', '/keys', aKey(['messages:send']))).json.data
    expect(
      refusal(await developer.call('PUT', `/keys/${own.id}`, { name: 'Till', scopes: ['messages:read'] })),
    ).toEqual(barred)
    const { key } = (await owner.call('POST', '/keys', aKey(['messages:read']))).json.data
    expect(refusal(await developer.call('POST', `/keys/${key.id}/rotate`))).toEqual(barred)
    const freed = { name: 'Desk', scopes: ['messages:read'], allowed_ips: ['192.0.2.1'] }
    expect(refusal(await developer.call('PUT', `/keys/${key.id}`, freed))).toEqual(barred)
    const renamed = await developer.call('PUT', `/keys/${key.id}`, { name: 'Desk', scopes: ['messages:read'] })
    expect(renamed.json.data.name).toBe('Desk')
  })

  test('has people delivered nowhere new: its webhooks are masked, and so are those it sends elsewhere', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const url = 'https://receiver.test/hook'
    const own = (await developer.call('POST', '/webhooks', { url, events: ['message.received'] })).json.data
    expect((await owner.call('GET', `/webhooks/${own.id}`)).json.data.webhook.masked).toBe(true)
    const { id } = (await owner.call('POST', '/webhooks', { url, events: ['message.read'] })).json.data
    const described = await developer.call('PUT', `/webhooks/${id}`, { description: 'Shop' })
    expect(described.json.data.masked).toBe(false)
    const widened = await developer.call('PUT', `/webhooks/${id}`, { events: ['message.received'] })
    expect(widened.json.data.masked).toBe(true)
    expect((await owner.call('PUT', `/webhooks/${id}`, { url })).json.data.masked).toBe(false)
    const moved = await developer.call('PUT', `/webhooks/${id}`, { url: 'https://elsewhere.test/hook' })
    expect(moved.json.data.masked).toBe(true)
  })

  test('finds no message by a phone number', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const { messages } = await seedMessages(world)
    const [message] = (await owner.call('GET', '/messages')).json.data.entries.filter(
      ({ customer }: { customer: string | null }) => customer !== null,
    )
    const found = async (who: typeof owner, text: string) =>
      (await who.call('GET', `/messages?search=${encodeURIComponent(text)}`)).json.data.entries.length
    expect(await found(owner, message.customer)).toBeGreaterThan(0)
    expect(await found(developer, message.customer)).toBe(0)
    expect(await found(developer, messages[0]?.id ?? '')).toBe(1)
  })
})

describe('a number of the real platform', () => {
  test('has no phone that anybody could play', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const { numberId } = await seedMessages(world)
    const act = { kind: 'text', text: 'Hello' }
    const body = { number_id: numberId, customer: '+351912345678', act }
    expect((await owner.call('GET', '/sandbox/numbers')).json.data.numbers).toEqual([])
    expect((await owner.call('POST', '/sandbox/inbound', body)).json.error.code).toBe('channel_not_found')
    expect(
      (await owner.call('POST', '/sandbox/window', { number_id: numberId, customer: '+351912345678', state: 'closed' }))
        .json.error.code,
    ).toBe('channel_not_found')
  })
})

describe('webhooks in the console', () => {
  test('leave a line for every change, and never show a secret', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    await allowLoopback(world)
    const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='
    const created = (await owner.call('POST', '/webhooks', { url: 'https://localhost/x', events: ['*'], secret })).json
    const { id } = created.data
    await owner.call('PUT', `/webhooks/${id}`, { description: 'Orders' })
    const rotated = (await owner.call('POST', `/webhooks/${id}/rotate-secret`, {})).json.data
    expect(rotated.secret).toMatch(/^whsec_/)
    const everything = await Promise.all(
      ['/webhooks', `/webhooks/${id}`, '/audit'].map((path) => owner.call('GET', path)),
    )
    const text = JSON.stringify(everything.map(({ json }) => json)) + world.logLines.join('\n')
    for (const hidden of [secret, rotated.secret]) expect(text).not.toContain(hidden)
    await owner.call('DELETE', `/webhooks/${id}`)
    const { entries } = (await owner.call('GET', '/audit?limit=4')).json.data
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.updated',
      'webhook.created',
    ])
    expect(await verifyAudit(world.rt, world.accountId)).toMatchObject({ ok: true })
  })
})

/** The names of the operations in every unit that was written from now on. */
function watchUnits(world: ConsoleWorld): string[][] {
  const units: string[][] = []
  const { store } = world.rt
  const watched: Store = {
    ...store,
    write(unit) {
      units.push(unit.calls.map(({ operation }) => operation.name))
      return store.write(unit)
    },
  }
  Object.assign(world.rt, { store: watched })
  onTestFinished(() => void Object.assign(world.rt, { store }))
  return units
}

describe.each(engines)('a change of a person on %s', (engine) => {
  test('and its line are one unit: of a webhook', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await allowLoopback(world)
    const units = watchUnits(world)
    const { id } = (await owner.call('POST', '/webhooks', { url: 'https://localhost/x', events: ['*'] })).json.data
    await owner.call('PUT', `/webhooks/${id}`, { description: 'Orders' })
    await owner.call('POST', `/webhooks/${id}/rotate-secret`, {})
    const since = new Date(world.clock.now() - 60_000).toISOString()
    expect((await owner.call('POST', `/webhooks/${id}/replay`, { since })).status).toBe(200)
    expect((await owner.call('DELETE', `/webhooks/${id}`)).status).toBe(200)
    const changes = units.filter((names) => names.some((name) => /^webhook/.test(name)))
    expect(changes.map((names) => [names[0], names.includes('audit_log.append')])).toEqual([
      ['webhooks.take_place', true],
      ['webhooks.update', true],
      ['webhooks.update', true],
      ['webhook_states.begin_replay', true],
      ['webhooks.delete', true],
    ])
    const { entries } = (await owner.call('GET', '/audit?limit=2')).json.data
    expect(entries[1]).toMatchObject({ action: 'webhook.replayed', metadata: { since, matched: 0 } })
  })

  test('and its line are one unit: of a template', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await seedNumber(world.rt, world.accountId, 'connected')
    const units = watchUnits(world)
    const draft = { name: 'late_train', body: 'Your train is late.', submit: false }
    const created = await owner.call('POST', '/templates', draft)
    expect(created.status).toBe(201)
    const { id } = created.json.data
    const edit = { body: 'Your train is very late.', submit: false }
    expect((await owner.call('PUT', `/templates/${id}`, edit)).status).toBe(200)
    expect((await owner.call('PUT', `/templates/${id}`, edit)).status).toBe(200)
    expect((await owner.call('DELETE', `/templates/${id}`)).status).toBe(200)
    const changes = units.filter((names) => names.some((name) => /^template/.test(name)))
    expect(changes.map((names) => [names[0], names.includes('audit_log.append')])).toEqual([
      ['templates.insert', true],
      ['templates.update', true],
      ['templates.update', true],
    ])
    const { entries } = (await owner.call('GET', '/audit?action=template')).json.data
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'template.deleted',
      'template.edited',
      'template.created',
    ])
    expect(await verifyAudit(world.rt, world.accountId)).toMatchObject({ ok: true })
  })
})

describe('what could be used to trouble others', () => {
  test('webhook tests and challenges are ten a minute, together, by API and console', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    await allowLoopback(world)
    const { id } = await registerWebhook(world.rt, world.accountId, { url: 'https://localhost/x', events: ['*'] })
    for (let tests = 0; tests < 5; tests++) {
      const { json } = await owner.call('POST', `/webhooks/${id}/test`, { type: 'message.sent' })
      expect(json.error.code).toBe('webhook_verification_failed')
      await expect(verifyWebhook(world.rt, world.accountId, id)).rejects.toMatchObject({
        code: 'webhook_verification_failed',
      })
    }
    const limited = { code: 'rate_limit_exceeded', extras: { retryAfterSeconds: 6 } }
    await expect(testWebhook(world.rt, world.accountId, id, 'message.sent')).rejects.toMatchObject(limited)
    for (const path of ['test', 'verify']) {
      const body = path === 'test' ? { type: 'message.sent' } : undefined
      const { status, json, headers } = await owner.call('POST', `/webhooks/${id}/${path}`, body)
      expect([status, json.error.code, headers.get('retry-after')]).toEqual([429, 'rate_limit_exceeded', '6'])
    }
    const other = (await createAccount(world.rt, { name: 'Other', plan: 'free', actor: operator })).account.id
    await allowLoopback(world, other)
    const theirs = await registerWebhook(world.rt, other, { url: 'https://localhost/x', events: ['*'] })
    await expect(verifyWebhook(world.rt, other, theirs.id)).rejects.toMatchObject({
      code: 'webhook_verification_failed',
    })
    world.clock.advance(6_000)
    expect((await owner.call('POST', `/webhooks/${id}/verify`)).json.error.code).toBe('webhook_verification_failed')
  })

  test('templates are ten a minute, from programs and people together', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    await seedNumber(world.rt, world.accountId, 'connected')
    const program = { accountId: world.accountId, phoneNumberIds: null }
    const draft = (number: number) => ({ name: `train_${number}`, body: 'Your train is late.', submit: false })
    for (let number = 0; number < 9; number++) await createTemplate(world.rt, program, draft(number))
    expect((await owner.call('POST', '/templates', draft(9))).status).toBe(201)
    const refused = await owner.call('POST', '/templates', draft(10))
    expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      '6',
    ])
    await expect(createTemplate(world.rt, program, draft(10))).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
  })
})

describe('the SANDBOX mark of an account', () => {
  test('follows the kind of its channel, not the settings of the gateway', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const marked = async () => (await owner.call('GET', '/session')).json.data.account.sandbox
    const choose = (id: string) =>
      setDefaultNumber(world.rt, { accountId: world.accountId, numberId: id, actor: operator })
    expect(await marked()).toBe(false)
    const { numberId } = await seedNumber(world.rt, world.accountId, 'connected', 'sandbox')
    expect(await marked()).toBe(true)
    const real = await seedNumber(world.rt, world.accountId)
    await choose(real.numberId)
    expect(await marked()).toBe(false)
    world.clock.advance(1)
    await choose(numberId)
    expect(await marked()).toBe(true)
  })
})

const people = { phone: '+351912345678', user_id: null, customer_name: null }

/** Four messages a minute apart, newest first, of a number at the real platform. */
async function seedMessages({ rt, accountId }: ConsoleWorld) {
  const { numberId } = await seedNumber(rt, accountId)
  const now = rt.clock.now()
  const customerId = rt.newId('cus')
  const message = (minutes: number, change: Partial<MessageRow>) =>
    newMessage({
      direction: 'outbound',
      type: 'text',
      status: 'sent',
      ...people,
      customer_id: customerId,
      id: rt.newId('out'),
      account_id: accountId,
      number_id: numberId,
      api_key_id: 'key_1',
      history: `[${ownStep('queued', now)}]`,
      created_at: now - minutes * 60_000,
      ...change,
    })
  const error = {
    code: 'recipient_unreachable',
    message: 'No.',
    retryable: false,
    upstream: { code: 131026, title: 'Message undeliverable', detail: null, trace_id: null },
  }
  const messages = [
    message(1, { client_reference: 'order-A-1001', content: JSON.stringify({ text: 'Hello' }) }),
    message(2, { type: 'template', template: 'order_confirmation', language: 'en_US', content: null }),
    message(3, {
      status: 'failed',
      error: JSON.stringify(error),
      content: JSON.stringify({ text: 'Thanks! Your code is 1234' }),
    }),
    message(4, {
      direction: 'inbound',
      status: 'received',
      customer_name: 'Bruno Dias',
      content: JSON.stringify({ text: 'Is it on its way?' }),
    }),
  ]
  const unit = new Unit()
  unit.add(insertMessage, ...messages)
  unit.add(insertCustomer, { id: customerId, account_id: accountId, active_at: now, created_at: now })
  const { phone } = people
  const address = { account_id: accountId, address: phone, shown: phone, customer_id: customerId }
  unit.add(addAddress, { ...address, channel_id: null, linked_at: now, replaced_at: null })
  await rt.store.write(unit)
  return { messages, numberId }
}

/** One refusal before there was a message, whose id is returned, and one of the platform, which has a message. */
async function seedRefusals({ rt, accountId }: ConsoleWorld): Promise<string> {
  const now = rt.clock.now()
  const call = { account_id: accountId, key_id: 'key_1', method: 'POST', status: 400, duration_ms: 40 }
  const request = { ...call, body: null, path: null, answer: null }
  const route = '/v1/chat/messages/send'
  const refused = rt.newId('req')
  const unit = new Unit()
  unit.add(
    insertRequests,
    { ...request, id: refused, at: now - 90_000, route, code: 'customer_window_closed' },
    { ...request, id: rt.newId('req'), at: now - 180_010, route, code: 'recipient_unreachable' },
    { ...request, id: rt.newId('req'), at: now - 1_000, route: '/v1/webhooks', code: 'validation_failed' },
  )
  await rt.store.write(unit)
  return refused
}

/** Accounts with a number in the sandbox may have their receiver on this machine. */
function allowLoopback({ rt, accountId }: ConsoleWorld, forAccount = accountId) {
  return seedNumber(rt, forAccount, 'connected', 'sandbox')
}
