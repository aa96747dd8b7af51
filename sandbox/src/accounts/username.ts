import { graphError, missing } from '../http/errors.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import type { Platform } from '../platform.ts'
import type { PhoneNumber } from '../world.ts'

const TAKEN = 147001
const IN_USE = 147005

/** `POST /{phone_number}/username`: approved at once where the number's name is, otherwise reserved until then. */
export function saveUsername(platform: Platform, { params }: Call, number: PhoneNumber): Reply {
  const { username: given, transfer_action: transfer = 'none' } = params
  if (typeof given !== 'string') throw missing('username')
  if (transfer !== 'none' && transfer !== 'force_transfer') {
    throw graphError(100, 'transfer_action is none or force_transfer')
  }
  const username = given.toLowerCase()
  if (!isUsername(username)) throw graphError(100, 'The username has the wrong format')
  const owner = [...platform.world.numbers.values()].find((other) => other !== number && other.username === username)
  if (owner) {
    const isOwn = businessOf(platform, owner) === businessOf(platform, number)
    if (!isOwn) throw graphError(TAKEN)
    if (transfer === 'none') throw graphError(IN_USE)
    removeFrom(platform, owner)
  }
  number.username = username
  const status = statusOf(number)
  platform.changed()
  tell(platform, number, { username, status })
  return ok({ status })
}

export function readUsername(_platform: Platform, _call: Call, number: PhoneNumber): Reply {
  return ok(number.username === undefined ? {} : { username: number.username, status: statusOf(number) })
}

export function deleteUsername(platform: Platform, _call: Call, number: PhoneNumber): Reply {
  removeFrom(platform, number)
  return SUCCESS
}

/** The name of the number, as far as it can be one. */
export function suggestUsernames(_platform: Platform, _call: Call, number: PhoneNumber): Reply {
  const base = number.verifiedName.toLowerCase().replace(/[^a-z0-9]/g, '')
  const suggestions = [base, `${base}.shop`, `${base}_official`].filter(isUsername)
  return ok({ data: [{ username_suggestions: suggestions }] })
}

function removeFrom(platform: Platform, number: PhoneNumber): void {
  if (number.username === undefined) return
  delete number.username
  platform.changed()
  tell(platform, number, { status: 'deleted' })
}

/** 3 to 35 of a-z, 0-9, dot and underscore, a letter among them; no dot at an end or beside another; nothing like a domain. */
function isUsername(name: string): boolean {
  if (!/^[a-z0-9._]{3,35}$/.test(name) || !/[a-z]/.test(name)) return false
  return !/^\.|\.$|\.\.|^www/.test(name) && !/\.(com|net|org|info|io|co|html?)$/.test(name)
}

function statusOf({ nameStatus = 'APPROVED' }: PhoneNumber): string {
  return nameStatus === 'APPROVED' ? 'approved' : 'reserved'
}

function businessOf(platform: Platform, { wabaId }: PhoneNumber): string | undefined {
  return platform.world.wabas.get(wabaId)?.businessId
}

function tell(platform: Platform, number: PhoneNumber, change: { username?: string; status: string }): void {
  const { id: numberId, wabaId, digits: businessDigits } = number
  const item = { display_phone_number: businessDigits, ...change }
  const field = 'business_username_updates'
  platform.outbox.push({ wabaId, numberId, businessDigits, field, kind: 'value', item, contact: null })
}
