import { answer, ok } from '../../contract/envelope.ts'
import { Profile, ProfileChanges, ProfileQuery } from '../../contract/profile.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { getProfile, updateProfile } from '../../profile/profile.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Profile')

/** The business profile of a number. */
export function addProfileRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/profile`,
    route({
      config: mount.may('profile:read'),
      operationId: 'getProfile',
      summary: 'Get the business profile of a number',
      querystring: ProfileQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(Profile)) },
    }),
    async (request) => ok(await getProfile(rt, mount.principalOf(rt, request), request.query.from)),
  )

  app.put(
    `${mount.chat}/profile`,
    route({
      config: mount.may('profile:write'),
      operationId: 'updateProfile',
      summary: 'Update the business profile',
      description: 'Changes the given fields. The response is the profile as Meta has it after the change.',
      body: ref(ProfileChanges),
      ...furtherChecks('from', 'about', 'photo'),
      response: { 200: answer(ref(Profile)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await updateProfile(rt, principal, request.body, await principal.author()))
    },
  )
}
