import { callbackError, graphError, invalid, missing } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { isRecord, type Json, record, text } from '../http/json.ts'
import { isBsuid } from '../messages/bsuid.ts'
import type { Platform } from '../platform.ts'
import { blockedKey, findCustomer, isBlocked, type PhoneNumber, windowIsOpen } from '../world.ts'
import { requireProduct } from './profile.ts'

const USERS_MAX = 1_000
const BLOCKED_MAX = 64_000
const DEFAULT_LIMIT = 25
const LIMIT_MAX = 1_000

/** A page of the block list. A cursor is a position in one version of the list: a change of the list ends it. */
export function listBlocked(_platform: Platform, call: Call, number: PhoneNumber): Reply {
  const limit = Math.min(LIMIT_MAX, Math.max(1, Number(call.query.get('limit') ?? DEFAULT_LIMIT) || DEFAULT_LIMIT))
  const after = positionIn(number, call.query.get('after'))
  const before = positionIn(number, call.query.get('before'))
  const end = before ?? Math.min(number.blocked.length, (after ?? 0) + limit)
  const start = before === null ? (after ?? 0) : Math.max(0, before - limit)
  const shown = number.blocked.slice(start, end)
  const data = shown.map((key) => ({
    messaging_product: 'whatsapp',
    ...(isBsuid(key) ? { user_id: key } : { wa_id: key }),
  }))
  const paging: Json =
    shown.length === 0 ? {} : { cursors: { before: cursorAt(number, start), after: cursorAt(number, end) } }
  return ok({ data, paging })
}

export function blockUsers(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const nowMs = platform.clock.now()
  return change(platform, number, 'added_users', usersOf(call), (user) => {
    if (user === number.digits) return 131021
    const customer = findCustomer(number, user)
    if (!windowIsOpen(customer, nowMs)) return 131047
    const key = blockedKey(number, user)
    if (number.blocked.includes(key)) return null
    if (number.blocked.length >= BLOCKED_MAX) return 139101
    number.blocked.push(key)
    return null
  })
}

/** Who is not blocked counts as unblocked. */
export function unblockUsers(platform: Platform, call: Call, number: PhoneNumber): Reply {
  return change(platform, number, 'removed_users', usersOf(call), (user) => {
    const key = blockedKey(number, user)
    if (isBlocked(number, key)) number.blocked.splice(number.blocked.indexOf(key), 1)
    return null
  })
}

/** The platform forgets the number of a customer; who has none there is no reason to fail. A parent id is not accepted. */
export function deleteContact(platform: Platform, { params }: Call, number: PhoneNumber): Reply {
  requireProduct(params)
  const userId = text(params.bsuid)
  if (userId === undefined) throw missing('bsuid')
  if (!isBsuid(userId) || userId.includes('.ENT.')) throw invalid("Parameter 'bsuid' is not a user id")
  const customer = [...number.customers.values()].find((one) => one.userId === userId)
  const deleted = customer !== undefined && customer.inContactBook !== false
  if (customer) customer.inContactBook = false
  platform.changed()
  return ok({ messaging_product: 'whatsapp', success: true, deleted })
}

type User = { input: string; key: string }

function usersOf({ params }: Call): User[] {
  requireProduct(params)
  const { block_users: given } = params
  if (given === undefined) throw missing('block_users')
  if (!Array.isArray(given) || given.length === 0 || !given.every(isRecord)) {
    throw invalid("Parameter 'block_users' must be a list of objects with 'user'")
  }
  if (given.length > USERS_MAX) throw graphError(130429, `At most ${USERS_MAX} users can be in one request.`)
  return given.map((item) => {
    const input = text(record(item).user) ?? text(record(item).user_id)
    if (input === undefined || input === '') throw missing('block_users.user')
    return { input, key: isBsuid(input) ? input : input.replace(/\D/g, '') }
  })
}

/** Each user stands alone: one failure makes the answer an error that lists both who was done and who was not. */
function change(
  platform: Platform,
  number: PhoneNumber,
  done: 'added_users' | 'removed_users',
  users: User[],
  one: (key: string) => number | null,
): Reply {
  const succeeded: Json[] = []
  const failed: Json[] = []
  for (const { input, key } of users) {
    const code = one(key)
    const named = { input, ...(isBsuid(key) ? { user_id: key } : { wa_id: key }) }
    if (code === null) succeeded.push(named)
    else failed.push({ ...(findCustomer(number, key) ? named : { input }), errors: [failureOf(code)] })
  }
  if (succeeded.length > 0) {
    number.blockedVersion = (number.blockedVersion ?? 0) + 1
    platform.changed()
  }
  const body = { messaging_product: 'whatsapp', block_users: { [done]: succeeded } }
  if (failed.length === 0) return ok(body)
  const refusal = graphError(139100, 'Failed to block some users, see the block_users response list for details')
  const lists = { [done]: succeeded, failed_users: failed }
  const answer = { ...body, block_users: lists, ...refusal.body }
  return { status: refusal.status, body: JSON.stringify(answer), headers: refusal.headers }
}

const DETAILS: Record<number, string> = {
  131021: 'Failed to block self phone number',
  131047: 'User has not messaged in the last 24 hours',
  139101: 'The blocklist has reached its 64,000 user limit',
}

function failureOf(code: number): Json {
  const { message, error_data } = callbackError(code, DETAILS[code])
  return { message, code, error_data }
}

function cursorAt(number: PhoneNumber, offset: number): string {
  return Buffer.from(JSON.stringify({ offset, versionId: number.blockedVersion ?? 0 })).toString('base64url')
}

function positionIn(number: PhoneNumber, given: string | null): number | null {
  if (given === null || given === '') return null
  const [, offset, version] =
    /^\{"offset":(\d+),"versionId":(\d+)\}$/.exec(Buffer.from(given, 'base64url').toString()) ?? []
  if (offset === undefined) throw invalid('The cursor is not valid')
  if (Number(version) !== (number.blockedVersion ?? 0)) throw graphError(139102)
  return Number(offset)
}
