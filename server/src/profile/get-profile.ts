import type { Caller } from '../access/caller.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import type { FieldLocation } from '../contract/field-codes.ts'
import type { Runtime } from '../runtime.ts'

export type ProfileOwner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** What customers see about a number. Asked of the platform each time: people change it elsewhere too. */
export async function getProfile(rt: Runtime, owner: ProfileOwner, from: string | null | undefined) {
  return readProfile(rt, await requireOwnNumber(rt, owner, from, 'query'))
}

export function requireOwnNumber(
  rt: Runtime,
  { accountId, phoneNumberIds }: ProfileOwner,
  from: string | null | undefined,
  location: FieldLocation = 'body',
): Promise<ChannelNumber> {
  return requireNumber(rt, accountId, { from: from ?? null, allowedIds: phoneNumberIds, location })
}

export async function readProfile(rt: Runtime, number: ChannelNumber) {
  const profile = await askPlatform(rt, number, subject, () => rt.platform.getProfile(number.credentials))
  const { photoUrl, ...fields } = profile
  return { phone_number: number.phoneNumber, ...fields, photo_url: photoUrl }
}

export const subject = 'the business profile'
