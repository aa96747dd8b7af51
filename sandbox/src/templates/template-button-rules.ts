import { managementError } from '../http/errors.ts'
import { type Json, lengthOf, list, record, text } from '../http/json.ts'
import { variablesIn } from './template-shape.ts'

/** Up to ten buttons, each kind with its own number and form; quick replies stand together. */
export function checkTemplateButtons(buttons: Json[], category: string): void {
  if (buttons.length < 1 || buttons.length > 10) throw problem('A template has between 1 and 10 buttons.')
  for (const button of buttons) {
    if (!TYPES.includes(String(button.type))) throw problem(`The button type ${String(button.type)} is not valid.`)
    CHECKS[String(button.type)]?.(button, category)
  }
  for (const [type, most] of Object.entries(MOST)) {
    if (buttons.filter((button) => button.type === type).length > most)
      throw problem(`At most ${most} ${type} buttons.`)
  }
  const flags = buttons.map((button) => button.type === 'QUICK_REPLY')
  const changes = flags.filter((flag, index) => index > 0 && flag !== flags[index - 1]).length
  if (changes > 1) throw problem('Quick replies must stand together, before or after the other buttons.')
}

const TYPES = [
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'FLOW',
  'OTP',
  'CATALOG',
  'MPM',
  'SPM',
  'VOICE_CALL',
  'ORDER_DETAILS',
  'APP',
  'CALL_PERMISSION_REQUEST',
  'REQUEST_CONTACT_INFO',
]

const MOST: Record<string, number> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1, REQUEST_CONTACT_INFO: 1 }

const CHECKS: Record<string, (button: Json, category: string) => void> = {
  QUICK_REPLY: label,
  URL: (button) => {
    label(button)
    const url = text(button.url) ?? ''
    if (url === '' || url.length > 2000) throw problem('A URL button needs a url of at most 2000 characters.')
    const variables = variablesIn(url)
    if (variables.length === 0) return
    if (variables.length > 1 || !/\{\{1\}\}$/.test(url)) throw problem('A url has one variable, {{1}}, at its end.')
    if (list(button.example).length !== 1) throw problem('A url with a variable needs one example.')
  },
  PHONE_NUMBER: (button) => {
    label(button)
    const phone = text(button.phone_number) ?? ''
    if (phone === '' || phone.length > 20) throw problem('A phone number has between 1 and 20 characters.')
  },
  COPY_CODE: (button) => {
    const example = Array.isArray(button.example) ? text(button.example[0]) : text(button.example)
    if (!example || lengthOf(example) > 20)
      throw problem('A copy code button needs an example of at most 20 characters.')
  },
  FLOW: (button) => {
    label(button)
    const known = button.flow_id ?? button.flow_name ?? button.flow_json
    if (known === undefined) throw problem('A flow button needs flow_id, flow_name or flow_json.')
    const opensScreen = String(button.flow_action ?? 'navigate').toLowerCase() === 'navigate'
    if (opensScreen && !text(button.navigate_screen)) throw problem('A flow that navigates needs a navigate_screen.')
  },
  REQUEST_CONTACT_INFO: (button, category) => {
    if (category === 'AUTHENTICATION') throw problem('Such a button belongs to utility and marketing templates.')
    if (button.text !== undefined && button.text !== 'Share Contact Info') {
      throw problem('The text of such a button is "Share Contact Info", or left out.')
    }
  },
  OTP: (button, category) => {
    if (category !== 'AUTHENTICATION') throw problem('One-time-password buttons belong to authentication templates.')
    if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(String(button.otp_type ?? '').toUpperCase())) {
      throw problem('otp_type is COPY_CODE, ONE_TAP or ZERO_TAP.')
    }
    checkApps(button, String(button.otp_type ?? '').toUpperCase())
  },
}

function checkApps(button: Json, otpType: string): void {
  const apps = list(button.supported_apps).map(record)
  if (otpType === 'COPY_CODE' ? apps.length > 0 : apps.length < 1 || apps.length > 5) {
    throw problem('supported_apps holds 1 to 5 apps for ONE_TAP and ZERO_TAP, and none for COPY_CODE.')
  }
  for (const { package_name, signature_hash } of apps) {
    const isPackage = /^[a-z]\w*(\.[a-z]\w*)+$/i.test(text(package_name) ?? '') && String(package_name).length <= 224
    if (!isPackage) throw problem('package_name has two or more segments, at most 224 characters.')
    if (!/^[a-z0-9+/=]{11}$/i.test(text(signature_hash) ?? '')) throw problem('signature_hash has 11 characters.')
  }
  if (otpType === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true) {
    throw problem('zero_tap_terms_accepted has to be true.')
  }
}

function label(button: Json): void {
  const value = text(button.text) ?? ''
  if (value === '' || lengthOf(value) > 25) throw problem('A button text has between 1 and 25 characters.')
}

function problem(reason: string): Error {
  return managementError(2388060, 'Message template button is not valid', reason)
}
