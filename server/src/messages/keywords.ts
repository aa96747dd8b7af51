import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type AuditEntry, type Author, gateway, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { invalidField } from '../contract/app-error.ts'
import { type KeywordsChange, keywordCharsMax } from '../contract/messages/entry-points.ts'
import type { FieldLocation } from '../contract/schema.ts'
import { maskPhone } from '../lib/text/mask.ts'
import type { Runtime } from '../runtime.ts'
import { findKeywords, saveKeywords } from '../store/channels/keywords.ts'
import type { Unit } from '../store/engine/unit.ts'
import { contactsOf } from '../store/messages/contacts.ts'
import { addPreference, preferenceOf } from './receive-preferences.ts'

type Owner = Pick<Caller, 'accountId' | 'phoneNumberIds'>
type Words = { stop_words: string[]; start_words: string[] }

export async function getKeywords(rt: Runtime, owner: Owner, from: string | undefined) {
  const number = await requireOwnNumber(rt, owner, from, 'query')
  return { phone_number: number.phoneNumber, ...(await wordsOf(rt, number.id)) }
}

/** A list that is not given stays; an empty one turns its words off. */
export async function setKeywords(
  rt: Runtime,
  owner: Owner,
  { from, ...given }: Static<typeof KeywordsChange>,
  { actor, context }: Author,
) {
  const number = await requireOwnNumber(rt, owner, from, 'body')
  const before = await wordsOf(rt, number.id)
  const words = {
    stop_words: distinct('stop_words', given.stop_words ?? before.stop_words),
    start_words: distinct('start_words', given.start_words ?? before.start_words),
  }
  const stops = new Set(words.stop_words.map(plain))
  const both = words.start_words.find((word) => stops.has(plain(word)))
  if (both !== undefined) {
    throw invalidField('start_words', 'invalid_value', `A word can't both stop and start: ${both}.`)
  }
  const targets = [{ type: 'number', id: number.id, name: number.phoneNumber }]
  const entry = { accountId: owner.accountId, action: 'number.keywords_set', actor, context, targets, metadata: words }
  await writeAudited(rt, entry, (unit) =>
    unit.add(saveKeywords, {
      number_id: number.id,
      account_id: owner.accountId,
      stop_words: JSON.stringify(words.stop_words),
      start_words: JSON.stringify(words.start_words),
      updated_at: rt.clock.now(),
    }),
  )
  return { phone_number: number.phoneNumber, ...words }
}

function requireOwnNumber(
  rt: Runtime,
  { accountId, phoneNumberIds }: Owner,
  from: string | null | undefined,
  location: FieldLocation,
) {
  return requireNumber(rt, accountId, { from: from ?? null, allowedIds: phoneNumberIds, location })
}

async function wordsOf(rt: Runtime, numberId: string): Promise<Words> {
  const [row] = await rt.store.read(findKeywords, { number_id: numberId })
  if (!row) return { stop_words: [], start_words: [] }
  return { stop_words: JSON.parse(row.stop_words), start_words: JSON.parse(row.start_words) }
}

/** Each word once, however it is written; one that is only punctuation would match nothing. */
function distinct(field: string, words: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const word of words) {
    const key = plain(word)
    if (key === '') throw invalidField(field, 'invalid_value', 'Write words with at least one letter or digit.')
    if (!seen.has(key)) seen.set(key, word.trim())
  }
  return [...seen.values()]
}

/**
 * Normalizes a message for the comparison: the whole message, without what stands around it that is no letter, mark or digit, in any case,
 * and with one space where there are several.
 */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
    .replace(/\s+/gu, ' ')
    .toLowerCase()
}

type Written = {
  accountId: string
  number: { id: string; phoneNumber: string }
  customerId: string
  phone: string | null
  userId: string | null
  text: string | null
  at: number
}

/** Room for what may stand around the longest word. */
const readCharsMax = keywordCharsMax + 20

/**
 * What a message says about marketing, when it is nothing but a word of its number; null for every other message, and
 * where the customer said the same before. The change goes into the unit that stores the message, with a line in the audit
 * log. It counts under every owner of the conversation, and is never answered.
 */
export async function keywordIn(
  rt: Runtime,
  { accountId, number, customerId, phone, userId, text, at }: Written,
): Promise<{ entry: AuditEntry; add(unit: Unit): void } | null> {
  if (text === null || text.length > readCharsMax) return null
  const { stop_words, start_words } = await wordsOf(rt, number.id)
  const said = plain(text)
  const isSaid = (word: string) => plain(word) === said
  const word = stop_words.find(isSaid) ?? start_words.find(isSaid)
  if (word === undefined) return null
  const state = stop_words.includes(word) ? 'opted_out' : 'opted_in'
  const contacts = await rt.store.read(contactsOf, { account_id: accountId, customer_ids: [customerId] })
  const before = preferenceOf(contacts.find(({ number_id }) => number_id === number.id))
  if (before.state === state || (before.at !== null && before.at > at)) return null
  return {
    entry: {
      accountId,
      action: `customer.${state}`,
      actor: gateway,
      targets: [{ type: 'customer', id: customerId, name: maskPhone(phone ?? userId ?? '') }],
      metadata: { numbers: [number.phoneNumber], keyword: word },
    },
    add(unit) {
      addPreference(rt, unit, { accountId, number, customerId, phone, userId, state, at, source: 'keyword', by: null })
    },
  }
}
