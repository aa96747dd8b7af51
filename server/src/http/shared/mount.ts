import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { type Caller, seesCosts, seesPeople } from '../../access/caller.ts'
import { authorOf } from '../../access/console-member.ts'
import { keyAuthor } from '../../access/keys/api-key.ts'
import type { Author } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Action, actionSentences, mayDo } from '../../contract/console/roles.ts'
import { allows, type Scope } from '../../contract/scopes.ts'
import type { QuotaState } from '../../limits/quota.ts'
import type { Sender } from '../../messages/send/draft.ts'
import type { Runtime } from '../../runtime.ts'
import { callerOf, contextOf } from '../edge/context.ts'

/** The caller of a shared route: a program with an API key, or a person with a session. */
type Principal = Pick<Caller, 'accountId' | 'phoneNumberIds'> & {
  /** Named in the audit log. */
  author(): Promise<Author>
  /** Whether customers are shown to this caller, and delivered to the webhooks it makes. */
  seesPeople: boolean
  /** Whether amounts of money are shown to this caller. */
  seesCosts: boolean
  /** Whether this caller may do something else too. */
  may(scope: SharedScope): boolean
  /** Behind a message that is sent. */
  sender: Sender
  /** The quota that the request used. */
  quota: QuotaState
}

/** For a route that needs more than its own scope. */
export function requireAlso(principal: Principal, scope: SharedScope): void {
  if (principal.may(scope)) return
  if (principal.sender.keyId === null) {
    throw new AppError('insufficient_role', `Your role cannot ${actionSentences[scope]}.`, { requiredScope: scope })
  }
  const sentence = `The API key or its access token lacks the scope ${scope}, which this call needs too.`
  throw new AppError('insufficient_scope', sentence, { requiredScope: scope })
}

/** Routes that always show customers. */
export function requirePeople(principal: Principal): void {
  if (principal.seesPeople) return
  requireAlso(principal, 'messages:read')
  const sentence = `Your role cannot ${actionSentences['pii:read']}.`
  throw new AppError('insufficient_role', sentence, { requiredScope: 'pii:read' })
}

/** Permissions that exist both as a scope and in a role. */
type SharedScope = Scope & Action

type AccessOptions = {
  /** Asks a person for a password given in the last minutes. */
  recent?: boolean
  /** Honours the header of a program. */
  idempotent?: FastifyContextConfig['idempotent']
  /** Takes one request from the plan when a person calls it too; programs pay for every call. */
  charged?: boolean
  /** The first write of a program's request may decide about its key and quota. */
  decidedByWrite?: boolean
}

/** A mount of the shared routes, and its access rules. */
export type Mount = {
  /** Before `/webhooks`. */
  readonly root: string
  /** Before `/messages`, `/media`, `/templates` and `/analytics`. */
  readonly chat: string
  may(scope: SharedScope, options?: AccessOptions): FastifyContextConfig
  principalOf(rt: Runtime, request: FastifyRequest): Principal
}

export const apiMount: Mount = {
  root: '/v1',
  chat: '/v1/chat',
  may: (scope, { idempotent = false, decidedByWrite = false } = {}) => ({
    access: { scope },
    ...(idempotent ? { idempotent } : {}),
    ...(decidedByWrite ? { decidedByWrite } : {}),
  }),
  principalOf(rt, request) {
    const caller = callerOf(request)
    const { accountId, phoneNumberIds } = caller
    return {
      accountId,
      phoneNumberIds,
      author: () => keyAuthor(rt, caller, contextOf(request)),
      seesPeople: seesPeople(caller),
      seesCosts: seesCosts(caller),
      may: (scope) => allows(caller.scopes, scope),
      sender: caller,
      quota: request.checked?.quota ?? null,
    }
  },
}

export const consoleMount: Mount = {
  root: '/console/api',
  chat: '/console/api',
  may: (scope, { recent = false, charged = false } = {}) => ({
    console: scope,
    ...(recent ? { recent } : {}),
    ...(charged ? { takesQuota: true } : {}),
  }),
  principalOf(_rt, request) {
    const { member } = request
    if (!member) throw new Error('This route has no access rule.')
    return {
      accountId: member.accountId,
      phoneNumberIds: null,
      author: async () => authorOf(member),
      seesPeople: seesPeople(member),
      seesCosts: seesCosts(member),
      may: (action) => mayDo(member.role, action),
      sender: { accountId: member.accountId, phoneNumberIds: null, keyId: null, author: authorOf(member) },
      quota: request.taken,
    }
  },
}
