import { authenticate, debugToken, exchangeToken, expiredToken, requirePermission } from '../accounts/auth.ts'
import { blockUsers, deleteContact, listBlocked, unblockUsers } from '../accounts/blocked-users.ts'
import { deleteLink, listLinks, readHistory, readLink, saveAutomation, saveLink } from '../accounts/entry-points.ts'
import { readNumber, updateNumber, updateSettings } from '../accounts/numbers.ts'
import { downloadPicture, readProfile, updateProfile } from '../accounts/profile.ts'
import { createNumber, deregister, register, requestCode, verifyCode } from '../accounts/registration.ts'
import { syncAppData } from '../accounts/signup.ts'
import { deleteUsername, readUsername, saveUsername, suggestUsernames } from '../accounts/username.ts'
import { listNumbers, readWaba, templateAnalytics, updateWaba } from '../accounts/wabas.ts'
import { appSubscriptions, subscribedApps } from '../callbacks/subscriptions.ts'
import { deleteMedia, downloadMedia, readMedia, uploadMedia } from '../media/media.ts'
import { continueUpload, openUpload } from '../media/resumable-upload.ts'
import { effectError, postMarketingMessage, postMessage } from '../messages/post-message.ts'
import type { Effects } from '../messages/scenario.ts'
import { controlThread } from '../messages/thread-control.ts'
import type { Platform } from '../platform.ts'
import { listLibrary } from '../templates/template-library.ts'
import {
  archiveTemplates,
  createTemplate,
  deleteTemplates,
  editTemplate,
  listTemplates,
  readTemplate,
  unpauseTemplate,
  upsertTemplates,
} from '../templates/templates.ts'
import type { App, Media, PhoneNumber, Template, Token, Waba } from '../world.ts'
import { unknownNode } from './errors.ts'
import { type Call, edgeOf, type Reply } from './http.ts'

type Answer = Reply | Promise<Reply>
type Handler<Node> = (platform: Platform, call: Call, node: Node, token: Token) => Answer

const SENDS: Record<string, typeof postMessage> = { messages: postMessage, marketing_messages: postMarketingMessage }

const NUMBER: Record<string, Handler<PhoneNumber>> = {
  'GET ': readNumber,
  'POST ': updateNumber,
  'POST media': uploadMedia,
  'GET whatsapp_business_profile': readProfile,
  'POST whatsapp_business_profile': updateProfile,
  'POST settings': updateSettings,
  'POST request_code': requestCode,
  'POST verify_code': verifyCode,
  'POST register': register,
  'POST deregister': deregister,
  'POST smb_app_data': syncAppData,
  'POST message_qrdls': saveLink,
  'GET message_qrdls': listLinks,
  'GET message_qrdls/{code}': readLink,
  'DELETE message_qrdls/{code}': deleteLink,
  'POST conversational_automation': saveAutomation,
  'GET message_history': readHistory,
  'POST username': saveUsername,
  'GET username': readUsername,
  'DELETE username': deleteUsername,
  'GET username_suggestions': suggestUsernames,
  'GET block_users': listBlocked,
  'POST block_users': blockUsers,
  'DELETE block_users': unblockUsers,
  'POST thread_control': controlThread,
  'DELETE contact_book': deleteContact,
}

const WABA: Record<string, Handler<Waba>> = {
  'GET ': readWaba,
  'POST ': updateWaba,
  'GET phone_numbers': listNumbers,
  'POST phone_numbers': createNumber,
  'GET message_templates': listTemplates,
  'POST message_templates': createTemplate,
  'DELETE message_templates': deleteTemplates,
  'POST message_templates/archive': archiveTemplates,
  'POST message_templates/unarchive': archiveTemplates,
  'POST upsert_message_templates': upsertTemplates,
  'GET subscribed_apps': subscribedApps,
  'POST subscribed_apps': subscribedApps,
  'DELETE subscribed_apps': subscribedApps,
  'GET template_analytics': templateAnalytics,
}

const TEMPLATE: Record<string, Handler<Template>> = {
  'GET ': readTemplate,
  'POST ': editTemplate,
  'POST unpause': unpauseTemplate,
}

const MEDIA: Record<string, Handler<Media>> = { 'GET ': readMedia, 'DELETE ': deleteMedia }

const APP: Record<string, Handler<App>> = {
  'GET subscriptions': appSubscriptions,
  'POST subscriptions': appSubscriptions,
  'DELETE subscriptions': appSubscriptions,
  'POST uploads': openUpload,
}

/** Every call that is answered, by the name under which the recorded contract knows it. */
export function recordedCalls(): string[] {
  const tables = { phone_number: NUMBER, waba: WABA, template: TEMPLATE, media: MEDIA, app: APP }
  const named = Object.entries(tables).flatMap(([node, table]) =>
    Object.keys(table).map((key) => key.replace(' ', ` /{${node}}/`).replace(/\/$/, '')),
  )
  const sends = Object.keys(SENDS).map((edge) => `POST /{phone_number}/${edge}`)
  const others = [
    'GET /{media_bytes}',
    'GET /{profile_picture}',
    'GET /{upload}',
    'POST /{upload}',
    'GET /debug_token',
    'GET /oauth/access_token',
    'POST /oauth/access_token',
  ]
  return [...named, ...sends, ...others, 'GET /message_template_library']
}

/** The edge or the kind of node a request is about: what scenario rules call `endpoint`. */
export function endpointOf(platform: Platform, { path }: Call): string {
  const [first = '', edge] = path
  if (first === 'whatsapp_business') return 'media_bytes'
  if (edge !== undefined) return edge
  const { world } = platform
  if (world.numbers.has(first)) return 'phone_number'
  if (world.wabas.has(first)) return 'waba'
  if (world.templates.has(first)) return 'template'
  if (world.media.has(first)) return 'media_object'
  return first.startsWith('upload:') ? 'upload' : first
}

/** Bodies that are files are read by their handlers; everything else is parameters. */
export function carriesFile({ path, method }: Call): boolean {
  return method === 'POST' && (path[1] === 'media' || (path[0] ?? '').startsWith('upload'))
}

/** Carries out one Graph call. Synchronous wherever it can be: sends are most of the traffic. */
export function dispatch(platform: Platform, call: Call, effects: Effects | null): Answer {
  if (effects?.expired_token) throw expiredToken()
  if (effects?.error) throw effectError(effects.error)
  const [first = ''] = call.path
  if (first === 'whatsapp_business') return downloadMedia(platform, call)
  if (first === 'profile_picture') return downloadPicture(platform, call)
  if (first === 'debug_token') return debugToken(platform, call)
  if (first === 'oauth') return exchangeToken(platform, call)
  if (first.startsWith('upload')) return continueUpload(platform, call)
  const token = authenticate(platform, call)
  if (first === 'message_template_library') return listLibrary(platform, call)
  const number = platform.world.numbers.get(first)
  if (number === undefined) return dispatchNode(platform, call, token)
  if (!token.wabaIds.includes(number.wabaId)) throw unknownNode(call.method, first)
  const edge = call.path[1]
  const post = call.method === 'POST' ? SENDS[edge ?? ''] : undefined
  if (post || edge === 'media') requirePermission(token, 'whatsapp_business_messaging')
  if (post) return post(platform, number, call, effects)
  return handlerOf(NUMBER, call)(platform, call, number, token)
}

function dispatchNode(platform: Platform, call: Call, token: Token): Answer {
  const [id = ''] = call.path
  const { world } = platform
  const waba = world.wabas.get(id)
  if (waba && token.wabaIds.includes(id)) {
    requirePermission(token, 'whatsapp_business_management')
    return manage(platform, call, waba, token)
  }
  const template = world.templates.get(id)
  if (template && token.wabaIds.includes(template.wabaId)) {
    requirePermission(token, 'whatsapp_business_management')
    return handlerOf(TEMPLATE, call)(platform, call, template, token)
  }
  const media = world.media.get(id)
  if (media && media.expiresAtMs > platform.clock.now() && token.wabaIds.includes(media.wabaId)) {
    return handlerOf(MEDIA, call)(platform, call, media, token)
  }
  const app = world.apps.get(id)
  if (app && token.appId === id) return handlerOf(APP, call)(platform, call, app, token)
  throw unknownNode(call.method, id)
}

function handlerOf<Node>(table: Record<string, Handler<Node>>, { method, path }: Call): Handler<Node> {
  const handler = table[`${method} ${edgeOf(path)}`]
  if (handler === undefined) throw unknownNode(method, path[0] ?? '')
  return handler
}

/** Calls about an account are counted by the hour, and the answer says how much is used. */
async function manage(platform: Platform, call: Call, waba: Waba, token: Token): Promise<Reply> {
  const numbers = [...platform.world.numbers.values()]
  const registered = numbers.some(({ wabaId, status }) => wabaId === waba.id && status === 'CONNECTED')
  const usage = platform.throttle.admitManagement(platform.behaviour, waba, registered, platform.clock.now())
  const reply = await handlerOf(WABA, call)(platform, call, waba, token)
  return { ...reply, headers: [...(reply.headers ?? []), ...usage] }
}
