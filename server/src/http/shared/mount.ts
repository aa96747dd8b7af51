import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { authorOf as memberAuthor, personalDataRefused, seesPersonalData } from '../../access/console-member.ts'
import type { Author } from '../../audit/audit.ts'
import type { AppError } from '../../contract/app-error.ts'
import type { Action } from '../../contract/console/roles.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import { memberOf } from '../console/console-access.ts'
import { barredFromTexts } from '../edge/access.ts'
import { authorOf } from '../edge/author-of.ts'
import { callerOf } from '../edge/context.ts'

/** Who calls a shared route: a program with an API key, or a person with a session. */
export type Principal = Pick<Caller, 'accountId' | 'phoneNumberIds'> & {
  /** Named in the audit log. */
  author(): Promise<Author>
  /** Why this caller may not have customers' messages delivered; null when it may. */
  barredFromTexts: AppError | null
}

/** What a key's scope and a person's role both name. */
export type SharedScope = Scope & Action

/** Where routes that programs and people share are added, and who may call them there. */
export type Mount = {
  /** Before `/webhooks`. */
  readonly root: string
  /** Before `/templates` and `/analytics`. */
  readonly chat: string
  /** `recent` asks a person for a password given in the last minutes; `idempotent` honours the header of a program. */
  may(scope: SharedScope, options?: { recent?: boolean; idempotent?: boolean }): FastifyContextConfig
  principalOf(rt: Runtime, request: FastifyRequest): Principal
}

export const apiMount: Mount = {
  root: '/v1',
  chat: '/v1/chat',
  may: (scope, { idempotent = false } = {}) => ({ access: { scope }, ...(idempotent ? { idempotent } : {}) }),
  principalOf(rt, request) {
    const { accountId, phoneNumberIds } = callerOf(request)
    return {
      accountId,
      phoneNumberIds,
      author: () => authorOf(rt, request),
      barredFromTexts: barredFromTexts(request),
    }
  },
}

export const consoleMount: Mount = {
  root: '/console/api',
  chat: '/console/api',
  may: (scope, { recent = false } = {}) => ({ console: scope, ...(recent ? { recent } : {}) }),
  principalOf(_rt, request) {
    const member = memberOf(request)
    return {
      accountId: member.accountId,
      phoneNumberIds: null,
      author: async () => memberAuthor(member),
      barredFromTexts: seesPersonalData(member) ? null : personalDataRefused(member, 'have message.received delivered'),
    }
  },
}
