import type { RelayDialect, RelayedMessage, RelayPiece } from '../../relay-dialect.ts'
import { asciiJson, isExactNumber, type JsonObject, listOf, objectOf, parseExact, textOf } from '../lenient-json.ts'

const businessObject = 'whatsapp_business_account'

/** Lists of a change in which each entry is a thing of its own, and what it is. */
const lists = {
  messages: 'message',
  statuses: 'status',
  errors: 'other',
  user_actions: 'other',
  message_echoes: 'echo',
  user_preferences: 'other',
  user_id_update: 'other',
  calls: 'other',
  state_sync: 'other',
} as const satisfies Record<string, RelayPiece['kind']>

type ListName = keyof typeof lists
const listNames = Object.keys(lists) as ListName[]

/** Total: a body that nobody can read, or that is nested too deeply to be written again, has no pieces. */
export function splitCallback(bodyText: string, mediaBase: string): RelayPiece[] {
  try {
    return piecesIn(bodyText, mediaBase)
  } catch {
    return []
  }
}

function piecesIn(bodyText: string, mediaBase: string): RelayPiece[] {
  const body = objectOf(parseExact(bodyText))
  if (body?.object !== businessObject) return []
  return listOf(body.entry).flatMap((one) => {
    const entry = objectOf(one)
    return listOf(entry?.changes).flatMap((change) => piecesOf(entry ?? {}, objectOf(change), mediaBase))
  })
}

function piecesOf(entry: JsonObject, change: JsonObject | null, mediaBase: string): RelayPiece[] {
  const value = objectOf(change?.value)
  if (!change || !value) return []
  const { changes: _, ...around } = entry
  const place = {
    field: textOf(change.field) ?? '',
    wabaId: textOf(entry.id),
    phoneNumberId: textOf(objectOf(value.metadata)?.phone_number_id),
  }
  const within = (content: JsonObject) => {
    const own = asOurs(content, mediaBase)
    return asciiJson({ object: businessObject, entry: [{ ...around, changes: [{ ...change, value: own }] }] })
  }
  const named = listNames.filter((name) => Array.isArray(value[name]))
  const single = named.flatMap((name) =>
    listOf(value[name]).map(
      (element): RelayPiece => ({
        ...place,
        kind: lists[name],
        messageIds: idsOf(objectOf(element)),
        body: within(onlyWith(value, name, element)),
      }),
    ),
  )
  if (single.length > 0) return single
  return [{ ...place, kind: 'other', messageIds: [], body: within(value) }]
}

/** The change with one entry of one of its lists, and with the people that this entry is about. */
function onlyWith(value: JsonObject, list: ListName, element: unknown): JsonObject {
  const others = listNames.filter((name) => name !== list)
  const kept = Object.entries(value).filter(([name]) => !(others as string[]).includes(name))
  const contacts = contactsOf(listOf(value.contacts), objectOf(element))
  return Object.fromEntries(
    kept.flatMap(([name, content]): [string, unknown][] => {
      if (name === list) return [[name, [element]]]
      if (name === 'contacts') return contacts.length > 0 ? [[name, contacts]] : []
      return [[name, content]]
    }),
  )
}

const peopleNames = [
  'from',
  'from_user_id',
  'to',
  'to_user_id',
  'recipient_id',
  'recipient_user_id',
  'user_id',
  'wa_id',
]

/** A thing that names nobody is about the one person there is. */
function contactsOf(contacts: readonly unknown[], element: JsonObject | null): unknown[] {
  const named = peopleNames.flatMap((name) => textOf(element?.[name]) ?? [])
  if (named.length === 0) return contacts.length === 1 ? [...contacts] : []
  return contacts.filter((one) => {
    const contact = objectOf(one)
    return [textOf(contact?.wa_id), textOf(contact?.user_id)].some((id) => id !== null && named.includes(id))
  })
}

function idsOf(element: JsonObject | null): string[] {
  const ids = [element?.id, objectOf(element?.context)?.id, objectOf(element?.reaction)?.message_id]
  return [...new Set(ids.flatMap((id) => textOf(id) ?? []))]
}

/** Without our mark on messages, and with files to be read from us: the platform's address ends in minutes, and wants its token. */
function asOurs(value: unknown, mediaBase: string): unknown {
  if (Array.isArray(value)) return value.map((one) => asOurs(one, mediaBase))
  const object = objectOf(value)
  if (!object || isExactNumber(value)) return value
  const isFile = typeof object.url === 'string' && object.mime_type !== undefined && textOf(object.id) !== null
  const entries = Object.entries(object).flatMap(([name, content]): [string, unknown][] => {
    if (name === 'biz_opaque_callback_data') return []
    if (isFile && name === 'url') return [[name, `${mediaBase}/${encodeURIComponent(textOf(object.id) ?? '')}`]]
    return [[name, asOurs(content, mediaBase)]]
  })
  return Object.fromEntries(entries)
}

/** Neighbours of one entry and one field share them again. */
export function joinPieces(bodies: readonly string[]): string {
  const entries: JsonObject[] = []
  for (const body of bodies) {
    for (const entry of listOf(objectOf(parseExact(body))?.entry)) {
      const next = objectOf(entry) ?? {}
      const last = entries.at(-1)
      if (last && asciiJson([last.id, last.time]) === asciiJson([next.id, next.time])) addChanges(last, next)
      else entries.push(next)
    }
  }
  return asciiJson({ object: businessObject, entry: entries })
}

function addChanges(last: JsonObject, next: JsonObject): void {
  const changes = listOf(last.changes)
  for (const one of listOf(next.changes)) {
    const before = objectOf(changes.at(-1))
    const change = objectOf(one)
    const isSame = before?.field === change?.field && numberIn(before) !== null && numberIn(before) === numberIn(change)
    if (isSame && before) addLists(objectOf(before.value) ?? {}, objectOf(change?.value) ?? {})
    else changes.push(one)
  }
}

function numberIn(change: JsonObject | null): string | null {
  return textOf(objectOf(objectOf(change?.value)?.metadata)?.phone_number_id)
}

function addLists(value: JsonObject, next: JsonObject): void {
  const known = new Set(listOf(value.contacts).map(asciiJson))
  const contacts = listOf(next.contacts).filter((one) => !known.has(asciiJson(one)))
  if (contacts.length > 0) value.contacts = [...listOf(value.contacts), ...contacts]
  for (const name of listNames) {
    if (Array.isArray(next[name])) value[name] = [...listOf(value[name]), ...listOf(next[name])]
  }
}

const recipientNames = ['recipient_id', 'recipient_user_id', 'recipient_parent_user_id', 'participant_recipient_id']

export const renderPiece: RelayDialect['render'] = (text, { messages, masked }) => {
  if (messages.length === 0 && !masked) return text
  const known = new Map(messages.map((message) => [message.id, message]))
  const body = objectOf(parseExact(text)) ?? {}
  for (const entry of listOf(body.entry)) {
    for (const change of listOf(objectOf(entry)?.changes)) {
      const value = objectOf(objectOf(change)?.value) ?? {}
      if (masked) delete value.contacts
      for (const status of listOf(value.statuses)) renderStatus(objectOf(status) ?? {}, known, masked)
      for (const message of listOf(value.messages)) renderNames(objectOf(message) ?? {}, known)
    }
  }
  return asciiJson(body)
}

type Known = ReadonlyMap<string, RelayedMessage>

function renderStatus(status: JsonObject, known: Known, masked: boolean): void {
  const own = known.get(textOf(status.id) ?? '')
  if (own?.opaque != null) status.biz_opaque_callback_data = own.opaque
  if (own?.alias != null) status.id = own.alias
  if (!masked) return
  for (const name of recipientNames) delete status[name]
  // The platform's own words may quote the customer.
  if (Array.isArray(status.errors)) status.errors = status.errors.map((error) => ({ code: objectOf(error)?.code }))
}

/** A customer answers or reacts to a message that the client knows by another id. */
function renderNames(message: JsonObject, known: Known): void {
  const context = objectOf(message.context)
  const reaction = objectOf(message.reaction)
  const quoted = known.get(textOf(context?.id) ?? '')?.alias
  const reacted = known.get(textOf(reaction?.message_id) ?? '')?.alias
  if (context && quoted != null) context.id = quoted
  if (reaction && reacted != null) reaction.message_id = reacted
}

/** Fields about the business and not its customers. */
const ofBusiness = /^(message_template_|template_|account_|business_|phone_number_|security$)/

export const namesNobody: RelayDialect['namesNobody'] = ({ kind, field }) =>
  kind === 'status' ? field === 'messages' : kind === 'other' && ofBusiness.test(field)
