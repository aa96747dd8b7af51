import { graphError, invalid, missing } from '../http/errors.ts'
import { isRecord, type Json, list } from '../http/json.ts'
import {
  atMost,
  checkLocation,
  checkMediaSource,
  type MediaLookup,
  onlyKeys,
  requiredText,
} from '../templates/rule-helpers.ts'
import { checkInteractive } from './interactive-rules.ts'

/** Checks the content of a free-form message against the limits of its type. Templates have their own rules. */
export function checkContent(type: string, body: Json, findMedia: MediaLookup): void {
  const check = CHECKS[type]
  if (check === undefined) throw graphError(131051, `Message type "${type}" is not supported.`)
  const content = body[type]
  if (content === undefined) throw missing(type)
  if (type === 'contacts') {
    checkContacts(content)
    return
  }
  if (!isRecord(content)) throw invalid(`Parameter '${type}' must be an object`)
  check(content, findMedia, body)
}

type Check = (content: Json, findMedia: MediaLookup, body: Json) => void

const CHECKS: Record<string, Check> = {
  text: (content) => {
    onlyKeys('text', content, ['body', 'preview_url'])
    atMost(`text['body']`, requiredText('text.body', content.body), 4096)
  },
  image: (content, findMedia) => media('image', content, findMedia, ['caption']),
  video: (content, findMedia) => media('video', content, findMedia, ['caption']),
  document: (content, findMedia) => media('document', content, findMedia, ['caption', 'filename']),
  audio: (content, findMedia) => media('audio', content, findMedia, ['voice']),
  sticker: (content, findMedia) => media('sticker', content, findMedia, []),
  location: (content) => checkLocation('location', content),
  contacts: () => {},
  reaction: (content, _findMedia, body) => {
    onlyKeys('reaction', content, ['message_id', 'emoji'])
    requiredText('reaction.message_id', content.message_id)
    if (typeof content.emoji !== 'string') throw missing('reaction.emoji')
    if (body.context !== undefined) throw invalid("Parameter 'context' is not allowed with a reaction")
  },
  interactive: (content, findMedia, body) => checkInteractive(content, findMedia, body.to),
}

function media(type: string, content: Json, findMedia: MediaLookup, extra: string[]): void {
  onlyKeys(type, content, ['id', 'link', 'provider', ...extra])
  checkMediaSource(type, content, findMedia)
  if (content.caption !== undefined) {
    if (typeof content.caption !== 'string') throw invalid(`Parameter '${type}.caption' must be text`)
    atMost(`${type}['caption']`, content.caption, 1024)
  }
}

function checkContacts(content: unknown): void {
  const contacts = list(content)
  if (contacts.length === 0) throw missing('contacts')
  if (contacts.length > 257) throw invalid("Parameter 'contacts' may hold at most 257 contacts")
  for (const contact of contacts) {
    const name = isRecord(contact) && isRecord(contact.name) ? contact.name : {}
    requiredText('contacts.name.formatted_name', name.formatted_name)
    if (!NAME_PARTS.some((part) => typeof name[part] === 'string' && name[part] !== '')) {
      throw missing('contacts.name: formatted_name and one more part')
    }
  }
}

const NAME_PARTS = ['first_name', 'last_name', 'middle_name', 'suffix', 'prefix']
