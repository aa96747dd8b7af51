import type { ConnectionOptions, Tool } from '../contract/connections.ts'
import type { ConnectionHealth } from '../contract/console/connections.ts'
import { dayMs } from '../lib/durations.ts'

export type Standing = {
  tool: Tool
  status: 'active' | 'revoked' | 'expired'
  numbers: readonly unknown[]
  scopes: readonly string[]
  options: Pick<ConnectionOptions, 'hosts'>
  callback: { state: string; problem: string | null; last_delivered_at: string | null } | null
  last_used_at: string | null
}

/** What a person has to know of a connection, the worst first; one good sentence where there is nothing to do. */
export function healthOf(standing: Standing, now: number): ConnectionHealth[] {
  const found = [...tokenHealth(standing), ...callbackHealth(standing), ...useHealth(standing, now)]
  if (found.length === 0) return [{ tone: 'ok', sentence: isQuiet(standing, now) ? quiet : working }]
  const rank = ['error', 'warn', 'info', 'ok']
  return found.sort((a, b) => rank.indexOf(a.tone) - rank.indexOf(b.tone))
}

const working = 'The tool sends, and accepts its callbacks.'
const quiet = 'Ready. There were no calls and no callbacks in the last 24 hours.'

function isQuiet({ last_used_at: at }: Standing, now: number): boolean {
  return at === null || now - Date.parse(at) >= dayMs
}

function* tokenHealth({ status, numbers }: Standing): Generator<ConnectionHealth> {
  if (status === 'revoked') yield { tone: 'error', sentence: 'The token was revoked. Create a new connection.' }
  if (status === 'expired') yield { tone: 'error', sentence: 'The token has expired. Create a new connection.' }
  if (numbers.length === 0) {
    yield { tone: 'error', sentence: 'None of its numbers is connected any more: the tool can send nothing.' }
  }
}

function* callbackHealth({ callback, scopes, options }: Standing): Generator<ConnectionHealth> {
  if (!callback) {
    const setsItself = scopes.includes('webhooks:write')
    const sentence =
      setsItself && options.hosts.length > 0
        ? 'The tool has not set an address for its callbacks yet: it hears nothing.'
        : 'There is no address for callbacks: the tool hears nothing.'
    return yield { tone: 'warn', sentence }
  }
  const { state, problem } = callback
  if (state === 'unverified') {
    yield {
      tone: 'error',
      sentence: `The address has not passed the handshake: nothing is sent there. ${problem ?? ''}`.trim(),
    }
  }
  if (state === 'paused') {
    yield { tone: 'info', sentence: 'Callbacks are paused. What the tool misses can be replayed after you resume.' }
  }
  if (state === 'failing') {
    yield { tone: 'error', sentence: 'The tool does not accept callbacks. Open a delivery to see its response.' }
  }
  if (state === 'gone') {
    yield { tone: 'error', sentence: 'The address responded with 410, which stops callbacks. Set a new address.' }
  }
}

function* useHealth(standing: Standing, now: number): Generator<ConnectionHealth> {
  const { tool, status, callback, last_used_at: usedAt } = standing
  if (status !== 'active') return
  if (!isQuiet(standing, now)) return
  const heardAt = callback?.last_delivered_at ?? null
  const hears = callback?.state === 'active' && heardAt !== null && now - Date.parse(heardAt) < dayMs
  if (hears && tool === 'chatwoot') {
    const sentence =
      'Chatwoot accepts callbacks and has sent nothing for 24 hours: its inbox may be waiting for step 3.'
    yield { tone: 'warn', sentence }
  } else if (usedAt === null) {
    yield { tone: 'info', sentence: 'The tool has not called yet. Follow the steps below.' }
  } else if (hears) {
    yield { tone: 'info', sentence: 'The tool accepts callbacks and has called nothing for 24 hours.' }
  }
}
