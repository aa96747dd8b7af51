import type { ErrorCode } from '../../../contract/errors.ts'
import { errorTable } from '../../../contract/errors.ts'
import type { Dialect, WireAnswer, WireBody, WireRefusal } from '../../dialect.ts'
import { addressOf } from '../cloud-profile.ts'
import { listOf, numberOf, objectOf, textOf } from '../lenient-json.ts'
import { readRead, readSend } from './read-send.ts'

const product = 'whatsapp'
/** The callback address of numbers. At the platform, it is the gateway itself. */
const callbackName = 'webhook_configuration'
const aliasStart = 'wamid.PTN'
const ownPrefix = 'out_'

/** The wire format for Cloud API clients. */
export const graphDialect: Dialect = {
  readRead,
  readSend,
  withIds: (body, { quoted, reacted }) => ({
    ...body,
    ...(quoted !== null && { context: { ...objectOf(body.context), message_id: quoted } }),
    ...(reacted !== null && { reaction: { ...objectOf(body.reaction), message_id: reacted } }),
  }),
  sendBody: (body, correlation) => ({ ...body, biz_opaque_callback_data: correlation }),
  aliasOf: (ownId) => `${aliasStart}${ownId.slice(ownPrefix.length).toUpperCase()}`,
  ownId(alias) {
    const [, id] = /^wamid\.PTN([0-9A-Z]{26})$/.exec(alias) ?? []
    return id === undefined ? null : `${ownPrefix}${id.toLowerCase()}`
  },
  accepted: ({ to, messageId }) => ({
    messaging_product: product,
    contacts: [{ input: to, ...(/^\+?\d+$/.test(to) ? { wa_id: to.replace(/^\+/, '') } : { user_id: to }) }],
    messages: [{ id: messageId }],
  }),
  onlyIds: (body, ids) => ({
    ...body,
    data: listOf(body.data).filter((item) => ids.includes(textOf(objectOf(item)?.id) ?? '')),
  }),
  withOwnLinks,
  showsCallback: (body) => [body, ...listOf(body.data)].some((one) => callbackName in (objectOf(one) ?? {})),
  withOwnCallback(body, url) {
    const own = (object: WireBody): WireBody =>
      callbackName in object ? { ...object, [callbackName]: url === null ? {} : { application: url } } : object
    const { data } = body
    return Array.isArray(data) ? { ...body, data: data.map((one) => own(objectOf(one) ?? {})) } : own(body)
  },
  blockedIn(body) {
    const lists = objectOf(body.block_users)
    const named = (list: unknown) => listOf(list).flatMap((one) => addressOf(objectOf(one)) ?? [])
    return { blocked: named(lists?.added_users), unblocked: named(lists?.removed_users) }
  },
  mediaFacts: ({ id, url, mimeType, sha256, bytes }) => ({
    messaging_product: product,
    url,
    mime_type: mimeType,
    sha256,
    // A number, as Meta answers it; clients in typed languages refuse the string of its page.
    file_size: bytes,
    id,
  }),
  debugged: ({ appId, name, expiresAt, wabaIds }) => ({
    data: {
      app_id: appId,
      type: 'SYSTEM_USER',
      application: name,
      expires_at: expiresAt === null ? 0 : Math.floor(expiresAt / 1_000),
      is_valid: true,
      scopes: tokenScopes,
      granular_scopes: tokenScopes.map((scope) => ({ scope, target_ids: [...wabaIds] })),
    },
  }),
  appToken: ({ appId, appSecret }) => ({ access_token: `${appId}|${appSecret}`, token_type: 'bearer' }),
  subscriptions: (told) => ({
    data: told
      ? [
          {
            object: 'whatsapp_business_account',
            callback_url: told.url,
            active: told.active,
            fields: told.fields.map((name) => ({ name })),
          },
        ]
      : [],
  }),
  subscribedApps: ({ appId, url }) => ({
    data: [
      {
        whatsapp_business_api_data: { id: appId, name: 'Postern' },
        ...(url !== null && { override_callback_uri: url }),
      },
    ],
  }),
  refusal,
  errorCode,
  passedRefusal,
}

const tokenScopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
const secretParameters = ['access_token', 'appsecret_proof']

type Link = { base: string; token: string | null }

/** Also of the lists within an object, such as its analytics. */
function withOwnLinks(body: WireBody, link: Link): WireBody {
  const listed = Object.entries(body).map(([name, value]): [string, unknown] => {
    const list = objectOf(value)
    return [name, list && name !== 'paging' && objectOf(list.paging) ? withOwnLinks(list, link) : value]
  })
  const own = Object.fromEntries(listed)
  const paging = objectOf(own.paging)
  if (!paging) return own
  const links = ['next', 'previous'].flatMap((name) => {
    const url = ownLink(textOf(paging[name]), link)
    return url === null ? [] : [[name, url] as const]
  })
  const { next: _next, previous: _previous, ...cursors } = paging
  return { ...own, paging: { ...cursors, ...Object.fromEntries(links) } }
}

function ownLink(theirs: string | null, { base, token: given }: Link): string | null {
  const url = theirs === null ? null : URL.parse(theirs)
  if (!url) return null
  for (const name of secretParameters) url.searchParams.delete(name)
  if (given !== null) url.searchParams.set('access_token', given)
  return `${base}${url.pathname}${url.search}`
}

type Row = { status: number; code: number; message: string; type?: string; subcode?: number; transient?: boolean }

const token: Row = { status: 401, code: 190, message: 'Invalid OAuth access token' }
const permission: Row = { status: 403, code: 10, message: 'Application does not have permission for this action' }
/** The same for what doesn't exist and for what belongs to others. */
const unknownObject: Row = {
  status: 400,
  code: 100,
  subcode: 33,
  type: 'GraphMethodException',
  message: 'Unsupported request: the object does not exist, or this token has no access to it',
}
const invalid: Row = { status: 400, code: 100, message: 'Invalid parameter' }
const invalidValue: Row = { status: 400, code: 131009, message: 'Parameter value is not valid' }
const throttled: Row = { status: 429, code: 130429, message: 'Rate limit hit' }
const throttledPair: Row = { ...throttled, code: 131056, message: 'Pair rate limit hit' }
/** A throttle is the one answer that says for certain that nothing was sent. */
const unavailable: Row = { ...throttled, status: 503, transient: true }
/** Only the operator can help; to the tool its own token is fine. */
const accessDenied: Row = { status: 403, code: 131005, message: 'Access denied' }

const rows: Partial<Record<ErrorCode, Row>> = {
  token_expired: { ...token, subcode: 463 },
  api_key_inactive: { ...token, subcode: 463 },
  account_suspended: token,
  insufficient_scope: permission,
  ip_not_allowed: permission,
  cross_site_request: permission,
  malformed_json: invalid,
  malformed_request: invalid,
  unsupported_media_type: invalid,
  unsupported_content_encoding: invalid,
  payload_too_large: invalid,
  media_type_not_supported: invalid,
  media_content_mismatch: invalid,
  media_too_large: invalid,
  customer_window_closed: { status: 400, code: 131047, message: 'Re-engagement message' },
  recipient_opted_out: { status: 400, code: 131050, message: 'User has stopped marketing messages' },
  recipient_blocked: { status: 400, code: 130403, message: 'User is blocked' },
  channel_not_connected: accessDenied,
  connection_handshake_failed: {
    status: 400,
    code: 2200,
    message: 'Callback verification failed',
  },
}

/** By what kind of refusal it is here; a code that is new there is right here at once. */
function rowOf({ code, extras }: WireRefusal): Row {
  const known = rows[code]
  if (known) return known
  if (extras.ofCustomer) return throttledPair
  const { type, status } = errorTable[code]
  if (code === 'validation_failed') {
    const isMissing = extras.details?.every((detail) => detail.code === 'required')
    return isMissing ? { status: 400, code: 131008, message: 'Required parameter is missing' } : invalidValue
  }
  if (code.startsWith('channel_') && status !== 429 && code !== 'channel_rejected') return accessDenied
  switch (type) {
    case 'authentication':
      return token
    case 'permission':
      return permission
    case 'not_found':
      return unknownObject
    case 'rate_limit':
      return throttled
    case 'server':
      return unavailable
    default:
      return invalidValue
  }
}

function refusal(refused: WireRefusal): WireAnswer {
  const { upstream } = refused.extras
  const { status, code, message, type = 'OAuthException', subcode, transient } = rowOf(refused)
  // What the platform said itself wins, unless it speaks of our token.
  const isTheirs = upstream?.code != null && !isAboutToken(upstream.code)
  const error = {
    message: isTheirs ? (upstream.title ?? message) : `(#${code}) ${message}`,
    type,
    code: isTheirs ? upstream.code : code,
    ...(subcode !== undefined && !isTheirs && { error_subcode: subcode }),
    ...(transient && { is_transient: true }),
    error_data: {
      messaging_product: product,
      details: (isTheirs ? upstream.detail : null) ?? refused.sentence,
    },
    fbtrace_id: refused.requestId,
  }
  return { status, body: { error } }
}

function passedRefusal({ status, body }: WireAnswer): WireAnswer | null {
  const code = errorCode({ status, body })
  return code === null || isAboutToken(code) ? null : { status, body: body as WireBody }
}

function errorCode({ body }: WireAnswer): number | null {
  return numberOf(objectOf(body.error)?.code)
}

function isAboutToken(code: number): boolean {
  return [0, 3, 10, 33, 104, 190].includes(code) || (code >= 200 && code <= 299)
}
