import { invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { type Json, list, record } from '../http/json.ts'
import { drawText } from '../ids.ts'
import type { Platform } from '../platform.ts'
import { atMost, requiredText } from '../templates/rule-helpers.ts'
import type { PhoneNumber } from '../world.ts'

const CODE_CHARACTERS = 14

/** `POST /{phone_number}/message_qrdls`: a short link with a first message, or with `code` other words for one. */
export function saveLink(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { prefilled_message, generate_qr_image: image, code } = call.params
  const words = requiredText('prefilled_message', prefilled_message)
  atMost('prefilled_message', words, 140)
  if (image !== undefined && image !== 'SVG' && image !== 'PNG') throw invalid('generate_qr_image is SVG or PNG')
  const links = linksOf(number)
  const known = code === undefined ? undefined : links[String(code)]
  if (code !== undefined && known === undefined) throw invalid(`There is no link with the code ${String(code)}`)
  const id = code === undefined ? drawText(CODE_CHARACTERS).toUpperCase() : String(code)
  links[id] = words
  platform.changed()
  return ok(view(platform, id, words, image !== undefined))
}

/** The address of a QR code is given to who asks for it. */
function asksImage({ query }: Call): boolean {
  return /\bqr_image_url\b/.test(query.get('fields') ?? '')
}

export function listLinks(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const links = Object.entries(linksOf(number))
  return ok({ data: links.map(([code, words]) => view(platform, code, words, asksImage(call))) })
}

export function readLink(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const [code, words] = requireLink(call, number)
  return ok({ data: [view(platform, code, words, asksImage(call))] })
}

export function deleteLink(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const [code] = requireLink(call, number)
  delete linksOf(number)[code]
  platform.changed()
  return SUCCESS
}

function linksOf(number: PhoneNumber): Record<string, string> {
  number.links ??= {}
  return number.links
}

function requireLink({ method, path }: Call, number: PhoneNumber): [string, string] {
  const code = path[2] ?? ''
  const words = linksOf(number)[code]
  if (words === undefined) throw unknownNode(method, code)
  return [code, words]
}

function view(platform: Platform, code: string, words: string, hasImage: boolean): Json {
  const link = { code, prefilled_message: words, deep_link_url: `https://wa.me/message/${code}` }
  return hasImage ? { ...link, qr_image_url: `${platform.baseUrl()}/qr/${code}` } : link
}

/** `POST /{phone_number}/conversational_automation`: ice breakers and commands; what is given replaces what was there. */
export function saveAutomation(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { prompts, commands } = call.params
  if (prompts === undefined && commands === undefined) throw missing('prompts or commands')
  const texts = list(prompts).map((prompt) => requiredText('prompts', prompt))
  // One page says three, an older one four: both are accepted.
  if (texts.length > 4) throw invalid('There are at most 4 prompts')
  for (const prompt of texts) atMost('prompt', prompt, 80)
  const named = list(commands).map(record)
  if (named.length > 30) throw invalid('There are at most 30 commands')
  for (const { command_name: name, command_description: description } of named) {
    atMost('command_name', requiredText('command_name', name), 30)
    atMost('command_description', requiredText('command_description', description), 256)
  }
  number.automation = {
    ...number.automation,
    ...(prompts !== undefined && { prompts: texts }),
    ...(commands !== undefined && { commands: named }),
  }
  platform.changed()
  return SUCCESS
}

/** `GET /{phone_number}/message_history?message_id=`: what became of a message. Not yet seen on a real account. */
export function readHistory(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const id = call.query.get('message_id')
  const message = id === null ? undefined : platform.messages.get(id)
  if (message === undefined || message.numberId !== number.id) return ok({ data: [] })
  const events = message.history.map(({ status, atMs }) => ({
    delivery_status: status === 'failed' ? 'ERROR' : status.toUpperCase(),
    timestamp: Math.floor(atMs / 1000),
  }))
  const about = { id: `mh_${message.seq}`, message_id: message.id }
  return ok({ data: [{ ...about, events: { data: events } }] })
}
