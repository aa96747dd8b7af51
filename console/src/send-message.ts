import { api, call, type Schemas } from './api.ts'

/** A message to send, by the form it has. */
export type Outgoing =
  | { kind: 'text'; body: Schemas['SendText'] }
  | { kind: 'template'; body: Schemas['SendTemplate'] }
  | { kind: 'media'; body: Schemas['SendMedia'] }
  | { kind: 'interactive'; body: Schemas['SendInteractive'] }

/** Sends by hand; gives the id of the message. */
export async function sendMessage(message: Outgoing): Promise<string> {
  const sent = await answerTo(message)
  // A dry run has none, and nobody asks for one here.
  return 'message_id' in sent ? sent.message_id : ''
}

/** Reacts to a message; an empty emoji removes the reaction. */
export async function react(body: Schemas['SendReaction']): Promise<void> {
  await call(api.POST('/console/api/messages/reaction', { body }))
}

function answerTo({ kind, body }: Outgoing): Promise<{ message_id: string } | { dry_run: true }> {
  switch (kind) {
    case 'text':
      return call(api.POST('/console/api/messages/send', { body }))
    case 'template':
      return call(api.POST('/console/api/messages/template', { body }))
    case 'media':
      return call(api.POST('/console/api/messages/media', { body }))
    case 'interactive':
      return call(api.POST('/console/api/messages/interactive', { body }))
  }
}
