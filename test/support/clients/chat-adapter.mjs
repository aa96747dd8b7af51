import { readFileSync } from 'node:fs'
import { createWhatsAppAdapter } from '@chat-adapter/whatsapp'

export function callsOf({ base, token, number, to, inbound, picture }) {
  const adapter = createWhatsAppAdapter({
    accessToken: token,
    appSecret: 'unused',
    phoneNumberId: number,
    verifyToken: 'unused',
    apiUrl: base,
  })
  const thread = adapter.encodeThreadId({ phoneNumberId: number, userWaId: to })
  const idOf = ({ id, raw }) => ({ id, from: raw?.message?.from })
  const file = { data: readFileSync(picture), filename: 'dot.png', mimeType: 'image/png' }
  return {
    text: async () => idOf(await adapter.postMessage(thread, 'Hello')),
    file: async () => idOf(await adapter.postMessage(thread, { markdown: 'A dot', files: [file] })),
    reaction: async () => (await adapter.addReaction(thread, inbound, '👍')) ?? 'done',
    'reaction removed': async () => (await adapter.removeReaction(thread, inbound, '👍')) ?? 'done',
    read: async () => (await adapter.markAsRead(thread, inbound)) ?? 'done',
  }
}
