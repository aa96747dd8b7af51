import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { describeSignups, finishSignup, giveUpSignup } from '../../connect/finish-signup.ts'
import { openSignup, returnFromSignup } from '../../connect/open-signup.ts'
import {
  Signup,
  SignupChoice,
  SignupList,
  SignupReturn,
  SignupStart,
  SignupStarted,
} from '../../contract/console/channel.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { cookieOf, hostCookie, memberOf } from './console-access.ts'

const route = routesOf('Channel')
const params = object({ signup_id: Type.String({ maxLength: 64 }) })

/** Knows the browser that left for Meta again, so that nobody else can finish what it started. */
const cookieName = '__Host-signup'
const cookieSeconds = 3_600

/** Embedded Signup: to Meta, back with a code, and on until a number is connected. */
export function addSignupRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/signups',
    route({
      config: { console: 'channel:read' },
      operationId: 'listSignups',
      summary: 'Signups that wait for a number or were connected lately',
      response: { 200: answer(ref(SignupList)) },
    }),
    async (request) => ok(await describeSignups(rt, memberOf(request))),
  )

  app.post(
    '/console/api/signups',
    route({
      config: { console: 'channel:write' },
      operationId: 'startSignup',
      summary: "Start Embedded Signup on Meta's page",
      body: ref(SignupStart),
      response: { 200: answer(ref(SignupStarted)) },
    }),
    async (request, reply) => {
      const browser = cookieOf(request, cookieName) ?? randomBytes(32).toString('base64url')
      const onBusinessApp = request.body.on_business_app ?? false
      const opened = await openSignup(rt, memberOf(request), { browser, onBusinessApp })
      reply.header('set-cookie', hostCookie(cookieName, browser, cookieSeconds))
      return ok(opened)
    },
  )

  app.post(
    '/console/api/signups/return',
    route({
      config: { console: 'channel:write' },
      operationId: 'returnFromSignup',
      summary: 'Finish what the browser brings back from Meta',
      description: 'The code is used once. Loaded again, the page gets the same signup.',
      body: ref(SignupReturn),
      response: { 200: answer(ref(Signup)) },
    }),
    async (request) => {
      const member = memberOf(request)
      const { state, code = null, error = null, business_id: wabaId = null } = request.body
      const id = await returnFromSignup(rt, member, cookieOf(request, cookieName), { state, code, error, wabaId })
      return ok(await finishSignup(rt, member, id))
    },
  )

  app.post(
    '/console/api/signups/:signup_id/continue',
    route({
      config: { console: 'channel:write' },
      operationId: 'continueSignup',
      summary: 'Choose a number, register it, and connect it',
      params,
      body: ref(SignupChoice),
      response: { 200: answer(ref(Signup)) },
    }),
    async (request) => {
      const { phone_number_id: phoneNumberId = null, pin = null, take_over } = request.body
      const picked = { phoneNumberId, pin, takeOver: take_over === true }
      return ok(await finishSignup(rt, memberOf(request), request.params.signup_id, picked))
    },
  )

  app.post(
    '/console/api/signups/:signup_id/give-up',
    route({
      config: { console: 'channel:write' },
      operationId: 'giveUpSignup',
      summary: 'Delete the token of a signup without connecting',
      params,
      response: { 200: answer(ref(Signup)) },
    }),
    async (request) => ok(await giveUpSignup(rt, memberOf(request), request.params.signup_id)),
  )
}
