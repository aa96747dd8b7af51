import { graphError, invalid } from '../http/errors.ts'
import { type Json, lengthOf, record, text } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { atMost, onlyKeys, requiredObject, requiredText } from '../templates/rule-helpers.ts'
import type { PhoneNumber } from '../world.ts'

/** A message without an approved template; the platform makes one of it. */
export type Direct = { category: 'UTILITY' | 'AUTHENTICATION'; templateName: string | null }

/** The rules of the pages about Direct Send, 29 to 31 July 2026. Null for a message of the old kind. */
export function checkDirectSend(platform: Platform, number: PhoneNumber, body: Json, hasPhone: boolean): Direct | null {
  const { category } = body
  if (category === undefined || category === 'service') return null
  if (category !== 'utility' && category !== 'authentication') {
    throw graphError(100, `The category ${String(category)} is not supported for messages.`)
  }
  if (!platform.world.wabas.get(number.wabaId)?.directSend) {
    throw graphError(100, "The 'category' value requires Direct Send, which isn't enabled for this account.")
  }
  checkTtl(category, body.ttl_seconds)
  checkForm(category, body)
  if (category === 'authentication' && !hasPhone) throw graphError(131062, 'Such a message needs a phone number.')
  const config =
    body.direct_send_config === undefined ? {} : requiredObject('direct_send_config', body.direct_send_config)
  onlyKeys('direct_send_config', config, ['template_name'])
  const name =
    config.template_name === undefined ? null : requiredText('direct_send_config.template_name', config.template_name)
  if (name !== null && (category !== 'utility' || !/^[a-z0-9_]{1,512}$/.test(name)))
    throw invalid('template_name is not valid here')
  return { category: category === 'utility' ? 'UTILITY' : 'AUTHENTICATION', templateName: name }
}

function checkTtl(category: string, ttl: unknown): void {
  if (ttl === undefined) return
  const most = category === 'utility' ? 43_200 : 900
  if (typeof ttl !== 'number' || ttl < 30 || ttl > most) throw invalid(`ttl_seconds is 30 to ${most} for ${category}`)
}

const INTERACTIVE = ['button', 'cta_url', 'voice_call']

function checkForm(category: string, body: Json): void {
  const type = text(body.type) ?? 'text'
  if (type === 'text') {
    const { body: words, preview_url } = record(body.text)
    atMost("text['body']", String(words), 1024)
    if (preview_url === true) throw invalid('A direct send has no link preview')
    return
  }
  const kind = text(record(body.interactive).type) ?? ''
  if (category !== 'utility' || type !== 'interactive' || !INTERACTIVE.includes(kind)) {
    throw invalid(`A message of type ${type} cannot be sent with the category ${category}`)
  }
  const words = text(record(record(body.interactive).body).text) ?? ''
  if (lengthOf(words) > 1024) throw invalid('The body of a direct send has at most 1024 characters')
}
