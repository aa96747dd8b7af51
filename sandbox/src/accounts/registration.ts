import { graphError, invalid, missing } from '../http/errors.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { text } from '../http/json.ts'
import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { PhoneNumber, Waba } from '../world.ts'

/** The code every simulated text message carries. */
export const VERIFICATION_CODE = '123830'

const LADDER_WINDOW_MS = 72 * 3_600_000
const LADDER_CALLS_MAX = 10

export function newNumber(wabaId: string, digits: string, verifiedName: string, nowMs: number): PhoneNumber {
  return {
    id: numericId(),
    wabaId,
    digits,
    verifiedName,
    status: 'PENDING',
    verification: 'NOT_VERIFIED',
    quality: 'UNKNOWN',
    pin: null,
    codeRequested: false,
    callbackUrl: null,
    profile: { vertical: 'OTHER' },
    registeredAtMs: [],
    deregisteredAtMs: [],
    blocked: [],
    allowList: null,
    createdAtMs: nowMs,
    onboardedAtMs: nowMs,
    customers: new Map(),
  }
}

/** Step 1, `POST /{waba}/phone_numbers` */
export function createNumber(platform: Platform, call: Call, waba: Waba): Reply {
  const { params } = call
  const country = text(params.cc) ?? text(params.country_code)
  const local = text(params.phone_number)
  if (country === undefined) throw missing('cc')
  if (local === undefined) throw missing('phone_number')
  const digits = `${country}${local}`.replace(/\D/g, '')
  for (const other of platform.world.numbers.values()) {
    if (other.digits === digits) throw invalid('This phone number is already in use')
  }
  const number = newNumber(waba.id, digits, text(params.verified_name) ?? waba.name, platform.clock.now())
  platform.world.numbers.set(number.id, number)
  platform.changed()
  return ok({ id: number.id })
}

/** Step 2, `POST /{phone_number_id}/request_code` */
export function requestCode(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const method = text(call.params.code_method)
  if (method !== 'SMS' && method !== 'VOICE') throw invalid("Parameter 'code_method' must be SMS or VOICE")
  if (text(call.params.language) === undefined) throw missing('language')
  number.codeRequested = true
  platform.changed()
  return SUCCESS
}

/** Step 3, `POST /{phone_number_id}/verify_code` */
export function verifyCode(platform: Platform, call: Call, number: PhoneNumber): Reply {
  if (!number.codeRequested) throw invalid('No code was requested for this number')
  if (String(call.params.code ?? '').replace('-', '') !== VERIFICATION_CODE) throw invalid('The code is wrong')
  number.codeRequested = false
  number.verification = 'VERIFIED'
  platform.changed()
  return SUCCESS
}

/** Step 4, `POST /{phone_number_id}/register`: the PIN is set the first time and must match later. */
export function register(platform: Platform, call: Call, number: PhoneNumber): Reply {
  if (call.params.messaging_product !== 'whatsapp') throw missing('messaging_product')
  const pin = String(call.params.pin ?? '')
  if (pin === '') throw missing('pin')
  if (!/^\d{6}$/.test(pin)) throw invalid("Parameter 'pin' must have 6 digits")
  number.registeredAtMs = countCall(platform, number.registeredAtMs)
  if (number.verification !== 'VERIFIED')
    throw graphError(133006, 'The phone number must be verified before it registers.')
  if (number.pin !== null && number.pin !== pin)
    throw graphError(133005, 'The two-step verification PIN is not correct.')
  number.pin = pin
  // Registering a connected number again changes nothing but a display name that was approved meanwhile.
  if (number.status !== 'CONNECTED') {
    number.status = 'CONNECTED'
    number.quality = 'GREEN'
    number.onboardedAtMs = platform.clock.now()
  }
  platform.changed()
  return SUCCESS
}

export function deregister(platform: Platform, _call: Call, number: PhoneNumber): Reply {
  number.deregisteredAtMs = countCall(platform, number.deregisteredAtMs)
  if (number.status !== 'CONNECTED') throw graphError(133010, 'The phone number is not registered.')
  number.status = 'DISCONNECTED'
  platform.changed()
  return SUCCESS
}

/** Ten calls in 72 hours; the eleventh is refused and does not count. */
function countCall(platform: Platform, earlierAtMs: number[]): number[] {
  const nowMs = platform.clock.now()
  const recent = earlierAtMs.filter((atMs) => nowMs - atMs < LADDER_WINDOW_MS)
  if (recent.length >= LADDER_CALLS_MAX) {
    throw graphError(133016, 'There were too many attempts to register or deregister this number in 72 hours.')
  }
  return [...recent, nowMs]
}
