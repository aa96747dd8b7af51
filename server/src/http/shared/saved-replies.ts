import { answer, ok } from '../../contract/envelope.ts'
import {
  SavedReply,
  SavedReplyDeleted,
  SavedReplyList,
  SavedReplyPath,
  SavedReplyRequest,
} from '../../contract/messages/conversations.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { changeSavedReply, createSavedReply, listSavedReplies, removeSavedReply } from '../../messages/saved-replies.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Conversations')

/** Texts that agents send again and again. */
export function addSavedReplyRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/saved-replies`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'listSavedReplies',
      summary: 'List saved replies',
      response: { 200: answer(ref(SavedReplyList)) },
    }),
    async (request) => ok(await listSavedReplies(rt, mount.principalOf(rt, request).accountId)),
  )

  app.post(
    `${mount.chat}/saved-replies`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'createSavedReply',
      summary: 'Save a reply',
      body: ref(SavedReplyRequest),
      ...furtherChecks('shortcut'),
      response: { 200: answer(ref(SavedReply)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await createSavedReply(rt, principal.accountId, request.body, await principal.author()))
    },
  )

  app.put(
    `${mount.chat}/saved-replies/:saved_reply_id`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'updateSavedReply',
      summary: 'Change a saved reply',
      params: SavedReplyPath,
      body: ref(SavedReplyRequest),
      ...furtherChecks('shortcut'),
      response: { 200: answer(ref(SavedReply)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const change = { ...request.body, id: request.params.saved_reply_id }
      return ok(await changeSavedReply(rt, principal.accountId, change, await principal.author()))
    },
  )

  app.delete(
    `${mount.chat}/saved-replies/:saved_reply_id`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'deleteSavedReply',
      summary: 'Delete a saved reply',
      params: SavedReplyPath,
      response: { 200: answer(ref(SavedReplyDeleted)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { saved_reply_id: id } = request.params
      return ok(await removeSavedReply(rt, principal.accountId, id, await principal.author()))
    },
  )
}
