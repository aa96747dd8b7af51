import { createRequire } from 'node:module'

export type Recipient = { ok: true; kind: 'phone' | 'user'; value: string }
export type RecipientProblem = { ok: false; code: 'invalid_phone_number'; message: string }

/**
 * Reads a customer's address: a phone number in international format, or the platform's own id of a person.
 * The pattern alone decides. Numbering plans change faster than any table of them, and rewriting digits (Brazil's
 * ninth, Mexico's 1) splits or merges people, so nothing but separators is ever removed.
 */
export function parseRecipient(input: string): Recipient | RecipientProblem {
  if (userIdPattern.test(input)) return { ok: true, kind: 'user', value: input }
  const compact = input.replace(separators, '')
  if (phonePattern.test(compact)) return { ok: true, kind: 'phone', value: compact }
  return { ok: false, code: 'invalid_phone_number', message: hintFor(compact) }
}

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
const separators = /[ \-.()]/g
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
