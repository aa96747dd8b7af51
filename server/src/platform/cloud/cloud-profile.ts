import type { BusinessProfile, ChatPlatform, NumberCredentials, ProfileChanges } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { downloadFrom, type MediaAccess } from './cloud-media-download.ts'
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
