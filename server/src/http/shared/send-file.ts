import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { openContent } from '../../media/open-content.ts'

/** As an attachment of a harmless type and with a policy that forbids everything, a browser runs none of it. */
export function sendFile(reply: FastifyReply, file: Awaited<ReturnType<typeof openContent>>): FastifyReply {
  return reply
    .header('content-type', file.mimeType)
    .header('content-length', file.bytes)
    .header('content-disposition', file.disposition)
    .header('content-security-policy', 'sandbox')
    .send(Readable.from(file.content, { objectMode: false }))
}
