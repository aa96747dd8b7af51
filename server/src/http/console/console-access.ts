import type { FastifyReply, FastifyRequest } from 'fastify'
import { entryBy, type Member } from '../../access/console-member.ts'
import { writeAudited } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Action, actionSentences, mayDo, operatorAction } from '../../contract/console/roles.ts'
import { ownerNames } from '../../installation/account.ts'
import { minuteMs } from '../../lib/durations.ts'
import type { Gate, QuotaState } from '../../limits/quota.ts'
import { findMember, noteActivity, sessionLifeMs } from '../../people/sessions.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, contextOf } from '../edge/context.ts'
import { requireQuota } from '../edge/headers.ts'
import { wrongMediaType } from '../edge/problem.ts'
import { isRead } from '../page.ts'

/** Access rule of a console route: public, signed in, or a role with this permission. */
type ConsoleRule = 'public' | 'signed-in' | Action

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes under /console/api must say it. */
    console?: ConsoleRule
    /** The password must have been given within the last 5 minutes. */
    recent?: boolean
    /** Open to a member who has yet to set up the two-factor sign-in that the account requires. */
    beforeTwoFactor?: boolean
    /** Browsers come here from the sign-in provider; a cookie of the flow says which. */
    fromProvider?: boolean
    /** Takes one request from the plan, as the same call of the API does. */
    takesQuota?: boolean
  }
  interface FastifyRequest {
    member: Member | null
    /** The quota that the request used. */
    taken: QuotaState
  }
}

const cookieName = '__Host-session'
const recentMs = 5 * minuteMs
const recentScope = 'recent_sign_in'

/**
 * The way into /console/api: own pages only, then the session, the role, the standing of the account, how fresh the
 * password is, and the plan.
 */
export function addConsoleAccess(app: App, rt: Runtime): void {
  app.decorateRequest('member', null)
  app.decorateRequest('taken', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.console === undefined) throw new Error(`${url} does not say who may reach it.`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions
    const { console: rule = 'signed-in', recent = false, takesQuota = false } = config
    const { beforeTwoFactor = false, fromProvider = false } = config
    if (!fromProvider) requireOwnPage(request, rt.urls.console)
    const token = sessionToken(request)
    request.member = token === null ? null : await findMember(rt, token, contextOf(request))
    if (rule === 'public') return
    const member = memberOf(request)
    requireShownAccount(member, request.headers['x-postern-account'])
    if (member.twoFactor === 'setup_required' && !beforeTwoFactor) throw notSetUp()
    // Pages that only follow live updates do not keep a forgotten browser signed in.
    if (request.headers['x-postern-idle'] === undefined) await noteActivity(rt, member)
    if (rule !== 'signed-in') {
      await requireAction(rt, member, rule, request)
      requireStanding(member, rule, request)
    }
    if (recent && rt.clock.now() - member.confirmedAt > recentMs) throw notRecent()
    if (takesQuota) await takeFromPlan(rt, app.access.gate, request, reply)
  })
  app.addHook('onResponse', async ({ member, taken }, reply) => {
    // What failed on our side is not charged.
    if (member && taken?.granted && reply.statusCode >= 500)
      app.access.gate.refund(member.accountId, member.plan, taken)
  })
}

/** The person behind a request; without one, 401. */
export function memberOf(request: FastifyRequest): Member {
  if (request.member) return request.member
  throw new AppError('missing_credentials', 'Sign in to the console first.')
}

/** `Secure` works on https and on localhost; elsewhere the browser drops the cookie, and the sign-in page says so. */
export function setSessionCookie(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', hostCookie(cookieName, token, sessionLifeMs / 1_000))
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', hostCookie(cookieName, '', 0))
}

export function hostCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`
}

export function sessionToken(request: FastifyRequest): string | null {
  return cookieOf(request, cookieName)
}

export function cookieOf({ headers }: FastifyRequest, wanted: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2)
    if (name === wanted && value.length > 0 && value.length <= 100) return value
  }
  return null
}

async function requireAction(rt: Runtime, member: Member, action: Action, request: FastifyRequest): Promise<void> {
  if (action === operatorAction && member.operator) return requireSecondFactor(member)
  if (mayDo(member.role, action)) return
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  if (!isRead(request.method)) await noteRefusal(rt, member, action, route)
  const role = member.role.charAt(0).toUpperCase() + member.role.slice(1)
  const owners = await ownerNames(rt, member.accountId)
  throw new AppError(
    'insufficient_role',
    `Your role ${role} cannot ${actionSentences[action]}. Owners: ${owners.join(', ')}.`,
    { requiredScope: action },
  )
}

/** A suspended account can be looked at; what belongs to the person, such as signing out, needs no action at all. */
function requireStanding({ accountStatus }: Member, action: Action, { method }: FastifyRequest): void {
  if (accountStatus === 'active' || action === operatorAction || isRead(method) || action.endsWith(':read')) return
  throw new AppError('account_suspended', 'The account is suspended: nothing can be changed or sent.')
}

async function takeFromPlan(rt: Runtime, gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { accountId, plan } = memberOf(request)
  request.taken = await gate.take(accountId, plan)
  requireQuota(rt, reply, plan, request.taken)
}

/** A page in another tab may still show the account before: what is written there belongs to that one. */
export function requireShownAccount({ accountId, accountName }: Member, shown: unknown): void {
  if (shown === undefined || shown === accountId) return
  throw new AppError('account_switched', `You are signed in to ${accountName} now. Reload the page, or switch back.`)
}

function requireSecondFactor({ twoFactor }: Member): void {
  if (twoFactor === 'on') return
  const sentence = 'Operators need two-factor sign-in. Turn it on under Settings, Security.'
  throw new AppError('two_factor_setup_required', sentence)
}

function notSetUp(): AppError {
  return new AppError('two_factor_setup_required', 'Your account requires two-factor sign-in. Set it up first.')
}

function notRecent(): AppError {
  return new AppError(
    'recent_sign_in_required',
    'Confirm your password first: this action needs a confirmation from the last 5 minutes.',
    {
      requiredScope: recentScope,
    },
  )
}

/** A member tried to change what their role may not: the owners should be able to see it. */
async function noteRefusal(rt: Runtime, member: Member, action: Action, route: string): Promise<void> {
  const metadata = { role: member.role, needed: action, route }
  await writeAudited(rt, { ...entryBy(member, 'console.refused'), metadata }, () => {})
}

/**
 * Refuses what another site makes a browser send with our cookie. Browsers say themselves where a request comes from;
 * one too old to say so sends `Origin` with everything that changes something. Without either nothing is changed.
 */
function requireOwnPage(request: FastifyRequest, consoleUrl: string): void {
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
