import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Secrets } from '../../lib/secrets.ts'

/** Where a page ended: the sort key of its last row. */
export type Position = readonly (string | number)[]

export type Cursors = {
  seal(position: Position, boundTo: unknown, options?: { lifeMs?: number }): string
  /** The position, or null when the cursor is not ours, is for other filters or another account, or is too old. */
  open(cursor: string, boundTo: unknown): Position | null
}

const macBytes = 16

/**
 * Opaque page marks. They are signed, so nobody can step outside a list, and carry a hash of account and filters, so a
 * cursor used with other filters is refused instead of giving a page that makes no sense.
 */
export function createCursors(secrets: Secrets, clock: Clock): Cursors {
  return {
    seal(position, boundTo, { lifeMs = dayMs } = {}) {
      const payload = Buffer.from(JSON.stringify([position, hashOf(boundTo), clock.now() + lifeMs])).toString(
        'base64url',
      )
      return `c1.${payload}.${sign(payload).toString('base64url')}`
    },
    open(cursor, boundTo) {
      const [version, payload = '', mac = ''] = cursor.split('.')
      const given = Buffer.from(mac, 'base64url')
      if (version !== 'c1' || given.length !== macBytes || !timingSafeEqual(given, sign(payload))) return null
      const [position, filters, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
        Position,
        string,
        number,
      ]
      return filters === hashOf(boundTo) && expiresAt > clock.now() ? position : null
    },
  }

  function sign(payload: string): Buffer {
    return secrets.mac('cursor', payload).subarray(0, macBytes)
  }
}

/** Filters come in the order in which a client wrote them, and mean the same in any. */
function hashOf(filters: unknown): string {
  const text = JSON.stringify(filters, (_, value: unknown) => (isRecord(value) ? sorted(value) : value))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
