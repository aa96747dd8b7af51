import {
  BothFactors,
  Done,
  RecoveryCodes,
  TwoFactorConfirmation,
  TwoFactorRule,
  TwoFactorSetup,
  TwoFactorState,
} from '../../contract/console/people.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import type { SignInLimit } from '../../limits/sign-in.ts'
import { requireTwoFactor } from '../../people/require-two-factor.ts'
import {
  beginSetup,
  describeTwoFactor,
  renewRecoveryCodes,
  switchOff,
  switchOn,
} from '../../people/switch-two-factor.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Two-factor sign-in')

/** The second factor: of the person, and what owners decide about it. */
export function addTwoFactorRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  addOwnTwoFactorRoutes(app, rt, limit)

  app.put(
    '/console/api/account/two-factor',
    route({
      config: { console: 'account:write', recent: true },
      operationId: 'requireTwoFactor',
      summary: 'Whether every member needs two-factor sign-in',
      description: 'Members without it set it up when they sign in next.',
      body: ref(TwoFactorRule),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await requireTwoFactor(rt, memberOf(request), request.body.required)
      return ok({ done: true as const })
    },
  )
}

function addOwnTwoFactorRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  app.get(
    '/console/api/me/two-factor',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'getTwoFactor',
      summary: 'Whether your two-factor sign-in is on, and how many recovery codes are left',
      response: { 200: answer(ref(TwoFactorState)) },
    }),
    async (request) => ok(await describeTwoFactor(rt, memberOf(request))),
  )

  app.post(
    '/console/api/me/two-factor',
    route({
      config: { console: 'signed-in', recent: true, beforeTwoFactor: true },
      operationId: 'beginTwoFactor',
      summary: 'A new secret for an authenticator app; a code must confirm it',
      response: { 200: answer(ref(TwoFactorSetup)) },
    }),
    async (request) => ok(await beginSetup(rt, memberOf(request))),
  )
  addTwoFactorSwitch(app, rt, limit)
}

/** Switching on and off. */
function addTwoFactorSwitch(app: App, rt: Runtime, limit: SignInLimit): void {
  app.post(
    '/console/api/me/two-factor/confirm',
    route({
      config: { console: 'signed-in', beforeTwoFactor: true },
      operationId: 'confirmTwoFactor',
      summary: 'Turn on two-factor sign-in with a first code',
      description: 'Returns the recovery codes. Every other session of the person ends.',
      body: ref(TwoFactorConfirmation),
      response: { 200: answer(ref(RecoveryCodes)) },
    }),
    async (request) => ok(await switchOn(rt, memberOf(request), request.body.code)),
  )

  app.post(
    '/console/api/me/two-factor/recovery-codes',
    route({
      config: { console: 'signed-in' },
      operationId: 'renewRecoveryCodes',
      summary: 'Ten new recovery codes; the previous ones stop working',
      body: ref(BothFactors),
      response: { 200: answer(ref(RecoveryCodes)) },
    }),
    async (request) => ok(await renewRecoveryCodes(rt, limit, memberOf(request), request.body)),
  )

  app.post(
    '/console/api/me/two-factor/off',
    route({
      config: { console: 'signed-in' },
      operationId: 'switchOffTwoFactor',
      summary: 'Turn off two-factor sign-in',
      body: ref(BothFactors),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await switchOff(rt, limit, memberOf(request), request.body)
      return ok({ done: true as const })
    },
  )
}
