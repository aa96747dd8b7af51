import type { FastifyRequest } from 'fastify'
import { AppError } from '../../contract/app-error.ts'

export type BasicCredentials = { apiKey: string; apiSecret: string }

/** Key and secret of `Authorization: Basic base64(api_key:api_secret)`; null for any other scheme. */
export function basicCredentials(request: FastifyRequest): BasicCredentials | null {
  const [, encoded] = /^basic +(\S*) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return null
  requireNoOtherSite(request)
  const decoded = Buffer.from(encoded, 'base64').toString('latin1')
  const [, apiKey, apiSecret] = /^([\x21-\x39\x3b-\x7e]{0,255}):([\x21-\x7e]{0,255})$/.exec(decoded) ?? []
  if (apiKey === undefined || apiSecret === undefined) {
    throw new AppError('invalid_credentials', 'Basic credentials are base64(api_key:api_secret).')
  }
  if (apiKey === '' || apiSecret === '') throw new AppError('invalid_credentials', emptySentence(apiKey, apiSecret))
  return { apiKey, apiSecret }
}

/** The usual reason is a variable of the shell that is not set. */
function emptySentence(apiKey: string, apiSecret: string): string {
  const empty = [...(apiKey === '' ? ['api_key'] : []), ...(apiSecret === '' ? ['api_secret'] : [])]
  const verb = empty.length === 1 ? 'is' : 'are'
  return `${empty.join(' and ')} ${verb} empty in the Basic credentials. Check that the variables they come from are set.`
}

/** A browser that once got such credentials for this host would add them to what any page makes it send. */
function requireNoOtherSite({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'none' || site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'Basic credentials are not accepted from the page of another site. Send the header Authorization: Bearer <access token>.',
  )
}
