import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/app-error.ts'
import type { App } from '../context.ts'
import { wrongMediaType } from '../problem.ts'
import { type BodyLimits, readBody } from './read-body.ts'
import { JsonProblem, parseStrictJson } from './strict-json.ts'

/** Bodies are read after authentication and quota: a stranger's bytes cost us nothing. An empty body is no body. */
export function addJsonParser(app: App, limits: BodyLimits): void {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', async (request) => requirePlainBody(request))
  app.addContentTypeParser('application/json', async (_request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limits)
    return bytes.length === 0 ? undefined : toObject(bytes)
  })
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limits)
    if (bytes.length > 0) throw wrongMediaType()
    return undefined
  })
}

function toObject(bytes: Buffer): Record<string, unknown> {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof JsonProblem) throw new AppError('malformed_json', error.message)
    throw error
  }
}

/** A compressed body would otherwise look like broken JSON; unpacking one costs memory a caller can choose. */
function requirePlainBody({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (!encoding || encoding === 'identity') return
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  throw new AppError(
    'unsupported_content_encoding',
    `The body has Content-Encoding ${encoding.slice(0, 40)}; send it uncompressed, without this header.`,
  )
}
