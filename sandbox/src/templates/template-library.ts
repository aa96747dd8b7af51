import { graphError, managementError } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { type Json, list, record, text } from '../http/json.ts'
import { page } from '../http/paging.ts'
import type { Platform } from '../platform.ts'

/** `GET /message_template_library`: the same for every business, so it hangs off no account. */
export function listLibrary(platform: Platform, call: Call): Reply {
  const { query } = call
  const same = (name: 'topic' | 'usecase' | 'language' | 'name', value: string) =>
    (query.get(name) ?? value).toLowerCase() === value.toLowerCase()
  const search = (query.get('search') ?? '').toLowerCase()
  const industry = query.get('industry')
  const found = LIBRARY.filter(
    (entry) =>
      same('topic', entry.topic) &&
      same('usecase', entry.usecase) &&
      same('language', entry.language) &&
      same('name', entry.name) &&
      (industry === null || entry.industry.includes(industry)) &&
      `${entry.name} ${entry.header} ${entry.body}`.toLowerCase().includes(search),
  )
  return ok(page(found, call, platform.baseUrl(), (entry) => ({ ...entry })))
}

/** A creation that names a library template: its words, with the buttons filled in. Null where none is named. */
export function fromLibrary(params: Json): Json | null {
  const name = text(params.library_template_name)
  if (name === undefined) return null
  if (params.components !== undefined) {
    throw graphError(100, undefined, {
      message: '(#100) A template of the library cannot have components of its own',
    })
  }
  const entry = LIBRARY.find((one) => one.name === name && one.language === params.language)
  if (entry === undefined) {
    throw managementError(2388299, 'Not in the library', 'The library has no template of this name in this language.')
  }
  const components: Json[] = [
    { type: 'HEADER', format: 'TEXT', text: entry.header },
    { type: 'BODY', text: entry.body, example: { body_text: [entry.body_params] } },
  ]
  const inputs = list(params.library_template_button_inputs).map(record)
  const buttons = entry.buttons.map((button, index) => ({ ...button, ...filled(button, inputs[index]) }))
  if (buttons.length > 0) components.push({ type: 'BUTTONS', buttons })
  return { ...params, category: params.category ?? entry.category, components }
}

function filled(button: { type: string }, input: Json | undefined): Json {
  if (input === undefined || text(input.type)?.toUpperCase() !== button.type) {
    throw graphError(100, undefined, { message: `(#100) library_template_button_inputs must fill the ${button.type}` })
  }
  if (button.type === 'PHONE_NUMBER') return { phone_number: input.phone_number }
  const url = record(input.url)
  return { url: url.base_url, ...(url.url_suffix_example === undefined ? {} : { example: [url.url_suffix_example] }) }
}

type Entry = {
  id: string
  name: string
  language: string
  category: string
  topic: string
  usecase: string
  industry: string[]
  header: string
  body: string
  body_params: string[]
  body_param_types: string[]
  buttons: { type: string; text: string }[]
}

/** The shape is the platform's; the words are the sandbox's own. */
const LIBRARY: Entry[] = [
  {
    id: '7000000000000001',
    name: 'delivery_update_1',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'ORDER_MANAGEMENT',
    usecase: 'DELIVERY_UPDATE',
    industry: ['E_COMMERCE'],
    header: 'Your order is coming',
    body: 'Order {{1}} leaves our warehouse on {{2}}. The button shows where it is.',
    body_params: ['A-1001', '20 November'],
    body_param_types: ['TEXT', 'DATE'],
    buttons: [{ type: 'URL', text: 'Follow the order' }],
  },
  {
    id: '7000000000000002',
    name: 'payment_reminder_1',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'PAYMENTS',
    usecase: 'PAYMENT_DUE_REMINDER',
    industry: ['FINANCIAL_SERVICES'],
    header: 'A payment is due',
    body: 'The bill of {{1}} is due on {{2}}. Call us if anything is unclear.',
    body_params: ['$24.90', '20 November'],
    body_param_types: ['AMOUNT', 'DATE'],
    buttons: [{ type: 'PHONE_NUMBER', text: 'Call us' }],
  },
  {
    id: '7000000000000003',
    name: 'appointment_reminder_1',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'EVENT_REMINDER',
    usecase: 'APPOINTMENT_REMINDER',
    industry: ['HEALTHCARE'],
    header: 'Your appointment',
    body: 'We expect you on {{1}} at {{2}}. Please tell us if you cannot come.',
    body_params: ['20 November', '12 Example Street'],
    body_param_types: ['DATE', 'ADDRESS'],
    buttons: [],
  },
]
