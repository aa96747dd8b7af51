import type { FastifyRequest } from 'fastify'
import { type Connection, connectionOfKey } from '../../connections/connection.ts'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'

const prefix = '/graph'
const version = /^\/v\d{1,3}(?:\.\d{1,2})?(?=\/|$)/

/**
 * Clients name versions from v13.0 to v26.0 or none, and end paths with a slash or not: one address for all of them. Meta is
 * called with the version of the gateway.
 */
export function plainGraphUrl(url: string): string {
  if (!url.startsWith(prefix)) return url
  const at = url.indexOf('?')
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)]
  // A base address that ends with a slash, and a path that begins with one.
  const below = path
    .slice(prefix.length)
    .replace(/\/{2,}/g, '/')
    .replace(version, '')
  if (below !== '' && !below.startsWith('/')) return url
  return `${prefix}${below.replace(/\/+$/, '') || '/'}${query}`
}

/** In place of an id: the app whose token it is. */
export const ownApp = 'app'

/** In the header, in the address or in a form: tools write it into all three. */
export function tokenOf(request: FastifyRequest): string | null {
  const [, bearer] = /^(?:bearer|oauth) +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
  return bearer ?? queryToken(request) ?? request.formToken
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Known once the body is read, which then has it no longer. */
    formToken: string | null
  }
}

export function queryToken({ query }: FastifyRequest): string | null {
  const given = isRecord(query) ? query.access_token : null
  return typeof given === 'string' && given !== '' ? given : null
}

export type ConnectionOf = (request: FastifyRequest) => Promise<Connection>

const rememberedMax = 1_000

/** The connection behind a request. What changes one changes the epoch of its key, which every request names. */
export function createConnectionMemory(rt: Runtime): ConnectionOf {
  const known = new Map<string, { epoch: number; connection: Connection }>()
  return async ({ checked }) => {
    if (!checked) throw new Error('This route has no access rule.')
    const { caller, epoch } = checked
    const last = known.get(caller.keyId)
    if (last?.epoch === epoch) return last.connection
    const connection = await connectionOfKey(rt, caller.keyId)
    if (!connection) throw new AppError('invalid_token', 'The connection of this token was deleted.')
    if (known.size >= rememberedMax) known.delete(known.keys().next().value ?? '')
    known.set(caller.keyId, { epoch, connection })
    return connection
  }
}
