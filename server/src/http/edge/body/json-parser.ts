import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/app-error.ts'
import { foreignForm } from '../../foreign-request.ts'
import type { App } from '../context.ts'
import { wrongMediaType } from '../problem.ts'
import { readBody } from './read-body.ts'
import { JsonProblem, parseStrictJson } from './strict-json.ts'

/** `publicBytesMax` is for routes that anybody may call. */
export type JsonLimits = { bytesMax: number; publicBytesMax: number; timeoutMs: number }

/**
 * Bodies are read after authentication and quota, and where there is none they are small: a stranger's bytes cost us
 * nothing. An empty body is no body.
 */
export function addJsonParser(app: App, { bytesMax, publicBytesMax, timeoutMs }: JsonLimits): void {
  const limitsOf = ({ routeOptions: { config } }: FastifyRequest) => ({
    bytesMax:
      config.bodyBytesMax ?? (config.access === 'public' || config.console === 'public' ? publicBytesMax : bytesMax),
    timeoutMs,
  })
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    requirePlainBody(request)
    done(null, payload)
  })
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limitsOf(request))
    return bytes.length === 0 ? undefined : toObject(bytes)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limitsOf(request))
    if (bytes.length > 0) throw wrongMediaType(request.headers['content-type'], foreignForm(bytes))
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
