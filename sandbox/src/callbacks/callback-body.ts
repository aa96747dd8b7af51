import type { Json } from '../http/json.ts'

/** One thing to tell a receiver: a status, an inbound message, an error, or the whole value of another field. */
export type Update = {
  wabaId: string
  numberId: string | null
  /** Digits, for `metadata`. */
  businessDigits: string | null
  field: string
  kind: 'statuses' | 'messages' | 'errors' | 'value'
  item: Json
  contact: Json | null
  /** In seconds, of the entry. Messages and statuses have a time of their own instead. */
  time: number | null
}

type Change = { field: string; value: Json }
type Entry = { id: string; time?: number; changes: Change[] }

/** Packs updates the way the platform batches them: entries per account, changes per number and kind, items inside. */
export function callbackBody(updates: Update[], unknownFields: boolean): Json {
  const entries = new Map<string, Entry>()
  const groups = new Map<string, Group>()
  for (const update of updates) {
    const entry = entryFor(entries, update)
    if (update.kind === 'value') {
      entry.changes.push({ field: update.field, value: update.item })
      continue
    }
    const key = `${update.numberId} ${update.kind}`
    let group = groups.get(key)
    if (group === undefined) {
      group = new Group(update)
      groups.set(key, group)
      entry.changes.push({ field: update.field, value: group.value })
    }
    group.add(update)
  }
  const body: Json = { object: 'whatsapp_business_account', entry: [...entries.values()] }
  if (unknownFields) decorate(body, entries)
  return body
}

function entryFor(entries: Map<string, Entry>, { wabaId, time }: Update): Entry {
  const key = `${wabaId} ${time}`
  const known = entries.get(key)
  if (known) return known
  const entry: Entry = time === null ? { id: wabaId, changes: [] } : { id: wabaId, time, changes: [] }
  entries.set(key, entry)
  return entry
}

class Group {
  readonly value: Json
  readonly #contacts: Json[] = []
  readonly #items: Json[] = []
  readonly #seen = new Set<unknown>()

  constructor(update: Update) {
    this.value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: update.businessDigits, phone_number_id: update.numberId },
      [update.kind]: this.#items,
    }
  }

  add({ contact, item }: Update): void {
    this.#items.push(item)
    if (contact === null || this.#seen.has(contact.user_id)) return
    this.#seen.add(contact.user_id)
    this.#contacts.push(contact)
    this.value.contacts = this.#contacts
  }
}

function decorate(body: Json, entries: Map<string, Entry>): void {
  body.sandbox_unknown = { nested: [1, 'two', null] }
  for (const entry of entries.values()) {
    for (const change of entry.changes) change.value.sandbox_unknown = 'a member from the future'
  }
}
