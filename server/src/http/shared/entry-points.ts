import { answer, ok } from '../../contract/envelope.ts'
import {
  Automation,
  AutomationChange,
  Keywords,
  KeywordsChange,
  KeywordsQuery,
  Link,
  LinkDeleted,
  LinkList,
  LinkPath,
  LinkRequest,
  NumberQuery,
} from '../../contract/messages/entry-points.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { getKeywords, setKeywords } from '../../messages/keywords.ts'
import { deleteLink, getAutomation, listLinks, saveLink, setAutomation } from '../../profile/profile.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Profile')

/** Short links, ice breakers and commands of a number, and its stop words. */
export function addEntryPointRoutes(app: App, rt: Runtime, mount: Mount): void {
  addLinkRoutes(app, rt, mount)

  app.get(
    `${mount.chat}/automation`,
    route({
      config: mount.may('profile:read'),
      operationId: 'getAutomation',
      summary: 'Get the ice breakers and commands of a number',
      querystring: NumberQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(Automation)) },
    }),
    async (request) => ok(await getAutomation(rt, mount.principalOf(rt, request), request.query.from)),
  )

  app.put(
    `${mount.chat}/automation`,
    route({
      config: mount.may('profile:write'),
      operationId: 'setAutomation',
      summary: 'Replace the ice breakers and commands of a number',
      body: ref(AutomationChange),
      ...furtherChecks('from', 'prompts', 'commands'),
      response: { 200: answer(ref(Automation)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await setAutomation(rt, principal, request.body, await principal.author()))
    },
  )

  app.get(
    `${mount.chat}/keywords`,
    route({
      config: mount.may('profile:read'),
      operationId: 'getKeywords',
      summary: 'Get the stop and start words of a number',
      querystring: KeywordsQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(Keywords)) },
    }),
    async (request) => ok(await getKeywords(rt, mount.principalOf(rt, request), request.query.from)),
  )

  app.put(
    `${mount.chat}/keywords`,
    route({
      config: mount.may('profile:write'),
      operationId: 'setKeywords',
      summary: 'Set the words that stop and start marketing messages',
      description:
        'A customer whose message consists of one of these words opts out of marketing messages from this number, or in again. Postern sends no reply. Off until words are set.',
      body: ref(KeywordsChange),
      ...furtherChecks('from', 'stop_words', 'start_words'),
      response: { 200: answer(ref(Keywords)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await setKeywords(rt, principal, request.body, await principal.author()))
    },
  )
}

function addLinkRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/links`,
    route({
      config: mount.may('profile:read'),
      operationId: 'listLinks',
      summary: 'List the short links of a number',
      querystring: NumberQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(LinkList)) },
    }),
    async (request) => ok(await listLinks(rt, mount.principalOf(rt, request), request.query.from)),
  )

  app.post(
    `${mount.chat}/links`,
    route({
      config: mount.may('profile:write'),
      operationId: 'createLink',
      summary: 'Create a short link with a QR code',
      description: 'Not safe to repeat: if the response gets lost, list the links first.',
      body: ref(LinkRequest),
      ...furtherChecks('from'),
      response: { 200: answer(ref(Link)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await saveLink(rt, principal, request.body, await principal.author()))
    },
  )

  app.put(
    `${mount.chat}/links/:link_id`,
    route({
      config: mount.may('profile:write'),
      operationId: 'updateLink',
      summary: 'Change the message of a short link',
      params: LinkPath,
      body: ref(LinkRequest),
      ...furtherChecks('from'),
      response: { 200: answer(ref(Link)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { link_id: code } = request.params
      return ok(await saveLink(rt, principal, { ...request.body, code }, await principal.author()))
    },
  )

  app.delete(
    `${mount.chat}/links/:link_id`,
    route({
      config: mount.may('profile:write'),
      operationId: 'deleteLink',
      summary: 'Delete a short link',
      description: 'Its address and QR code stop working.',
      params: LinkPath,
      querystring: NumberQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(LinkDeleted)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { link_id: code } = request.params
      return ok(await deleteLink(rt, principal, code, request.query.from, await principal.author()))
    },
  )
}
