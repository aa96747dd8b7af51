import type { FastifyRequest } from 'fastify'
import { keyAuthor } from '../../access/keys/key-author.ts'
import type { Author } from '../../audit/audit.ts'
import type { Runtime } from '../../runtime.ts'
import { callerOf, contextOf } from './context.ts'

/** Who changes something through the API, for the audit log: the key, and where its request came from. */
export function authorOf(rt: Runtime, request: FastifyRequest): Promise<Author> {
  return keyAuthor(rt, callerOf(request), contextOf(request))
}
