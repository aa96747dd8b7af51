import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { AppError } from '../../contract/app-error.ts'
import {
  AccountSwitch,
  ConfirmRequest,
  Done,
  OwnProfile,
  PasswordChange,
  Session,
  SessionList,
  SignInRequest,
} from '../../contract/console/people.ts'
import { mayDo } from '../../contract/console/roles.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import { describeSession } from '../../installation/account.ts'
import type { SignInLimit } from '../../limits/sign-in.ts'
import { changePassword, renameSelf } from '../../people/change-member.ts'
import {
  describeSessions,
  findMember,
  revokeOtherSessions,
  revokeSession,
  signOut,
  switchAccount,
} from '../../people/sessions.ts'
import { confirmPassword, signIn } from '../../people/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, contextOf, routesOf } from '../edge/context.ts'
import { attemptSource, rememberBrowser } from './browser/known-browser.ts'
import { clearSessionCookie, memberOf, setSessionCookie } from './console-access.ts'

const route = routesOf('Session')
const done = ok({ done: true as const })

/** Sign in and out, the session itself, and what belongs to the person: name, password, other sessions. */
export function addSessionRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  addSignInRoutes(app, rt, limit)
  addOwnRoutes(app, rt, limit)

  app.get(
    '/console/api/sessions',
    route({
      config: { console: 'signed-in' },
      operationId: 'listSessions',
      summary: 'Where people are signed in',
      description: 'All sessions of the account for users who manage members; for all others, only their own.',
      response: { 200: answer(ref(SessionList)) },
    }),
    async (request) => {
      const member = memberOf(request)
      return ok({ sessions: await describeSessions(rt, member, seesAll(member.role) ? 'all' : 'own') })
    },
  )

  app.delete(
    '/console/api/sessions/:session_id',
    route({
      config: { console: 'signed-in' },
      operationId: 'revokeSession',
      summary: 'Sign out one session',
      params: object({ session_id: Type.String({ maxLength: 64 }) }),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      const member = memberOf(request)
      const visible = await describeSessions(rt, member, seesAll(member.role) ? 'all' : 'own')
      if (!visible.some(({ id }) => id === request.params.session_id)) {
        throw new AppError('session_not_found', 'This session does not exist.')
      }
      await revokeSession(rt, member, request.params.session_id)
      return done
    },
  )

  app.post(
    '/console/api/sessions/revoke-others',
    route({
      config: { console: 'signed-in' },
      operationId: 'revokeOtherSessions',
      summary: 'Sign out everywhere else',
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await revokeOtherSessions(rt, memberOf(request))
      return done
    },
  )
}

function addSignInRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  app.post(
    '/console/api/sign-in',
    route({
      config: { console: 'public' },
      operationId: 'signIn',
      summary: 'Sign in with email and password, and the two-factor code',
      description: 'Without `code`, a person with two-factor sign-in gets `two_factor_required`.',
      body: ref(SignInRequest),
      response: { 200: answer(ref(Session)) },
    }),
    async (request, reply) => {
      const { email, password, code = null } = request.body
      const context = contextOf(request)
      const source = attemptSource(rt, request, email)
      const token = await signIn(rt, limit, { email, password, code, context, source, replaces: request.member })
      return enterSession(rt, request, reply, token)
    },
  )

  app.post(
    '/console/api/sign-out',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'signOut',
      summary: 'Sign out',
      response: { 200: answer(ref(Done)) },
    }),
    async (request, reply) => {
      await signOut(rt, memberOf(request))
      clearSessionCookie(reply)
      return done
    },
  )

  app.post(
    '/console/api/confirm',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'confirmPassword',
      summary: 'Confirm the password',
      description: 'Allows irreversible acts for 5 minutes.',
      body: ref(ConfirmRequest),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await confirmPassword(rt, limit, memberOf(request), request.body.password)
      return done
    },
  )
}

/** Answers who has just signed in; the browser has the session, and is known from now on. */
export async function enterSession(rt: Runtime, request: FastifyRequest, reply: FastifyReply, token: string) {
  setSessionCookie(reply, token)
  const member = await findMember(rt, token, contextOf(request))
  if (!member) throw new Error('A session that was just opened is gone.')
  rememberBrowser(rt, request, reply, member.email ?? '')
  return ok(await describeSession(rt, member))
}

function addOwnRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  app.post(
    '/console/api/session/account',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'switchAccount',
      summary: 'Continue in another account of yours',
      description: 'The session moves: other tabs that show the account before have to be reloaded.',
      body: ref(AccountSwitch),
      response: { 200: answer(ref(Session)) },
    }),
    async (request, reply) => {
      const token = await switchAccount(rt, memberOf(request), request.body.account_id)
      return enterSession(rt, request, reply, token)
    },
  )

  app.get(
    '/console/api/session',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'getSession',
      summary: 'Who is signed in, where, and what they may do',
      response: { 200: answer(ref(Session)) },
    }),
    async (request) => ok(await describeSession(rt, memberOf(request))),
  )

  app.put(
    '/console/api/me',
    route({
      config: { console: 'signed-in' },
      operationId: 'changeOwnName',
      summary: 'Change your name',
      body: ref(OwnProfile),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await renameSelf(rt, memberOf(request), request.body.name)
      return done
    },
  )

  app.put(
    '/console/api/me/password',
    route({
      config: { console: 'signed-in' },
      operationId: 'changeOwnPassword',
      summary: 'Change your password',
      description: 'Every other session of the person ends.',
      body: ref(PasswordChange),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      const { current_password: current, new_password: next } = request.body
      await changePassword(rt, limit, memberOf(request), { current, next })
      return done
    },
  )
}

const seesAll = (role: Parameters<typeof mayDo>[0]): boolean => mayDo(role, 'members:write')
