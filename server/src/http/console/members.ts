import Type from 'typebox'
import { Done, Invitation, Invited, Member, MemberList, RoleChange } from '../../contract/console/people.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import { changeRole, removeMember, renewLink } from '../../people/change-member.ts'
import { inviteMember, listMembers } from '../../people/create-user.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Members')
const params = object({ user_id: Type.String({ maxLength: 64 }) })

/** People of the account. A change needs the password within the last 5 minutes. */
export function addMemberRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/members',
    route({
      config: { console: 'members:read' },
      operationId: 'listMembers',
      summary: 'The people of the account',
      response: { 200: answer(ref(MemberList)) },
    }),
    async (request) => ok({ members: await listMembers(rt, memberOf(request).accountId) }),
  )

  app.post(
    '/console/api/members',
    route({
      config: { console: 'members:write', recent: true },
      operationId: 'inviteMember',
      summary: 'Invite a person; the link is shown once',
      body: ref(Invitation),
      response: { 201: answer(ref(Invited)) },
    }),
    async (request, reply) => {
      const invited = await inviteMember(rt, memberOf(request), request.body)
      reply.code(201)
      return ok(invited)
    },
  )
  addMemberChanges(app, rt)
}

/** Changes of one member. */
function addMemberChanges(app: App, rt: Runtime): void {
  app.put(
    '/console/api/members/:user_id',
    route({
      config: { console: 'members:write', recent: true },
      operationId: 'changeMemberRole',
      summary: 'Give a member another role; the member signs in again',
      params,
      body: ref(RoleChange),
      response: { 200: answer(ref(Member)) },
    }),
    async (request) => ok(await changeRole(rt, memberOf(request), request.params.user_id, request.body.role)),
  )

  app.post(
    '/console/api/members/:user_id/link',
    route({
      config: { console: 'members:write', recent: true },
      operationId: 'renewMemberLink',
      summary: 'A new one-time link to join',
      description:
        'For a member who lost the password or the second factor. They are signed out and join again; members of other accounts join with their existing password.',
      params,
      response: { 200: answer(ref(Invited)) },
    }),
    async (request) => ok(await renewLink(rt, memberOf(request), request.params.user_id)),
  )

  app.delete(
    '/console/api/members/:user_id',
    route({
      config: { console: 'members:write', recent: true },
      operationId: 'removeMember',
      summary: 'Remove a member; sessions and links end at once',
      params,
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await removeMember(rt, memberOf(request), request.params.user_id)
      return ok({ done: true as const })
    },
  )
}
