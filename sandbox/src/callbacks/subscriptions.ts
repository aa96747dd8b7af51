import { randomInt } from 'node:crypto'
import { graphError, invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { type Json, looseList, text } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import type { App, PhoneNumber, Token, Waba } from '../world.ts'

const VERIFY_TIMEOUT_MS = 10_000
const URL_MOST = 200

/** `/{waba}/subscribed_apps`: whether, and where, this app hears about the account. */
export async function subscribedApps(platform: Platform, call: Call, waba: Waba, token: Token): Promise<Reply> {
  if (call.method === 'GET') return ok({ data: waba.subscriptions.map((item) => subscriptionView(platform, item)) })
  const others = waba.subscriptions.filter(({ appId }) => appId !== token.appId)
  if (call.method === 'DELETE') {
    waba.subscriptions = others
    platform.changed()
    return SUCCESS
  }
  const url = text(call.params.override_callback_uri) ?? ''
  if (url !== '') {
    const app = platform.world.apps.get(token.appId)
    const hearsMessages = app?.callbackUrl != null && app.fields.includes('messages')
    if (!hearsMessages || others.length === waba.subscriptions.length) throw notSubscribedYet()
    await verifyCallback(platform, url, text(call.params.verify_token))
  }
  // A plain POST takes an earlier override away.
  waba.subscriptions = [...others, { appId: token.appId, overrideUrl: url === '' ? null : url }]
  platform.changed()
  return SUCCESS
}

/** The platform demands both: the app's own subscription to `messages`, and a plain subscription to the account. */
function notSubscribedYet() {
  return graphError(100, undefined, {
    message:
      '(#100) Before override the current callback uri, your app must be subscribed to receive messages for ' +
      'WhatsApp Business Account',
  })
}

function subscriptionView(platform: Platform, { appId, overrideUrl }: Waba['subscriptions'][number]): Json {
  const name = platform.world.apps.get(appId)?.name
  const view: Json = { whatsapp_business_api_data: { id: appId, name, link: `https://apps.example/${appId}` } }
  if (overrideUrl !== null) view.override_callback_uri = overrideUrl
  return view
}

/** `POST /{phone_number_id} {"webhook_configuration": {...}}`: an address for one number; an empty one removes it. */
export async function setNumberCallback(platform: Platform, number: PhoneNumber, configuration: Json): Promise<void> {
  const url = text(configuration.override_callback_uri) ?? ''
  if (url !== '') await verifyCallback(platform, url, text(configuration.verify_token))
  number.callbackUrl = url === '' ? null : url
}

/** `/{app_id}/subscriptions`: the app's own address and fields, with the app's own token. */
export async function appSubscriptions(platform: Platform, call: Call, app: App, token: Token): Promise<Reply> {
  if (token.appId !== app.id) throw unknownNode(call.method, app.id)
  if (call.method === 'GET') {
    const fields = app.fields.map((name) => ({ name, version: 'v26.0' }))
    const active = app.callbackUrl !== null
    return ok({ data: active ? [{ object: OBJECT, callback_url: app.callbackUrl, active, fields }] : [] })
  }
  if (call.method === 'DELETE') {
    app.callbackUrl = null
    platform.changed()
    return SUCCESS
  }
  if (call.params.object !== OBJECT) throw invalid(`Parameter 'object' must be ${OBJECT}`)
  const url = text(call.params.callback_url)
  if (url === undefined) throw missing('callback_url')
  await verifyCallback(platform, url, text(call.params.verify_token))
  app.callbackUrl = url
  const fields = looseList(call.params.fields)
  if (fields.length > 0) app.fields = fields
  platform.changed()
  return SUCCESS
}

const OBJECT = 'whatsapp_business_account'

/** The handshake: an address is saved only if it answers 200 and exactly the challenge. */
async function verifyCallback(platform: Platform, url: string, verifyToken: string | undefined): Promise<void> {
  if (verifyToken === undefined) throw missing('verify_token')
  if (url.length > URL_MOST) throw invalid(`A callback address has at most ${URL_MOST} characters`)
  if (!URL.canParse(url)) throw invalid('The callback address is not a URL')
  if (!platform.callbacks.development && !url.startsWith('https:')) {
    throw graphError(100, undefined, { message: '(#100) The callback address must use https' })
  }
  const challenge = String(1_000_000_000 + randomInt(1_000_000_000))
  const target = new URL(url)
  target.searchParams.set('hub.mode', 'subscribe')
  target.searchParams.set('hub.challenge', challenge)
  target.searchParams.set('hub.verify_token', verifyToken)
  const outcome = await platform.callbacks.get(target.href, VERIFY_TIMEOUT_MS)
  if (outcome.status === 200 && outcome.body === challenge) return
  const reason =
    outcome.error ?? (outcome.status === 200 ? 'the challenge was not echoed' : `HTTP status ${outcome.status}`)
  throw graphError(2200, undefined, { message: `(#2200) Callback verification failed: ${reason}` })
}
