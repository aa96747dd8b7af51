import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/app-error.ts'
import { wrongMediaType } from '../../edge/problem.ts'
import { isRead } from '../../page.ts'

/**
 * Refuses what another site makes a browser send with our cookie. Browsers say themselves where a request comes from;
 * one too old to say so sends `Origin` with everything that changes something. Without either nothing is changed.
 */
export function requireOwnPage(request: FastifyRequest, consoleUrl: string): void {
  const { takesForm, takesLines } = request.routeOptions.config
  const body = takesForm ? formBody : takesLines ? linesBody : jsonBody
  const site = request.headers['sec-fetch-site']
  const changes = !isRead(request.method)
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw foreignPage()
  } else if (changes && !sameHost(request, consoleUrl)) throw foreignPage()
  const type = request.headers['content-type']
  if (changes && !body.test(type ?? '')) throw wrongMediaType(type)
}

/** A form of another site can send text and forms, never JSON. */
const jsonBody = /^application\/json\s*(;|$)/i
/** An upload may be a form too, and is known by where it comes from alone. */
const formBody = /^(application\/json|multipart\/form-data)\s*(;|$)/i

/** A form of another site can send neither. */
const linesBody = /^(application\/json|text\/csv|application\/x-ndjson)\s*(;|$)/i

function sameHost(request: FastifyRequest, consoleUrl: string): boolean {
  const origin = request.headers.origin
  if (origin === undefined || !URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return host === request.host || origin === new URL(consoleUrl).origin
}

function foreignPage(): AppError {
  return new AppError('cross_site_request', 'Only the pages of this console may send this request.')
}
