import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptSource } from '../../../limits/sign-in.ts'
import { normaliseEmail } from '../../../people/sign-in.ts'
import type { Runtime } from '../../../runtime.ts'
import { cookieOf, hostCookie } from '../console-access.ts'

const cookieName = '__Host-browser'
const lifeSeconds = 400 * 86_400
const purpose = 'console browser'

/**
 * Marks a browser in which this person signed in. Its attempts are counted apart from everybody else's, so that strangers
 * who guess a password cannot keep the person out. It opens nothing by itself.
 */
export function rememberBrowser(rt: Runtime, request: FastifyRequest, reply: FastifyReply, email: string): void {
  const id = knownBrowser(rt, request, email) ?? randomBytes(16).toString('base64url')
  reply.header('set-cookie', hostCookie(cookieName, `${id}.${signatureOf(rt, id, email)}`, lifeSeconds))
}

/** The id of a browser in which the person signed in before; the cookie of one person says nothing about another. */
function knownBrowser(rt: Runtime, request: FastifyRequest, email: string): string | null {
  const [id = '', signature = ''] = (cookieOf(request, cookieName) ?? '').split('.', 2)
  const expected = Buffer.from(signatureOf(rt, id, email))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
}

export function attemptSource(rt: Runtime, request: FastifyRequest, email: string): AttemptSource {
  return { browser: knownBrowser(rt, request, email), ip: request.ip, addressKnown: request.addressKnown }
}

function signatureOf(rt: Runtime, id: string, email: string): string {
  return rt.secrets.mac(purpose, `${id}\n${normaliseEmail(email)}`).toString('base64url')
}
