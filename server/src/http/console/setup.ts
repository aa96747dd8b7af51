import { Session, SetupLink, SetupLookup, SetupRequest } from '../../contract/console/people.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import type { SignInLimit } from '../../limits/sign-in.ts'
import { completeSetup, describeSetupLink } from '../../people/setup-owner.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, contextOf, routesOf } from '../edge/context.ts'
import { attemptSource } from './browser/known-browser.ts'
import { enterSession } from './session.ts'

const route = routesOf('Setup')

/**
 * One-time links: the owner of the first start, invitations, forgotten passwords. 256 bits need no limit on guesses;
 * the code of a second factor does.
 */
export function addSetupRoutes(app: App, rt: Runtime, limit: SignInLimit): void {
  app.post(
    '/console/api/setup/lookup',
    route({
      config: { console: 'public' },
      operationId: 'describeSetupLink',
      summary: 'What a one-time link is for',
      description: 'A POST, because the token would otherwise appear in the logs of proxies.',
      body: ref(SetupLookup),
      response: { 200: answer(ref(SetupLink)) },
    }),
    async (request) => ok(await describeSetupLink(rt, request.body.token)),
  )

  app.post(
    '/console/api/setup',
    route({
      config: { console: 'public' },
      operationId: 'completeSetup',
      summary: 'Take over the record behind a one-time link, and sign in',
      body: ref(SetupRequest),
      response: { 200: answer(ref(Session)) },
    }),
    async (request, reply) => {
      const context = contextOf(request)
      const { code = null, ...person } = request.body
      const sourceOf = (email: string) => attemptSource(rt, request, email)
      const token = await completeSetup(rt, limit, { ...person, code, context, sourceOf })
      return enterSession(rt, request, reply, token)
    },
  )
}
