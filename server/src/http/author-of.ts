import type { FastifyRequest } from 'fastify'
import type { Author } from '../accounts/audit.ts'
import { keyAuthor } from '../accounts/key-author.ts'
import type { Runtime } from '../runtime.ts'
import { callerOf, contextOf } from './context.ts'

/** Who changes something through the API, for the audit log: the key, and where its request came from. */
export function authorOf(rt: Runtime, request: FastifyRequest): Promise<Author> {
  return keyAuthor(rt, callerOf(request), contextOf(request))
}
