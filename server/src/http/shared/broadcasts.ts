import { getBroadcast, listBroadcasts, requireBroadcast } from '../../broadcasts/broadcast.ts'
import { changeBroadcast, removeBroadcast } from '../../broadcasts/change-broadcast.ts'
import { createBroadcast } from '../../broadcasts/create-broadcast.ts'
import { estimateBroadcast } from '../../broadcasts/estimate.ts'
import { cancelBroadcast, pauseBroadcast, resumeBroadcast, startBroadcast } from '../../broadcasts/start-broadcast.ts'
import {
  Broadcast,
  BroadcastList,
  BroadcastPath,
  BroadcastQuery,
  DeletedBroadcast,
} from '../../contract/broadcasts/broadcasts.ts'
import { BroadcastChanges, BroadcastDraft, BroadcastEstimate, BroadcastStart } from '../../contract/broadcasts/draft.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { type Mount, requireAlso } from './mount.ts'

const route = routesOf('Broadcasts')

/** One template to many recipients: prepare, start, stop. */
export function addBroadcastRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.chat}/broadcasts`,
    route({
      config: mount.may('broadcasts:write', { idempotent: true }),
      operationId: 'createBroadcast',
      summary: 'Create a broadcast',
      description:
        'A draft; upload its recipients, then start it. With `recipients` and `start` or `start_at` everything happens in one call, or nothing if a recipient is not valid. Starting also needs the scope `messages:send`.',
      body: ref(BroadcastDraft),
      ...furtherChecks('from', 'language', 'components', 'quiet_hours', 'recipients', 'start_at'),
      response: { 201: answer(ref(Broadcast)) },
    }),
    async (request, reply) => {
      const principal = mount.principalOf(rt, request)
      if (request.body.start || request.body.start_at) requireAlso(principal, 'messages:send')
      const created = await createBroadcast(rt, principal.sender, request.body, await principal.author())
      return reply.code(201).send(ok(created))
    },
  )

  app.get(
    `${mount.chat}/broadcasts`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'listBroadcasts',
      summary: 'List broadcasts, newest first',
      querystring: BroadcastQuery,
      response: { 200: answer(ref(BroadcastList)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, status = null } = request.query
      return ok(await listBroadcasts(rt, mount.principalOf(rt, request), { limit, cursor, status }))
    },
  )
  addOneBroadcastRoutes(app, rt, mount)
  addControlRoutes(app, rt, mount)
}

function addOneBroadcastRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/broadcasts/:broadcast_id`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'getBroadcast',
      summary: 'Get a broadcast with its progress',
      params: BroadcastPath,
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => ok(await getBroadcast(rt, mount.principalOf(rt, request), request.params.broadcast_id)),
  )

  app.put(
    `${mount.chat}/broadcasts/:broadcast_id`,
    route({
      config: mount.may('broadcasts:write'),
      operationId: 'updateBroadcast',
      summary: 'Change a broadcast',
      description: 'Changes the given fields. Number, template and values can be changed in a draft only.',
      params: BroadcastPath,
      body: ref(BroadcastChanges),
      ...furtherChecks('from', 'language', 'components', 'quiet_hours'),
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { broadcast_id: id } = request.params
      return ok(await changeBroadcast(rt, principal, id, request.body, await principal.author()))
    },
  )

  app.delete(
    `${mount.chat}/broadcasts/:broadcast_id`,
    route({
      config: mount.may('broadcasts:write'),
      operationId: 'deleteBroadcast',
      summary: 'Delete a broadcast',
      description: 'A draft, or one that has ended. Its messages stay.',
      params: BroadcastPath,
      response: { 200: answer(ref(DeletedBroadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await removeBroadcast(rt, principal, request.params.broadcast_id, await principal.author()))
    },
  )

  app.get(
    `${mount.chat}/broadcasts/:broadcast_id/estimate`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'estimateBroadcast',
      summary: 'Estimate the reach, duration and cost of a broadcast',
      params: BroadcastPath,
      response: { 200: answer(ref(BroadcastEstimate)) },
    }),
    async (request) => ok(await estimateBroadcast(rt, mount.principalOf(rt, request), request.params.broadcast_id)),
  )
}

function addControlRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/start`,
    route({
      config: mount.may('broadcasts:write', { idempotent: true }),
      operationId: 'startBroadcast',
      summary: 'Start a broadcast, now or later',
      description:
        'Also needs the scope `messages:send`. `recipients` and `max_cost` are checks: if one fails, nothing starts.',
      params: BroadcastPath,
      body: optionalBody(ref(BroadcastStart)),
      ...furtherChecks('start_at', 'recipients', 'max_cost'),
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { broadcast_id: id } = request.params
      await requireBroadcast(rt, principal, id)
      requireAlso(principal, 'messages:send')
      return ok(await startBroadcast(rt, principal.sender, id, request.body ?? {}, await principal.author()))
    },
  )

  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/pause`,
    route({
      config: mount.may('broadcasts:write'),
      operationId: 'pauseBroadcast',
      summary: 'Pause a broadcast',
      description:
        'After the response, no new recipients are processed; only the few messages already on their way to Meta are still sent. A scheduled broadcast becomes a draft again. Safe to repeat.',
      params: BroadcastPath,
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await pauseBroadcast(rt, principal, request.params.broadcast_id, await principal.author()))
    },
  )

  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/resume`,
    route({
      config: mount.may('broadcasts:write'),
      operationId: 'resumeBroadcast',
      summary: 'Resume a broadcast',
      description:
        'Continues where it stopped, with the current version of the template. Also needs the scope `messages:send`. Safe to repeat.',
      params: BroadcastPath,
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      await requireBroadcast(rt, principal, request.params.broadcast_id)
      requireAlso(principal, 'messages:send')
      return ok(await resumeBroadcast(rt, principal.sender, request.params.broadcast_id, await principal.author()))
    },
  )

  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/cancel`,
    route({
      config: mount.may('broadcasts:write'),
      operationId: 'cancelBroadcast',
      summary: 'Cancel a broadcast',
      description: 'Recipients who have not been processed get nothing. This cannot be undone. Safe to repeat.',
      params: BroadcastPath,
      response: { 200: answer(ref(Broadcast)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await cancelBroadcast(rt, principal, request.params.broadcast_id, await principal.author()))
    },
  )
}
