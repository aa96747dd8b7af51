import { newPublicKey } from '../../../server/src/access/keys/credentials.ts'
import { scopePresets } from '../../../server/src/contract/scopes.ts'
import { dayMs, hourMs, minuteMs } from '../../../server/src/lib/durations.ts'
import { addUser } from '../../../server/src/people/create-user.ts'
import type { Runtime } from '../../../server/src/runtime.ts'
import { type ApiKeyRow, insertApiKey } from '../../../server/src/store/accounts/api-keys.ts'
import { addUsage, saveQuota } from '../../../server/src/store/accounts/quotas.ts'
import { insertRequests, type RequestLogRow } from '../../../server/src/store/accounts/request-log.ts'
import { connectedNumbers } from '../../../server/src/store/channels/numbers.ts'
import { saveTier } from '../../../server/src/store/costs/volume-tiers.ts'
import { Unit } from '../../../server/src/store/engine/unit.ts'

export type Seeded = { keys: ApiKeyRow[]; requests: RequestLogRow[] }

/** A month in the life of a small shop: keys, people, requests and use, the same every time. */
export async function seedConsole(
  rt: Runtime,
  accountId: string,
  ownerId: string,
  domain = 'acme.example',
): Promise<Seeded> {
  const now = rt.clock.now()
  const keys = seededKeys(rt, accountId, ownerId, now)
  const requests = seededRequests(rt, accountId, keys, now)
  const unit = new Unit()
  unit.add(insertApiKey, ...keys)
  unit.add(insertRequests, ...requests)
  for (const person of seededPeople(rt, accountId, domain, now)) addUser(unit, person)
  for (const { channel_id } of (await rt.store.read(connectedNumbers, { account_id: accountId })).slice(0, 1)) {
    const month = new Date(now).toISOString().slice(0, 7)
    const place = { account_id: accountId, channel_id, month, since: now - dayMs }
    unit.add(saveTier, { ...place, category: 'utility', region: 'Rest of Western Europe', tier: '250001:2000000' })
  }
  unit.add(addUsage, ...seededUsage(accountId, now))
  unit.add(saveQuota, {
    account_id: accountId,
    hour_start: now - (now % hourMs),
    hour_used: 37,
    day_start: now - (now % dayMs),
    day_used: 412,
  })
  await rt.store.write(unit)
  return { keys, requests }
}

function seededKeys(rt: Runtime, accountId: string, ownerId: string, now: number): ApiKeyRow[] {
  const key = (name: string, change: Partial<ApiKeyRow>): ApiKeyRow => ({
    id: rt.newId('key'),
    account_id: accountId,
    kind: 'key',
    public_key: newPublicKey(),
    name,
    scopes: JSON.stringify(scopePresets.full),
    status: 'active',
    epoch: 1,
    secret_mac: 'none',
    previous_secret_mac: null,
    previous_secret_until: null,
    expires_at: null,
    allowed_ips: null,
    phone_number_ids: null,
    created_by: ownerId,
    created_at: now - 43 * dayMs,
    last_used_at: null,
    last_used_ip: null,
    revision: 1,
    ...change,
  })
  return [
    key('Old till', { status: 'revoked', last_used_at: now - 12 * dayMs, last_used_ip: '198.51.100.4' }),
    key('Reporting', {
      scopes: JSON.stringify(scopePresets.read_only),
      created_at: now - 37 * dayMs,
      last_used_at: now - 41 * dayMs,
    }),
    key('Warehouse', {
      scopes: JSON.stringify(['messages:send', 'messages:read', 'webhooks:read']),
      created_at: now - 20 * dayMs,
      last_used_at: now - 3 * hourMs,
      last_used_ip: '203.0.113.20',
      previous_secret_until: now + 20 * hourMs,
    }),
    key('Checkout service', {
      scopes: JSON.stringify(scopePresets.send_only),
      created_at: now - 6 * dayMs,
      last_used_at: now - 2 * minuteMs,
      last_used_ip: '203.0.113.7',
    }),
  ]
}

const calls: readonly [method: string, route: string, status: number, code: string | null, durationMs: number][] = [
  ['POST', '/v1/chat/messages/template', 200, null, 112],
  ['POST', '/v1/chat/messages/send', 400, 'customer_window_closed', 9],
  ['POST', '/v1/chat/messages/template', 404, 'template_not_found', 6],
  ['POST', '/v1/chat/messages/send', 200, null, 98],
  ['GET', '/v1/chat/templates', 403, 'insufficient_scope', 2],
  ['POST', '/v1/auth/token', 401, 'invalid_credentials', 4],
  ['POST', '/v1/chat/messages/send', 429, 'rate_limit_exceeded', 1],
  ['POST', '/v1/chat/messages/media', 500, 'upstream_unavailable', 15_004],
]

function seededRequests(rt: Runtime, accountId: string, keys: ApiKeyRow[], now: number): RequestLogRow[] {
  return Array.from({ length: 60 }, (_, index) => {
    const [method, route, status, code, duration_ms] = calls[index % calls.length] ?? [
      'GET',
      '/v1/auth/me',
      200,
      null,
      3,
    ]
    const body = code ? JSON.stringify({ to: '+351912345678', message: '[removed]' }) : null
    const key_id = keys[(index % 3) + 1]?.id ?? null
    const at = now - index * 7 * minuteMs - 20_000
    const call = { id: rt.newId('req'), account_id: accountId, key_id, at, method, route, status, code, duration_ms }
    return { ...call, body, path: null, answer: null }
  })
}

function seededPeople(rt: Runtime, accountId: string, domain: string, now: number) {
  const person = (name: string, email: string, role: string, joined: boolean) => ({
    id: rt.newId('usr'),
    account_id: accountId,
    person_id: rt.newId('per'),
    email,
    name,
    role,
    password_hash: joined ? 'none' : null,
    joined_at: joined ? now - 10 * dayMs : null,
    created_at: now - 10 * dayMs,
    updated_at: now,
  })
  return [
    person('Bruno Dias', `bruno@${domain}`, 'developer', true),
    person('Chloé Martin', `chloe@${domain}`, 'support', true),
    person('Dev Patel', `dev@${domain}`, 'viewer', false),
  ]
}

/** Busy by day, quiet by night, and less on Sundays. */
export function seededUsage(accountId: string, now: number) {
  const thisHour = now - (now % hourMs)
  return Array.from({ length: 30 * 24 }, (_, index) => {
    const start = thisHour - index * hourMs
    const hour = new Date(start).getUTCHours()
    const sunday = new Date(start).getUTCDay() === 0 ? 0.4 : 1
    const wave = Math.max(0, Math.sin(((hour - 5) / 17) * Math.PI))
    return { account_id: accountId, hour_start: start, used: Math.round((wave * 58 + (index % 7)) * sunday) }
  })
}
