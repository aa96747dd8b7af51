import { invalid, missing } from '../http/errors.ts'
import { pickFields } from '../http/fields.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import type { Json } from '../http/json.ts'
import { imageBehind } from '../media/resumable-upload.ts'
import type { Platform } from '../platform.ts'
import { atMost } from '../templates/rule-helpers.ts'
import type { PhoneNumber } from '../world.ts'

const NAMES = ['about', 'address', 'description', 'email', 'profile_picture_url', 'vertical', 'websites']

/** What was never set is not in the answer. */
export function readProfile(_platform: Platform, call: Call, number: PhoneNumber): Reply {
  const all = Object.fromEntries(NAMES.map((name) => [name, number.profile[name]]))
  const { id: _, ...profile } = pickFields(
    { ...all, messaging_product: 'whatsapp', id: number.id },
    call.query.get('fields') ?? NAMES.join(','),
    'WhatsAppBusinessProfile',
  )
  return ok({ data: [{ ...profile, messaging_product: 'whatsapp' }] })
}

export function updateProfile(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { params } = call
  requireProduct(params)
  const changes: Json = {}
  for (const [name, value] of Object.entries(params)) {
    const read = READERS[name]
    if (read === undefined) throw invalid(`Unexpected key "${name}" on param`)
    if (name !== 'messaging_product') changes[name] = read(value)
  }
  if (Object.keys(changes).length === 0) throw invalid('The profile has no field to change')
  // All or nothing: the handle is looked at before anything is kept.
  const { profile_picture_handle: handle, ...fields } = changes
  const image = handle === undefined ? null : imageBehind(platform, String(handle))
  for (const [name, value] of Object.entries(fields)) number.profile[name] = isEmpty(value) ? undefined : value
  if (image) {
    platform.media.write(pictureOf(number), image.bytes)
    number.profile.picture_type = image.type
    // A new address with each picture: what a cache holds under the old one is the old picture.
    number.profile.profile_picture_url = `${platform.baseUrl()}/profile_picture/${number.id}?t=${platform.clock.now()}`
  }
  platform.changed()
  return SUCCESS
}

/** `GET /profile_picture/{id}`: public, as the address that the profile names is. */
export function downloadPicture(platform: Platform, call: Call): Reply {
  const number = platform.world.numbers.get(call.path[1] ?? '')
  const type = number?.profile.picture_type
  if (number === undefined || typeof type !== 'string') return { status: 404, body: '', headers: [] }
  return { status: 200, body: platform.media.read(pictureOf(number)), headers: ['Content-Type', type] }
}

export function requireProduct({ messaging_product: product }: Json): void {
  if (product === undefined) throw missing('messaging_product')
  if (product !== 'whatsapp') throw invalid("Parameter 'messaging_product' must be 'whatsapp'")
}

function pictureOf({ id }: PhoneNumber): string {
  return `profile-${id}`
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** Meta's list, 30 June 2026; an empty text takes the category away. */
const VERTICALS =
  'ALCOHOL APPAREL AUTO BEAUTY EDU ENTERTAIN EVENT_PLAN FINANCE GOVT GROCERY HEALTH HOTEL NONPROFIT ONLINE_GAMBLING OTC_DRUGS OTHER PHYSICAL_GAMBLING PROF_SERVICES RESTAURANT RETAIL TRAVEL'.split(
    ' ',
  )

const textUpTo = (name: string, most: number) => (value: unknown) => {
  if (typeof value !== 'string') throw invalid(`Parameter '${name}' must be text`)
  atMost(name, value, most)
  return value
}

const READERS: Record<string, (value: unknown) => unknown> = {
  messaging_product: (value) => value,
  about(value) {
    const about = textUpTo('about', 139)(value)
    if (about === '') throw invalid('Param about must be at least 1 characters long.')
    return about
  },
  address: textUpTo('address', 256),
  description: textUpTo('description', 512),
  email(value) {
    const email = textUpTo('email', 128)(value)
    if (email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalid('Param email is not a valid email')
    return email
  },
  vertical(value) {
    if (value !== '' && !VERTICALS.includes(String(value))) {
      throw invalid(`Param vertical must be one of {${VERTICALS.join(', ')}}`)
    }
    return value
  },
  websites(value) {
    if (!Array.isArray(value)) throw invalid("Parameter 'websites' must be a list")
    if (value.length > 2) throw invalid('Param websites must have at most 2 elements')
    return value.map((website) => {
      const url = textUpTo('websites', 256)(website)
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalid('Param websites has an invalid URL')
      return url
    })
  },
  profile_picture_handle: textUpTo('profile_picture_handle', 4_096),
}
