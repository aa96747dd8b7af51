import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { placeholdersIn } from '../../lib/text/placeholders.ts'
import { isWebAddress } from '../content/read-component.ts'
import type {
  CopyCodeButton,
  FlowButton,
  OtpButton,
  PhoneButton,
  SupportedApp,
  TemplateButton,
  UrlButton,
} from '../content/template-types.ts'
import { couponCharactersMax } from '../content/template-types.ts'

/** The channel's rules for the buttons of a template; `place` is that of their component. */
export function checkButtons(buttons: readonly TemplateButton[], place: string): FieldProblem[] {
  return [
    ...checkCounts(buttons, `${place}.buttons`),
    ...checkOrder(buttons, `${place}.buttons`),
    ...buttons.flatMap((button, index) => checkButton(button, `${place}.buttons[${index}]`)),
    ...checkLabelsDiffer(buttons, place),
  ]
}

const countLimits = [
  { type: 'url', most: 2, words: 'two url buttons' },
  { type: 'phone_number', most: 1, words: 'one phone_number button' },
  { type: 'copy_code', most: 1, words: 'one copy_code button' },
  { type: 'flow', most: 1, words: 'one flow button' },
  { type: 'request_contact_info', most: 1, words: 'one request_contact_info button' },
] as const

function checkCounts(buttons: readonly TemplateButton[], field: string): FieldProblem[] {
  if (buttons.length === 0)
    return [bodyProblem(field, 'too_short', 'Give 1 to 10 buttons, or leave the component out.')]
  const total =
    buttons.length > 10
      ? [bodyProblem(field, 'too_many_items', `A template has at most 10 buttons, this has ${buttons.length}.`)]
      : []
  const kinds = countLimits
    .filter(({ type, most }) => buttons.filter((button) => button.type === type).length > most)
    .map(({ words }) => bodyProblem(field, 'too_many_items', `A template has at most ${words}.`))
  return [...total, ...kinds]
}

function checkOrder(buttons: readonly TemplateButton[], field: string): FieldProblem[] {
  const isReply = buttons.map((button) => button.type === 'quick_reply')
  const changes = isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]).length
  if (changes <= 1) return []
  return [
    bodyProblem(field, 'invalid_value', 'Keep quick replies together, all before or all after the other buttons.'),
  ]
}

function checkButton(button: TemplateButton, place: string): FieldProblem[] {
  if (button.type === 'copy_code') return checkCoupon(button, place)
  const label = checkLabel(button.text, place)
  if (button.type === 'url') return [...label, ...checkUrl(button, place)]
  if (button.type === 'phone_number') return [...label, ...checkPhone(button, place)]
  if (button.type === 'otp') return [...label, ...checkOtp(button, place)]
  return button.type === 'flow' ? [...label, ...checkFlow(button, place)] : label
}

function checkOtp(button: OtpButton, place: string): FieldProblem[] {
  const { otp_type, autofill_text, supported_apps = [], zero_tap_terms_accepted } = button
  if (otp_type === 'copy_code') return []
  const field = `${place}.supported_apps`
  return [
    ...(autofill_text === undefined ? [] : checkLabel(autofill_text, place, 'autofill_text')),
    ...(supported_apps.length > 0
      ? []
      : [
          bodyProblem(
            field,
            'required',
            'Name the Android app that gets the code: its package and its signature hash.',
          ),
        ]),
    ...(supported_apps.length > 5 ? [bodyProblem(field, 'too_many_items', 'A button has at most 5 apps.')] : []),
    ...supported_apps.flatMap((app, index) => checkApp(app, `${field}[${index}]`)),
    ...(otp_type !== 'zero_tap' || zero_tap_terms_accepted
      ? []
      : [
          bodyProblem(
            `${place}.zero_tap_terms_accepted`,
            'required',
            'Set it to true: zero_tap needs that you accept its terms.',
          ),
        ]),
  ]
}

function checkApp({ package_name, signature_hash }: SupportedApp, place: string): FieldProblem[] {
  const isPackage = /^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(package_name) && package_name.length <= 224
  const isHash = /^[a-z0-9+/=]{11}$/i.test(signature_hash)
  return [
    ...(isPackage
      ? []
      : [bodyProblem(`${place}.package_name`, 'invalid_format', 'Write the package as com.example.shop.')]),
    ...(isHash
      ? []
      : [bodyProblem(`${place}.signature_hash`, 'invalid_format', 'The hash of the signing key has 11 characters.')]),
  ]
}

/** Meta's page of December 2025 says 20 of the example; older ones said 15. */

function checkCoupon({ example = '' }: CopyCodeButton, place: string): FieldProblem[] {
  const field = `${place}.example`
  if (example.trim() === '') return [bodyProblem(field, 'required', 'Give an example of a coupon code.')]
  const characters = Array.from(example).length
  if (characters <= couponCharactersMax) return []
  return [bodyProblem(field, 'too_long', `A coupon code has at most ${couponCharactersMax} characters.`)]
}

function checkFlow({ flow_action, navigate_screen }: FlowButton, place: string): FieldProblem[] {
  if (flow_action === 'data_exchange' || navigate_screen !== undefined) return []
  return [bodyProblem(`${place}.navigate_screen`, 'required', 'Name the first screen of the Flow.')]
}

function checkLabel(text: string, place: string, key = 'text'): FieldProblem[] {
  const field = `${place}.${key}`
  if (text.trim() === '') return [bodyProblem(field, 'too_short', 'Give the button a label.')]
  if (placeholdersIn(text).length > 0) return [bodyProblem(field, 'invalid_value', 'A label has no variables.')]
  const characters = Array.from(text).length
  return characters > 25
    ? [bodyProblem(field, 'too_long', `A label has at most 25 characters, this has ${characters}.`)]
    : []
}

function checkUrl({ url, example }: UrlButton, place: string): FieldProblem[] {
  const field = `${place}.url`
  const placeholders = placeholdersIn(url)
  const [first] = placeholders
  const bare = first ? url.slice(0, first.start) : url
  if (url.length > 2000) return [bodyProblem(field, 'too_long', 'A url has at most 2000 characters.')]
  if (placeholders.length > 1 || (first && (first.end !== url.length || first.token !== '1'))) {
    return [bodyProblem(field, 'invalid_format', 'A url has at most one variable, {{1}}, and only at its very end.')]
  }
  if (!isWebAddress(bare)) {
    return [bodyProblem(field, 'invalid_url', 'Give a complete address that starts with https://.')]
  }
  if (!first || (example !== undefined && example.trim() !== '')) return []
  return [bodyProblem(`${place}.example`, 'required', 'Give an example for the variable at the end of the url.')]
}

function checkPhone({ phone_number }: PhoneButton, place: string): FieldProblem[] {
  const field = `${place}.phone_number`
  if (phone_number.length > 20) return [bodyProblem(field, 'too_long', 'A phone number has at most 20 characters.')]
  const parsed = parseRecipient(phone_number)
  if (!parsed.ok) return [bodyProblem(field, parsed.code, parsed.message)]
  return parsed.kind === 'phone'
    ? []
    : [bodyProblem(field, 'invalid_phone_number', 'Give a phone number, not a user id.')]
}

function checkLabelsDiffer(buttons: readonly TemplateButton[], place: string): FieldProblem[] {
  const labels = buttons.map(({ text }) => text.trim())
  return labels.flatMap((label, index) => {
    const first = labels.indexOf(label)
    const field = `${place}.buttons[${index}].text`
    const isRepeated = label !== '' && first < index
    return isRepeated ? [bodyProblem(field, 'duplicate', `Another button is called '${label}'; each must differ.`)] : []
  })
}
