import { createHash, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Dialect, Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Secrets } from '../../lib/secrets.ts'
import type { Engine } from './dialect.ts'

/** The end of a page: the sort key of its last row. */
export type Position = readonly (string | number)[]

/** The list a cursor belongs to, with its account; objects in it are the caller's filters, by the names the caller uses. */
export type BoundTo = readonly (string | Readonly<Record<string, unknown>>)[]

export type Opened = { position: Position; expiresAt: number }

/** `filters`: names of the filters that differ from those of the page before. */
export type Refused = { refused: 'unknown' | 'expired' | 'filters'; filters: string[] }

export type Cursors = {
  seal(position: Position, boundTo: BoundTo, options?: { lifeMs?: number }): string
  open(cursor: string, boundTo: BoundTo): Opened | Refused
}

type Payload = [position: Position, list: string, expiresAt: number, filters: Record<string, string>]

const macBytes = 16

/**
 * Opaque page marks. They are signed, so nobody can step outside a list, and carry hashes of the account and of each
 * filter, so a cursor used with other filters is rejected with their names instead of giving a page that makes no sense.
 */
export function createCursors(secrets: Secrets, clock: Clock): Cursors {
  return {
    seal(position, boundTo, { lifeMs = dayMs } = {}) {
      const content: Payload = [position, listHash(boundTo), clock.now() + lifeMs, filterHashes(boundTo)]
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `c1.${payload}.${sign(payload).toString('base64url')}`
    },
    open(cursor, boundTo) {
      const [version, payload = '', mac = ''] = cursor.split('.')
      const given = Buffer.from(mac, 'base64url')
      if (version !== 'c1' || given.length !== macBytes || !timingSafeEqual(given, sign(payload))) {
        return { refused: 'unknown', filters: [] }
      }
      const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload
      const [position, list, expiresAt, made] = content
      if (list !== listHash(boundTo)) return { refused: 'unknown', filters: [] }
      if (expiresAt <= clock.now()) return { refused: 'expired', filters: [] }
      const asked = filterHashes(boundTo)
      const filters = [...new Set([...Object.keys(made), ...Object.keys(asked)])].filter(
        (name) => made[name] !== asked[name],
      )
      return filters.length > 0 ? { refused: 'filters', filters } : { position, expiresAt }
    },
  }

  function sign(payload: string): Buffer {
    return secrets.mac('cursor', payload).subarray(0, macBytes)
  }
}

function listHash(boundTo: BoundTo): string {
  return hashOf(boundTo.filter((part) => typeof part === 'string')).slice(0, 16)
}

/** Per filter that is set. The hashes are short: they only compare a caller's own filters, and make the cursor long. */
function filterHashes(boundTo: BoundTo): Record<string, string> {
  const filters = boundTo.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part)))
  const set = filters.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(set.map(([name, value]) => [name, hashOf(value).slice(0, 8)]))
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/**
 * Kysely as a compiler only: it turns a list with many optional filters into text and parameters, and the store runs
 * them. It gets no driver, because its SQLite driver over `node:sqlite` loses results.
 */
export function listCompiler<Tables>(engine: Engine): Kysely<Tables> {
  const { Kysely, DummyDriver, ...library } = kysely()
  const dialects: Record<Engine, Omit<Dialect, 'createDriver'>> = {
    sqlite: {
      createAdapter: () => new library.SqliteAdapter(),
      createIntrospector: (db) => new library.SqliteIntrospector(db),
      createQueryCompiler: () => new library.SqliteQueryCompiler(),
    },
    postgres: {
      createAdapter: () => new library.PostgresAdapter(),
      createIntrospector: (db) => new library.PostgresIntrospector(db),
      createQueryCompiler: () => new library.PostgresQueryCompiler(),
    },
  }
  return new Kysely<Tables>({ dialect: { ...dialects[engine], createDriver: () => new DummyDriver() } })
}

/** Loaded by the first list: its 255 files would take 150 ms and 20 MB of every start. */
export function kysely(): typeof import('kysely') {
  loaded ??= createRequire(import.meta.url)('kysely') as typeof import('kysely')
  return loaded
}

let loaded: typeof import('kysely') | undefined
