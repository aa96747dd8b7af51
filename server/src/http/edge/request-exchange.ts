import type { FastifyRequest } from 'fastify'
import type { Exchange } from '../../access/request-log.ts'
import { maskCredentials, maskQuery } from '../../lib/text/mask.ts'
import { namesSecret } from '../../observe/log-redaction.ts'
import type { App } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer as it left; null for files and streams. */
    answerText: string | null
  }
}

const bytesMax = 2_048
/** Longer answers are not read for the sake of their beginning. */
const answerCharactersMax = 65_536

export function rememberAnswers(app: App): void {
  app.decorateRequest('answerText', null)
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.answerText = typeof payload === 'string' ? payload : null
    done(null, payload)
  })
}

/** A call and its answer as they were, but for secrets. */
export function exchangeOf(request: FastifyRequest): Exchange {
  return { path: cutToKept(maskCredentials(request.url)), body: bodyOf(request), answer: answerOf(request.answerText) }
}

/** Empty where there was none; null where it could not be read, or is a file. */
function bodyOf({ body, headers }: FastifyRequest): string | null {
  if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) return withoutSecrets(body)
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  return isEmpty ? '' : null
}

function answerOf(text: string | null): string | null {
  if (text === null || text.length > answerCharactersMax) return null
  try {
    return withoutSecrets(JSON.parse(text))
  } catch {
    return null
  }
}

function withoutSecrets(value: unknown): string {
  const text = JSON.stringify(value, (name, entry: unknown) => {
    if (typeof entry !== 'string') return entry
    if (namesSecret(name)) return '[secret]'
    return maskCredentials(name === 'url' ? maskQuery(entry) : entry)
  })
  return cutToKept(text)
}

/** At most 2 KiB; an ellipsis says that something is missing. */
export function cutToKept(text: string): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  // A cut may fall into a character; the replacement sign it leaves goes too.
  const cut = Buffer.from(text)
    .subarray(0, bytesMax - 3)
    .toString('utf8')
  return `${cut.replace(/\uFFFD+$/, '')}…`
}
