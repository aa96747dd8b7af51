import { AlertChoice, Alerts, Done, ForgotRequest } from '../../../contract/console/people.ts'
import { answer, ok } from '../../../contract/envelope.ts'
import { ref } from '../../../contract/schema.ts'
import { networkOf } from '../../../limits/sign-in.ts'
import { requireWithinLimit } from '../../../limits/throttles.ts'
import { chooseAlerts, describeAlerts } from '../../../people/alerts.ts'
import { requestReset } from '../../../people/reset-password.ts'
import type { Runtime } from '../../../runtime.ts'
import { type App, routesOf } from '../../edge/context.ts'
import { memberOf } from '../console-access.ts'

const route = routesOf('Session')

/** Mail to a person: password reset links and alerts. */
export function addMailRoutes(app: App, rt: Runtime): void {
  app.post(
    '/console/api/sign-in/forgot',
    route({
      config: { console: 'public' },
      operationId: 'requestPasswordLink',
      summary: 'Mail a link to a new password',
      description: 'The response is the same for every address.',
      body: ref(ForgotRequest),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await requireWithinLimit(rt, 'passwordLink', networkOf(request.ip), 'Too many links were asked for from here.')
      requestReset(rt, request.body.email)
      return ok({ done: true as const })
    },
  )

  app.get(
    '/console/api/me/alerts',
    route({
      config: { console: 'signed-in' },
      operationId: 'describeAlerts',
      summary: 'Your alerts, and how you get them',
      response: { 200: answer(ref(Alerts)) },
    }),
    async (request) => ok(await describeAlerts(rt, memberOf(request))),
  )

  app.put(
    '/console/api/me/alerts',
    route({
      config: { console: 'signed-in' },
      operationId: 'chooseAlerts',
      summary: 'Choose your alerts, and how you get them',
      body: ref(AlertChoice),
      response: { 200: answer(ref(Alerts)) },
    }),
    async (request) => ok(await chooseAlerts(rt, memberOf(request), request.body)),
  )
}
