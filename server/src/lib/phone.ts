import { createRequire } from 'node:module'

type Recipient = { ok: true; kind: 'phone' | 'user'; value: string }
type RecipientProblem = { ok: false; code: 'invalid_phone_number'; message: string }

/**
 * Reads a customer's address: a phone number in international format, or the platform's own id of a person. Only
 * separators and a "(0)" behind the country code are removed: rewriting digits (Brazil's ninth, Mexico's 1) splits or
 * merges people. A length that no number of the country has is refused, and nothing else about the number is judged:
 * numbering plans change faster than any table of them.
 */
export function parseRecipient(input: string): Recipient | RecipientProblem {
  if (userIdPattern.test(input)) return { ok: true, kind: 'user', value: input }
  const compact = compactPhone(input)
  const problem = phonePattern.test(compact) ? lengthProblem(compact) : hintFor(compact)
  if (problem === null) return { ok: true, kind: 'phone', value: compact }
  return { ok: false, code: 'invalid_phone_number', message: problem }
}

/** A phone number as people write or copy it, without separators, white space and invisible marks. */
export function compactPhone(input: string): string {
  const bare = input.replace(invisible, ' ').trim()
  const [, code, rest] = trunkZero.exec(bare) ?? []
  const written = code !== undefined && !keepsZero.test(code) ? `${code}${rest}` : bare
  return written.replace(separators, '')
}

/** The country's possible lengths decide; a country code that nobody knows allows every length. */
function lengthProblem(phone: string): string | null {
  const digits = phone.slice(1)
  if (mexicanMobile.test(digits)) return null
  const code = [1, 2, 3].map((count) => digits.slice(0, count)).find((prefix) => lengthsOf(prefix) !== null)
  if (code === undefined) return null
  const length = digits.length - code.length
  const possible = lengthsOf(code) ?? []
  if (possible.includes(length)) return null
  if (digits[code.length] === '0' && possible.includes(length - 1)) {
    return `Leave out the 0 after the country code +${code}.`
  }
  const counts = possible.length === 1 ? `${possible[0]}` : `${Math.min(...possible)} to ${Math.max(...possible)}`
  return `A number of +${code} has ${counts} digits after the country code, this one has ${length}.`
}

/** Digits that numbers behind a country code can have; null for what is no country code. */
function lengthsOf(callingCode: string): readonly number[] | null {
  const known = lengths.get(callingCode)
  if (known !== undefined) return known
  const metadata = new (numberingPlans().Metadata)() as unknown as PlanTable
  let found: readonly number[] | null = null
  if (metadata.hasCallingCode(callingCode)) {
    metadata.selectNumberingPlan(callingCode)
    found = metadata.numberingPlan?.possibleLengths() ?? null
  }
  lengths.set(callingCode, found)
  return found
}

/** Parts of the library's table that its types leave out: it takes calling codes as well as countries. */
type PlanTable = {
  hasCallingCode(callingCode: string): boolean
  selectNumberingPlan(callingCode: string): void
  numberingPlan?: { possibleLengths(): number[] }
}

// At most a thousand: one for every prefix of up to three digits.
const lengths = new Map<string, readonly number[] | null>()

/** ISO 3166 code of the country, or null where it cannot be told. For grouping only, never for refusing. */
export function countryOf(recipient: string): string | null {
  if (userIdPattern.test(recipient)) return recipient.slice(0, 2)
  const prefix = recipient.slice(0, prefixLength)
  const known = countries.get(prefix)
  if (known !== undefined) return known
  const country = numberingPlans().parsePhoneNumberFromString(recipient)?.country ?? null
  if (countries.size >= prefixesMax) countries.clear()
  countries.set(prefix, country)
  return country
}

// Seven digits tell the country in every numbering plan; parsing a number costs 12 us, remembering its prefix none.
const prefixLength = 8
const prefixesMax = 20_000
const countries = new Map<string, string | null>()

/** Loaded by the first number: the plans would take 40 ms and 10 MB of every start. */
function numberingPlans(): NumberingPlans {
  loadedPlans ??= createRequire(import.meta.url)('libphonenumber-js/min') as NumberingPlans
  return loadedPlans
}

type NumberingPlans = typeof import('libphonenumber-js/min')
let loadedPlans: NumberingPlans | undefined

const phonePattern = /^\+[1-9]\d{6,14}$/
const userIdPattern = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/
const separators = /[\s\-.()]/g
/** White space of every width, dashes, and the marks that come along when a number is copied from an address book. */
const invisible = /[\s\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060\u2066-\u2069\u2212]/g
/** "+44 (0) 7911": the zero is dialled inside the country only. */
const trunkZero = /^(\+[ \-.(]*\d{1,3}[ \-.)]*)\( *0 *\)(.*)$/
/** Italy, San Marino and the Vatican keep it. */
const keepsZero = /^\D*(39|378|379)\D*$/
/** Mexico dropped the 1 of mobile numbers in 2019; the platform still knows people by it. */
const mexicanMobile = /^521\d{10}$/
const sample = 'for example +351912345678'

// Hints quote at most the two digits of a country code: these sentences reach logs.
function hintFor(compact: string): string {
  if (compact === '' || compact === '+') return `Give a phone number with '+' and the country code, ${sample}.`
  if (/^\+?00\d/.test(compact)) {
    const country = compact.replace(/^\+?00/, '').slice(0, 2)
    return `Write +${country}… instead of 00${country}….`
  }
  if (/[^\d+]/.test(compact)) {
    return `Use only '+', digits, spaces and the separators - . ( ), ${sample}.`
  }
  if (/^\+0/.test(compact)) return `A country code never starts with 0: write '+', the country code, then the number.`
  if (/^0\d/.test(compact)) return `Replace the leading 0 with '+' and the country code, ${sample}.`
  if (/^\d/.test(compact)) return `Start with '+' and the country code, ${sample}.`
  if (compact.lastIndexOf('+') > 0) return `Write '+' once, at the very start, ${sample}.`
  return `A phone number has 7 to 15 digits after '+', this one has ${compact.length - 1}.`
}

/** Other ways one phone number is written: `same` is the same person, `possible` may be another person. */
type PhoneForms = { same: string[]; possible: string[] }

/**
 * WhatsApp knows many people of Mexico and Brazil under another form of their number than the one they dial.
 * - Mexico: +52 and ten digits, with or without a 1 behind the country code.
 * - Brazil: mobile numbers got a ninth digit, a 9 in front. Eight digits beginning with 6 to 9 were mobile numbers before,
 *   so both forms are one person. Without its 9, a newer number looks like a landline, which may be another person's.
 */
export function phoneForms(phone: string): PhoneForms {
  const [, mexican] = /^\+521?(\d{10})$/.exec(phone) ?? []
  if (mexican !== undefined) return { same: others(phone, [`+52${mexican}`, `+521${mexican}`]), possible: [] }
  const [, area, subscriber] = /^\+55(\d\d)9?(\d{8})$/.exec(phone) ?? []
  if (area === undefined || subscriber === undefined) return { same: [], possible: [] }
  const forms = others(phone, [`+55${area}${subscriber}`, `+55${area}9${subscriber}`])
  return /^[6-9]/.test(subscriber) ? { same: forms, possible: [] } : { same: [], possible: forms }
}

/** The one form of an address that stands for all forms of the same person. */
export function addressKey(address: string): string {
  const [first = address] = [address, ...phoneForms(address).same].sort()
  return first
}

function others(phone: string, forms: readonly string[]): string[] {
  return forms.filter((form) => form !== phone)
}
