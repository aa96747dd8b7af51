import type { ServerResponse } from 'node:http'
import { graphError } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { isRecord, parse, text } from '../http/json.ts'
import { accessToken, drawText } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { App, PhoneNumber, Token, Waba } from '../world.ts'
import { openNumber } from './sandbox-numbers.ts'

/** Meta's page gives codes of its popup 30 seconds. */
const CODE_LIFE_MS = 30_000
export const TOKEN_LIFE_MS = 60 * 86_400_000

/** `GET /dialog/oauth` is Facebook Login; `GET /messaging/whatsapp/onboard` is the hosted page. */
export function isDialog({ path }: Call): boolean {
  return path.join('/') === 'dialog/oauth' || path.join('/') === 'messaging/whatsapp/onboard'
}

/**
 * The page on which the owner of a business lets an app have an account. A browser opens it, so that it answers HTML: the
 * choices are links, and `decision` is what was chosen. Problems are shown there, and nothing is redirected.
 */
export function openDialog(platform: Platform, call: Call, res: ServerResponse): void {
  const { query } = call
  const asked = readDialog(platform, call)
  if (typeof asked === 'string') {
    writeHtml(res, 400, `<h1>Sorry, something went wrong</h1><p>${asHtml(asked)}</p>`)
    return
  }
  const decision = query.get('decision')
  if (decision === null) {
    writeHtml(res, 200, choices(platform, call))
    return
  }
  const back = new URL(asked.redirectUri)
  for (const [name, value] of answerOf(platform, asked, decision, query)) back.searchParams.set(name, value)
  const state = query.get('state')
  if (state !== null) back.searchParams.set('state', state)
  res.writeHead(302, { Location: back.href })
  res.end()
}

type Dialog = { app: App; redirectUri: string; isHosted: boolean; onBusinessApp: boolean }

function readDialog(platform: Platform, { path, query }: Call): Dialog | string {
  const isHosted = path[0] === 'messaging'
  const app = platform.world.apps.get(query.get(isHosted ? 'app_id' : 'client_id') ?? '')
  const redirectUri = query.get('redirect_uri') ?? ''
  if (app === undefined) return 'Invalid App ID: The provided app ID does not look like a valid app ID.'
  if (!/^\d+$/.test(query.get('config_id') ?? '')) return 'This configuration does not exist.'
  if (query.has('scope')) return 'A configuration decides the permissions: scope is not supported.'
  if (!isHosted && query.get('response_type') !== 'code') return 'This flow needs response_type=code.'
  if (!isHosted && query.get('override_default_response_type') !== 'true') {
    return 'Without override_default_response_type the token comes in the fragment.'
  }
  if (!URL.canParse(redirectUri) || !(app.redirectUris?.includes(redirectUri) ?? true)) {
    return "URL blocked: This redirect failed because the redirect URI is not white-listed in the app's client OAuth settings."
  }
  const extras = query.has('extras') ? parse(query.get('extras') ?? '') : {}
  if (!isRecord(extras)) return 'extras is not valid JSON.'
  if (extras.version !== undefined && extras.version !== 'v4') return 'This version of Embedded Signup has ended.'
  return { app, redirectUri, isHosted, onBusinessApp: extras.featureType === 'whatsapp_business_app_onboarding' }
}

/** What comes back from the hosted page besides `code` is not documented; ids may come, and the client must not trust them. */
function answerOf(platform: Platform, asked: Dialog, decision: string, query: URLSearchParams): [string, string][] {
  if (decision !== 'allow') {
    return [
      ['error', 'access_denied'],
      ['error_code', '200'],
      ['error_reason', 'user_denied'],
      ['error_description', 'Permissions error'],
    ]
  }
  const { waba, number } = shared(platform, asked, query.get('waba_id'))
  const code = `AQ${drawText(60)}`
  platform.codes.set(code, {
    appId: asked.app.id,
    redirectUri: asked.redirectUri,
    wabaIds: [waba.id],
    expiresAtMs: platform.clock.now() + CODE_LIFE_MS,
    used: false,
  })
  const ids: [string, string][] = [
    ['waba_id', waba.id],
    ...(asked.onBusinessApp || number === undefined ? [] : ([['phone_number_id', number.id]] as [string, string][])),
  ]
  return [['code', code], ...(asked.isHosted ? ids : [])]
}

/** An account of the sandbox, or a new one with a number that has yet to be registered. */
function shared(
  platform: Platform,
  { app, onBusinessApp }: Dialog,
  wabaId: string | null,
): { waba: Waba; number?: PhoneNumber } {
  const known = wabaId === null ? undefined : platform.world.wabas.get(wabaId)
  if (known) return { waba: known }
  const number = openNumber(platform, {
    name: 'New Business',
    registered: onBusinessApp,
    app_id: app.id,
    app_secret: app.secret,
  })
  number.verification = 'VERIFIED'
  if (onBusinessApp) number.onBusinessApp = true
  const waba = platform.world.wabas.get(number.wabaId)
  if (waba === undefined) throw new Error('A number has no account.')
  return { waba, number }
}

function choices(platform: Platform, call: Call): string {
  const to = (more: Record<string, string>) => {
    const query = new URLSearchParams(call.query)
    for (const [name, value] of Object.entries(more)) query.set(name, value)
    return asHtml(`/${call.path.join('/')}?${query}`)
  }
  const known = [...platform.world.wabas.values()].map(
    ({ id, name }) => `<li><a href="${to({ decision: 'allow', waba_id: id })}">${asHtml(name)} (${id})</a></li>`,
  )
  return `<h1>Sandbox: connect to WhatsApp</h1><p>This page stands for Meta's. Which account may the app use?</p>
<ul><li><a href="${to({ decision: 'allow' })}">A new account with a new number</a></li>${known.join('')}
<li><a href="${to({ decision: 'cancel' })}">Cancel</a></li></ul>`
}

function writeHtml(res: ServerResponse, status: number, body: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandbox</title><style>body{font:16px/1.5 system-ui;max-width:40em;margin:3em auto;padding:0 1em}</style>${body}</html>`
  res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(page) })
  res.end(page)
}

function asHtml(words: string): string {
  return words.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Reads and spends a code, or says why it is worth nothing. */
export function redeemCode(platform: Platform, app: App, params: Call['params']): Reply {
  const code = platform.codes.get(String(params.code))
  const refusal = (subcode: number, message: string) => graphError(100, undefined, { subcode, message })
  if (code === undefined || code.appId !== app.id) throw refusal(36_009, 'Invalid verification code format.')
  if (code.used) throw refusal(36_009, 'This authorization code has been used.')
  if (code.expiresAtMs <= platform.clock.now()) throw refusal(36_007, 'This authorization code has expired.')
  if (params.redirect_uri !== code.redirectUri) {
    throw refusal(
      36_008,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    )
  }
  code.used = true
  return grant(platform, app, code.wabaIds)
}

/** `grant_type=fb_exchange_token`: a new token for one that works; the old one lives on until its own end. */
export function renewToken(platform: Platform, app: App, old: unknown): Reply {
  const token = platform.world.tokens.get(text(old) ?? '')
  if (token === undefined || token.appId !== app.id || isOver(platform, token)) {
    throw graphError(190, undefined, { message: 'Error validating access token: the token cannot be exchanged.' })
  }
  return grant(platform, app, token.wabaIds, token.permissions)
}

function grant(platform: Platform, app: App, wabaIds: string[], permissions?: Token['permissions']): Reply {
  const now = platform.clock.now()
  const token: Token = {
    value: accessToken(),
    appId: app.id,
    wabaIds,
    expired: false,
    issuedAtMs: now,
    expiresAtMs: now + TOKEN_LIFE_MS,
    ...(permissions && { permissions }),
  }
  platform.world.tokens.set(token.value, token)
  platform.changed()
  return ok({ access_token: token.value, token_type: 'bearer', expires_in: TOKEN_LIFE_MS / 1_000 })
}

export function isOver(platform: Platform, { expired, expiresAtMs }: Token): boolean {
  return expired || (expiresAtMs !== undefined && expiresAtMs <= platform.clock.now())
}

const SYNC_MS = 24 * 3_600_000
const SYNCS = ['smb_app_state_sync', 'history']

/** `POST /{phone_number}/smb_app_data`: contacts and history of the WhatsApp Business app, each once, within a day. */
export function syncAppData(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { sync_type: type } = call.params
  if (call.params.messaging_product !== 'whatsapp')
    throw graphError(131_008, "Parameter 'messaging_product' is required")
  if (!SYNCS.includes(String(type))) throw graphError(100, `sync_type is one of ${SYNCS.join(', ')}`)
  if (!number.onBusinessApp) throw graphError(100, 'The number is not in use with the WhatsApp Business app.')
  if (number.synced?.includes(String(type))) throw graphError(2_593_107)
  if (platform.clock.now() - number.onboardedAtMs > SYNC_MS) throw graphError(2_593_108)
  number.synced = [...(number.synced ?? []), String(type)]
  platform.changed()
  tellSync(platform, number, String(type))
  return ok({ messaging_product: 'whatsapp', request_id: drawText(22) })
}

function tellSync(platform: Platform, number: PhoneNumber, type: string): void {
  const { id: numberId, wabaId, digits: businessDigits } = number
  const metadata = { display_phone_number: businessDigits, phone_number_id: numberId }
  const timestamp = String(Math.floor(platform.clock.now() / 1_000))
  const contact = { full_name: 'Ana Costa', first_name: 'Ana', phone_number: '12025550100' }
  const sent = { from: '12025550100', id: `wamid.${drawText(24)}`, timestamp, type: 'text', text: { body: 'Earlier' } }
  const thread = { id: '12025550100', messages: [{ ...sent, history_context: { status: 'READ' } }] }
  const item =
    type === 'history'
      ? { history: [{ metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: [thread] }] }
      : { state_sync: [{ type: 'contact', contact, action: 'add', metadata: { timestamp } }] }
  platform.outbox.push({
    wabaId,
    numberId,
    businessDigits,
    field: type,
    kind: 'value',
    item: { messaging_product: 'whatsapp', metadata, ...item },
    contact: null,
  })
}
