import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { AppError } from '../../../contract/app-error.ts'
import {
  Done,
  LinkStart,
  OidcAddress,
  OidcCode,
  OidcStart,
  Session,
  SetupEntry,
  SignInWays,
} from '../../../contract/console/people.ts'
import { answer, ok } from '../../../contract/envelope.ts'
import { ref } from '../../../contract/schema.ts'
import type { SignInLimit } from '../../../limits/sign-in.ts'
import { type Flow, OidcProblemError, proveFlow, startFlow } from '../../../people/provider/oidc-flow.ts'
import { describeWays, enterByOidc, enterWithCode, removeIdentity } from '../../../people/provider/oidc-sign-in.ts'
import { hashToken, newToken } from '../../../people/sessions.ts'
import { enterByLink } from '../../../people/setup-owner.ts'
import type { Runtime } from '../../../runtime.ts'
import { type App, contextOf, routesOf } from '../../edge/context.ts'
import { attemptSource } from '../browser/known-browser.ts'
import { cookieOf, hostCookie, memberOf, setSessionCookie } from '../console-access.ts'
import { enterSession } from '../session.ts'

const route = routesOf('Session')
const cookieName = '__Host-flow'
const cookieSeconds = 15 * 60
const done = ok({ done: true as const })

/** Sign-in by OpenID Connect: away to the provider, back with its reply, and for some a code of ours after it. */
export function addOidcRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  app.get(
    '/console/api/sign-in',
    route({
      config: { console: 'public' },
      operationId: 'describeSignIn',
      summary: 'How people sign in here',
      response: { 200: answer(ref(SignInWays)) },
    }),
    async () => ok(await describeWays(rt)),
  )

  app.post(
    '/console/api/oidc/start',
    route({
      config: { console: 'public' },
      operationId: 'startOidc',
      summary: 'Where to sign in at the provider',
      description: 'With the token of an invitation link, the person joins with the sign-in of the provider.',
      body: ref(OidcStart),
      response: { 200: answer(ref(OidcAddress)) },
    }),
    async (request, reply) => {
      const { token, return_to = '/' } = request.body
      const bound = token === undefined ? null : hashToken(token)
      const flow: Flow = { purpose: bound === null ? 'enter' : 'invite', bound, returnTo: ownPath(return_to) }
      return ok(await start(rt, flow, request, reply))
    },
  )

  for (const purpose of ['link', 'confirm'] as const) {
    app.post(
      `/console/api/oidc/${purpose}`,
      route({
        config: { console: 'signed-in', recent: purpose === 'link', beforeTwoFactor: purpose === 'confirm' },
        operationId: `${purpose}ByOidc`,
        summary: purpose === 'link' ? 'Link your sign-in at the provider' : 'Confirm at the provider who you are',
        body: ref(LinkStart),
        response: { 200: answer(ref(OidcAddress)) },
      }),
      async (request, reply) => {
        const bound = memberOf(request).sessionId
        return ok(await start(rt, { purpose, bound, returnTo: ownPath(request.body.return_to) }, request, reply))
      },
    )
  }

  app.delete(
    '/console/api/oidc/link',
    route({
      config: { console: 'signed-in', recent: true },
      operationId: 'unlinkOidc',
      summary: 'Remove the link to your sign-in at the provider',
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await removeIdentity(rt, memberOf(request))
      return done
    },
  )
  addReturns(app, rt, limit)
}

function addReturns(app: App, rt: Runtime, limit: SignInLimit): void {
  app.get(
    '/console/api/oidc/callback',
    route({
      config: { console: 'public', fromProvider: true },
      operationId: 'finishOidc',
      summary: 'Where the provider sends the browser back to',
      response: {
        default: Type.Null({ description: 'A redirect (303) to the console, also where nobody was signed in.' }),
      },
    }),
    async (request, reply) => {
      const browser = cookieOf(request, cookieName)
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
      try {
        const proven = await proveFlow(rt, query, browser)
        const asker = { browser: browser ?? '', context: contextOf(request), member: request.member }
        const entered = await enterByOidc(rt, proven, asker)
        if (entered.kind === 'session') setSessionCookie(reply, entered.token)
        return reply.redirect(entered.kind === 'code' ? '/?sign_in=code' : proven.returnTo, 303)
      } catch (error) {
        if (error instanceof OidcProblemError) return reply.redirect(`/?sign_in=${error.problem}`, 303)
        if (error instanceof AppError) return reply.redirect('/?sign_in=rejected', 303)
        throw error
      }
    },
  )

  app.post(
    '/console/api/oidc/code',
    route({
      config: { console: 'public' },
      operationId: 'finishOidcWithCode',
      summary: 'The two-factor code, after the provider',
      body: ref(OidcCode),
      response: { 200: answer(ref(Session)) },
    }),
    async (request, reply) => {
      const sourceOf = (email: string) => attemptSource(rt, request, email)
      const browser = cookieOf(request, cookieName) ?? ''
      const step = { browser, code: request.body.code, context: contextOf(request), sourceOf }
      const token = await enterWithCode(rt, limit, step).catch((error: unknown) => {
        if (!(error instanceof OidcProblemError)) throw error
        throw new AppError('invalid_credentials', 'This sign-in is no longer valid. Start again.')
      })
      return enterSession(rt, request, reply, token)
    },
  )

  app.post(
    '/console/api/setup/enter',
    route({
      config: { console: 'public' },
      operationId: 'enterByLink',
      summary: 'Sign in by a link of the operator',
      body: ref(SetupEntry),
      response: { 200: answer(ref(Session)) },
    }),
    async (request, reply) => {
      const { token, code = null } = request.body
      const source = (email: string) => attemptSource(rt, request, email)
      const session = await enterByLink(rt, limit, { token, code, context: contextOf(request), source })
      return enterSession(rt, request, reply, session)
    },
  )
}

/** The browser that goes is the one that has to come back: only it has this cookie. */
async function start(rt: Runtime, flow: Flow, request: FastifyRequest, reply: FastifyReply) {
  const browser = newToken()
  const started = await startFlow(rt, flow, { browser, ip: request.ip })
  reply.header('set-cookie', hostCookie(cookieName, browser, cookieSeconds))
  return started
}

/** A path of the console, never another site. */
function ownPath(text: string): string {
  return /^\/(?![/\\])[\w\-/?=&.%+:~]*$/.test(text) ? text : '/'
}
