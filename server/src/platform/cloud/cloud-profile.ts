import type {
  BlockFailure,
  BlockOutcome,
  BusinessProfile,
  ChatPlatform,
  NumberCredentials,
  ProfileChanges,
} from '../chat-platform.ts'
import { PlatformError, type PlatformErrorCode } from '../platform-error.ts'
import { classifyReported, type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { downloadFrom, type MediaAccess } from './cloud-media.ts'
import type { CloudCaller } from './cloud-request.ts'
import { rejected } from './failure-table.ts'
import { type JsonObject, listOf, objectOf, textOf } from './lenient-json.ts'

type ProfileCalls = Pick<ChatPlatform, 'getProfile' | 'updateProfile' | 'downloadPhoto'>

const fields = 'about,address,description,email,profile_picture_url,websites,vertical'
const reading: FailureContext = { purpose: 'read' }

export function cloudProfile(caller: CloudCaller, access: MediaAccess): ProfileCalls {
  const getProfile = async (number: NumberCredentials): Promise<BusinessProfile> => {
    const request = { method: 'GET', path: pathOf(number), query: { fields }, context: reading } as const
    const { data } = await caller.call(number, request)
    const profile = objectOf(listOf(data)[0])
    if (!profile) throw unreadableAnswer(reading)
    return profileOf(profile)
  }
  return {
    getProfile,

    async updateProfile(number, changes) {
      const json = { messaging_product: 'whatsapp', ...toWire(changes) }
      await caller.command(number, { method: 'POST', path: pathOf(number), json, context: { purpose: 'write' } })
    },

    async downloadPhoto(number, wanted) {
      const { photoUrl } = await getProfile(number)
      if (photoUrl === null) throw new PlatformError({ ...rejected, code: 'media_not_found' })
      // The address is public: the token stays here.
      await downloadFrom({ caller, access }, number, photoUrl, { ...wanted, anonymous: true })
    },
  }
}

function pathOf({ phoneNumberId }: NumberCredentials): string {
  return `/${encodeURIComponent(phoneNumberId)}/whatsapp_business_profile`
}

function profileOf(profile: JsonObject): BusinessProfile {
  return {
    about: textOf(profile.about),
    address: textOf(profile.address),
    description: textOf(profile.description),
    email: textOf(profile.email),
    // `UNDEFINED` is the word for none.
    vertical: textOf(profile.vertical) === 'UNDEFINED' ? null : textOf(profile.vertical),
    websites: listOf(profile.websites).flatMap((website) => textOf(website) ?? []),
    photoUrl: textOf(profile.profile_picture_url),
  }
}

function toWire({ photoHandle, ...changes }: ProfileChanges): JsonObject {
  return { ...changes, ...(photoHandle !== undefined && { profile_picture_handle: photoHandle }) }
}

type BlockCalls = Pick<ChatPlatform, 'listBlocked' | 'blockCustomers' | 'unblockCustomers' | 'forgetContact'>

/** The block list of one number, and the contact book of its business. */
export function cloudBlocked(caller: CloudCaller): BlockCalls {
  return {
    async listBlocked(number, { limit, after }) {
      const query = { limit: String(limit), ...(after !== null && { after }) }
      const context: FailureContext = { purpose: 'read' }
      const answer = await caller.call(number, { method: 'GET', path: blockedPathOf(number), query, context })
      const customers = listOf(answer.data).flatMap((item) => addressOf(objectOf(item)) ?? [])
      const paging = objectOf(answer.paging)
      const next = textOf(objectOf(paging?.cursors)?.after)
      // Samples of the answer have cursors and no `next`: then only a page that is not full is known to be the last.
      const ended = textOf(paging?.next) === null && listOf(answer.data).length < limit
      return { customers, after: ended || next === after ? null : next }
    },

    blockCustomers: (number, addresses) => change(caller, number, 'POST', addresses),
    unblockCustomers: (number, addresses) => change(caller, number, 'DELETE', addresses),

    async forgetContact(number, userId) {
      const query = { messaging_product: 'whatsapp', bsuid: userId }
      const path = `/${encodeURIComponent(number.phoneNumberId)}/contact_book`
      await caller.command(number, { method: 'DELETE', path, query, context: { purpose: 'write' } })
    },
  }
}

async function change(
  caller: CloudCaller,
  number: NumberCredentials,
  method: 'POST' | 'DELETE',
  addresses: readonly string[],
): Promise<BlockOutcome> {
  const users = addresses.map((address) => (address.startsWith('+') ? { user: address } : { user_id: address }))
  const context: FailureContext = {
    purpose: 'write',
    secrets: addresses.flatMap((address) => [address, address.replace(/^\+/, '')]),
  }
  const answer = await caller.call(number, {
    method,
    path: blockedPathOf(number),
    json: { messaging_product: 'whatsapp', block_users: users },
    context,
    // An answer that says who failed is a result for each, whether it comes as an error or as a success.
    accepts: (body) => listsOf(body).failed.length > 0,
  })
  const { done, failed } = listsOf(answer)
  if (done.length + failed.length === 0) throw unreadableAnswer(context)
  const inputs = new Set(done.map((item) => bare(textOf(objectOf(item)?.input))))
  const isDone = (address: string) => inputs.has(bare(address))
  return {
    done: addresses.filter(isDone),
    failed: addresses.filter((address) => !isDone(address)).map((address) => failureOf(address, failed)),
  }
}

/** Inputs are repeated as they came; a plus that is lost on the way makes no other customer. */
function bare(address: string | null): string | null {
  return address?.replace(/^\+/, '') ?? null
}

function listsOf(body: JsonObject) {
  const lists = objectOf(body.block_users)
  return {
    done: [...listOf(lists?.added_users), ...listOf(lists?.removed_users)],
    failed: listOf(lists?.failed_users),
  }
}

/** An address in neither list counts as refused: Meta did not say that it was done. */
function failureOf(address: string, failed: readonly unknown[]): BlockFailure {
  const item = failed.map(objectOf).find((one) => bare(textOf(one?.input)) === bare(address))
  const { code, upstream } = classifyReported(listOf(item?.errors)[0])
  return { address, code: ownCodes[code] ?? code, upstream }
}

/** Nothing is sent here: outside the window means that the customer cannot be blocked. */
const ownCodes: Partial<Record<PlatformErrorCode, PlatformErrorCode>> = {
  customer_window_closed: 'block_window_closed',
}

/** How Meta names a customer in the lists of an answer. */
export function addressOf(item: JsonObject | null): string | null {
  const digits = textOf(item?.wa_id)
  return digits === null ? textOf(item?.user_id) : `+${digits.replace(/^\+/, '')}`
}

function blockedPathOf({ phoneNumberId }: NumberCredentials): string {
  return `/${encodeURIComponent(phoneNumberId)}/block_users`
}
