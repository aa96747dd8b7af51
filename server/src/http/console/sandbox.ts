import Type from 'typebox'
import { listSandboxNumbers } from '../../channels/sandbox-number.ts'
import { TracedEvent } from '../../contract/console/messages.ts'
import { Done } from '../../contract/console/people.ts'
import {
  ConversationQuery,
  SandboxAct,
  SandboxActed,
  SandboxBehaviour,
  SandboxConversation,
  SandboxLines,
  SandboxNewCustomer,
  SandboxPhone,
  SandboxPhoneQuery,
  SandboxWindow,
} from '../../contract/console/sandbox.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import { traceNewest } from '../../events/trace-events.ts'
import { hidesPeople, withOwnIds } from '../../messages/privacy.ts'
import {
  actAsCustomer,
  addCustomer,
  describePhone,
  readConversation,
  setBehaviour,
  setWindow,
} from '../../messages/sandbox-phone.ts'
import { sandboxControl } from '../../platform/sandbox-control.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Sandbox')
const done = ok({ done: true as const })
const config = { console: 'sandbox:use' } as const
const eventsShown = 30

/** The phone simulator: a person of the account plays its customers, on numbers of the sandbox only. */
export function addSandboxRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/sandbox/numbers',
    route({
      config,
      operationId: 'listSandboxNumbers',
      summary: 'The numbers of the account that are in the sandbox',
      response: { 200: answer(ref(SandboxLines)) },
    }),
    async (request) => {
      const numbers = await listSandboxNumbers(rt, memberOf(request).accountId)
      return ok({
        numbers: numbers.map(({ id, phone_number, display_name, default: isDefault }) => ({
          id,
          phone_number,
          name: display_name,
          default: isDefault,
        })),
        available: rt.config.sandboxListen !== 'off',
      })
    },
  )

  app.get(
    '/console/api/sandbox/phone',
    route({
      config,
      operationId: 'describeSandboxPhone',
      summary: 'The customers of a number and how their phone behaves',
      querystring: SandboxPhoneQuery,
      response: { 200: answer(ref(SandboxPhone)) },
    }),
    async (request) => ok(await describePhone(rt, sandboxControl, at(memberOf(request), request.query.number_id))),
  )
  addSandboxViews(app, rt)
  addPhoneActs(app, rt)
}

/** A customer's screen, and the webhook deliveries. */
function addSandboxViews(app: App, rt: Runtime): void {
  app.get(
    '/console/api/sandbox/conversation',
    route({
      config,
      operationId: 'readSandboxConversation',
      summary: 'What one customer sees',
      querystring: ConversationQuery,
      response: { 200: answer(ref(SandboxConversation)) },
    }),
    async (request) => {
      const { number_id: numberId, customer } = request.query
      return ok(await readConversation(rt, at(memberOf(request), numberId), customer))
    },
  )

  app.get(
    '/console/api/sandbox/events',
    route({
      config,
      operationId: 'listSandboxEvents',
      summary: 'The newest events and the responses of webhooks',
      response: { 200: answer(object({ events: Type.Array(ref(TracedEvent)) })) },
    }),
    async (request) => {
      const member = memberOf(request)
      const events = await traceNewest(rt, member.accountId, eventsShown)
      const hidden = await hidesPeople(rt, member)
      return ok({ events: hidden ? await withOwnIds(rt, member.accountId, events) : events })
    },
  )
}

function addPhoneActs(app: App, rt: Runtime): void {
  app.post(
    '/console/api/sandbox/inbound',
    route({
      config,
      operationId: 'actAsCustomer',
      summary: 'Write or tap as the customer',
      body: ref(SandboxAct),
      response: { 200: answer(ref(SandboxActed)) },
    }),
    async (request) => {
      const { number_id: numberId, customer, act } = request.body
      const call = at(memberOf(request), numberId)
      return ok(await actAsCustomer(rt, sandboxControl, call, { customer, act }))
    },
  )

  app.post(
    '/console/api/sandbox/customers',
    route({
      config,
      operationId: 'addSandboxCustomer',
      summary: 'Add a simulated customer',
      body: ref(SandboxNewCustomer),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      const { number_id: numberId, ...customer } = request.body
      await addCustomer(rt, sandboxControl, at(memberOf(request), numberId), customer)
      return done
    },
  )
  addPhoneSettings(app, rt)
}

/** Behavior of the simulated phones. */
function addPhoneSettings(app: App, rt: Runtime): void {
  app.post(
    '/console/api/sandbox/window',
    route({
      config,
      operationId: 'setSandboxWindow',
      summary: 'Open or close the 24-hour window of a customer',
      body: ref(SandboxWindow),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      const { number_id: numberId, ...window } = request.body
      await setWindow(rt, sandboxControl, at(memberOf(request), numberId), window)
      return done
    },
  )

  app.put(
    '/console/api/sandbox/behaviour',
    route({
      config,
      operationId: 'setSandboxBehaviour',
      summary: 'What the next message will do, and how fast',
      body: ref(SandboxBehaviour),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      const { number_id: numberId, next, delay_ms: delayMs, read_receipts: readReceipts } = request.body
      await setBehaviour(rt, sandboxControl, at(memberOf(request), numberId), { next, delayMs, readReceipts })
      return done
    },
  )
}

function at({ accountId }: { accountId: string }, numberId: string) {
  return { accountId, numberId }
}
