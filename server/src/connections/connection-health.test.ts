import { expect, test } from 'vitest'
import { hourMs } from '../lib/durations.ts'
import { healthOf, type Standing } from './console-connections.ts'

const now = Date.parse('2026-11-18T12:00:00Z')
const ago = (hours: number) => new Date(now - hours * hourMs).toISOString()
const callback = { state: 'active', problem: null, last_delivered_at: ago(1) }
const working: Standing = {
  tool: 'generic',
  status: 'active',
  numbers: [{}],
  scopes: ['messages:send'],
  options: { hosts: [] },
  callback,
  last_used_at: ago(1),
}

test.each<[string, Partial<Standing>, string, RegExp]>([
  ['works', {}, 'ok', /^The tool sends, and accepts its callbacks/],
  ['has no address', { callback: null }, 'warn', /^There is no callback address/],
  [
    'has yet to set its address',
    { callback: null, scopes: ['webhooks:write'], options: { hosts: ['a'] } },
    'warn',
    /^The tool has not set/,
  ],
  [
    'has not passed',
    { callback: { ...callback, state: 'unverified', problem: 'Status 403.' } },
    'error',
    /handshake.*Status 403/,
  ],
  ['is paused', { callback: { ...callback, state: 'paused' } }, 'info', /paused/],
  ['fails', { callback: { ...callback, state: 'failing' } }, 'error', /does not accept/],
  ['is gone', { callback: { ...callback, state: 'gone' } }, 'error', /410/],
  ['is revoked', { status: 'revoked' }, 'error', /revoked/],
  ['has expired', { status: 'expired' }, 'error', /expired/],
  ['has no number', { numbers: [] }, 'error', /None of its numbers/],
  [
    'never called',
    { last_used_at: null, callback: { ...callback, last_delivered_at: null } },
    'info',
    /has not called yet/,
  ],
  ['hears and is silent', { last_used_at: ago(25) }, 'info', /made no calls for 24 hours/],
  ['is a deaf Chatwoot', { tool: 'chatwoot', last_used_at: ago(25) }, 'warn', /^Chatwoot accepts callbacks.*step 3/],
  [
    'neither hears nor calls',
    { last_used_at: ago(25), callback: { ...callback, last_delivered_at: ago(30) } },
    'ok',
    /^Ready\./,
  ],
])('a connection that %s says so', (_, part, tone, sentence) => {
  const [worst] = healthOf({ ...working, ...part }, now)
  expect(worst).toEqual({ tone, sentence: expect.stringMatching(sentence) })
})
