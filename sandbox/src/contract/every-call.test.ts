import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, list, record } from '../http/json.ts'
import { recordedCalls } from '../http/router.ts'
import { type Bench, startBench } from '../test-support.ts'
import { callContracts } from './contract.ts'
import type { WatchedCall } from './watched.ts'

/** Every call that the sandbox answers, once; what holds them against the contract is the shared setup of all tests. */
const seen = new Set<string>()
const see = (message: unknown) => {
  const { call, status } = message as WatchedCall
  if (status < 400) seen.add(call)
}
let bench: Bench
beforeAll(async () => {
  subscribe('postern.sandbox.call', see)
  bench = await startBench({ scenario: { review_delay_ms: 600_000 } })
})
afterAll(async () => {
  unsubscribe('postern.sandbox.call', see)
  await bench[Symbol.asyncDispose]()
})

const whatsapp = { messaging_product: 'whatsapp' }
const body = { type: 'BODY', text: 'The order is ready.' }
const draft = { name: 'every_call', language: 'en_US', category: 'UTILITY', components: [body] }
const answered = async (method: string, path: string, given?: Json, headers?: Record<string, string>) => {
  const answer = await bench.call(method, path, given, headers)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200)
  return answer.body
}

test('a number: messages, profile, blocked users, settings, registration', async () => {
  const { phone_number_id: id, waba_id: waba } = bench.number
  const { message_id } = bench.sandbox.control.inbound({ from: '+12025550100', text: 'Hi' })
  await answered('POST', `${id}/messages`, {
    ...whatsapp,
    status: 'read',
    message_id,
    typing_indicator: { type: 'text' },
  })
  bench.sandbox.control.updateNumber(id, { marketing_messages: true })
  bench.sandbox.control.addTemplates({ templates: [{ name: 'sale', category: 'MARKETING', components: [body] }] })
  const sale = { to: '+12025550100', type: 'template', template: { name: 'sale', language: { code: 'en_US' } } }
  await answered('POST', `${id}/marketing_messages`, { ...whatsapp, ...sale })
  await answered('GET', id)
  const { code } = await answered('POST', `${id}/message_qrdls`, { prefilled_message: 'Hi', generate_qr_image: 'SVG' })
  await answered('GET', `${id}/message_qrdls`)
  await answered('GET', `${id}/message_qrdls/${code}`)
  await answered('DELETE', `${id}/message_qrdls/${code}`)
  const commands = [{ command_name: 'order', command_description: 'Where is my order?' }]
  await answered('POST', `${id}/conversational_automation`, { prompts: ['What is new?'], commands })
  await answered('POST', `${id}/username`, { username: 'acme.shop' })
  await answered('GET', `${id}/username`)
  await answered('GET', `${id}/username_suggestions`)
  await answered('DELETE', `${id}/username`)
  await answered('GET', `${id}/message_history?message_id=${message_id}`)
  await answered('GET', `${id}?fields=certificate,conversational_automation`)
  await answered('GET', `${waba}/phone_numbers`)
  await answered('POST', id, {
    webhook_configuration: { override_callback_uri: bench.receiver.url, verify_token: 'v' },
  })
  await answered('POST', id, { pin: '123456' })
  await answered('POST', `${id}/whatsapp_business_profile`, { ...whatsapp, about: 'Open', vertical: 'RETAIL' })
  await answered('GET', `${id}/whatsapp_business_profile?fields=about,vertical`)
  await answered('POST', `${id}/settings`, { user_identity_change: { enable_identity_key_check: true } })
  const users = { ...whatsapp, block_users: [{ user: '+12025550100' }] }
  await answered('POST', `${id}/block_users`, users)
  await answered('GET', `${id}/block_users`)
  await answered('POST', `${id}/thread_control`, { ...whatsapp, to: '12025550100', action: 'release' })
  await answered('DELETE', `${id}/block_users`, users)
  await answered('DELETE', `${id}/contact_book?messaging_product=whatsapp&bsuid=US.13491208655302741918`)
  const added = { cc: '1', phone_number: '2025550199', verified_name: 'Second' }
  const second = String((await answered('POST', `${waba}/phone_numbers`, added)).id)
  await answered('POST', `${second}/request_code`, { code_method: 'SMS', language: 'en_US' })
  await answered('POST', `${second}/verify_code`, { code: '123830' })
  await answered('POST', `${second}/register`, { ...whatsapp, pin: '123456' })
  await answered('POST', `${second}/deregister`)
  bench.sandbox.control.updateNumber(id, { on_business_app: true })
  await answered('POST', `${id}/smb_app_data`, { ...whatsapp, sync_type: 'history' })
})

test('media: up, looked up, down, deleted; a sample for a template in two steps; the photo of a profile', async () => {
  const { phone_number_id: number, app_id: app, access_token: token } = bench.number
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'a.pdf')
  const headers = { authorization: `Bearer ${token}` }
  const upload = await fetch(`${bench.sandbox.url}/v26.0/${number}/media`, { method: 'POST', headers, body: form })
  const { id } = record(await upload.json())
  const { url } = await answered('GET', `${id}?phone_number_id=${number}`)
  expect((await fetch(String(url), { headers })).status).toBe(200)
  await answered('DELETE', String(id))
  const session = await answered('POST', `${app}/uploads?file_name=a.pdf&file_length=4&file_type=application/pdf`)
  const bytes = { method: 'POST', headers: { ...headers, file_offset: '0' }, body: 'abcd' }
  await answered('GET', String(session.id))
  expect((await fetch(`${bench.sandbox.url}/v26.0/${session.id}`, bytes)).status).toBe(200)
  const image = await answered('POST', `${app}/uploads?file_length=4&file_type=image/png`)
  const { h } = record(await (await fetch(`${bench.sandbox.url}/v26.0/${image.id}`, bytes)).json())
  await answered('POST', `${number}/whatsapp_business_profile`, { ...whatsapp, profile_picture_handle: h })
  const profile = await answered('GET', `${number}/whatsapp_business_profile?fields=profile_picture_url`)
  expect((await fetch(String(record(list(profile.data)[0]).profile_picture_url))).status).toBe(200)
})

test('templates: created, listed, read, edited, paused, archived, in bulk, counted, deleted; the library', async () => {
  const { waba_id: waba, access_token } = bench.number
  const id = String((await answered('POST', `${waba}/message_templates`, draft)).id)
  await answered('GET', `${waba}/message_templates?summary=total_count&limit=1`)
  bench.sandbox.control.review('every_call', { decision: 'approve' })
  await answered('GET', `${id}?fields=name,status,quality_score,rejected_reason,health_status`)
  await answered('POST', id, { components: [{ ...body, text: 'The order has left.' }] })
  bench.sandbox.control.review('every_call', { decision: 'approve' })
  bench.sandbox.control.review('every_call', { decision: 'pause' })
  await answered('POST', `${id}/unpause`)
  expect(
    (await answered('POST', `${waba}/message_templates/archive`, { hsm_ids: [id, '1'] })).failed_templates,
  ).toEqual({
    1: expect.any(String),
  })
  await answered('POST', `${waba}/message_templates/unarchive`, { hsm_ids: [id] })
  const otp = [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]
  const bulk = { name: 'code', languages: ['en_US', 'es'], category: 'AUTHENTICATION', components: otp }
  expect(list((await answered('POST', `${waba}/upsert_message_templates`, bulk)).data)).toHaveLength(2)
  await answered('POST', `${waba}?is_enabled_for_insights=true`)
  await answered('GET', `${waba}/template_analytics?start=1&end=2&granularity=DAILY&template_ids=[${id}]`)
  await answered('DELETE', `${waba}/message_templates?name=every_call&hsm_id=${id}`)
  await answered('GET', 'message_template_library?limit=2', undefined, { authorization: `Bearer ${access_token}` })
})

test('the account and its app: read, subscribed, inspected', async () => {
  const { waba_id: waba, app_id: app, app_secret: secret, access_token: token } = bench.number
  await answered('GET', waba)
  await answered('GET', `${waba}?fields=health_status,currency,analytics.start(1).end(2).granularity(DAY)`)
  await answered('GET', `${waba}/subscribed_apps`)
  const asApp = { authorization: `Bearer ${app}|${secret}` }
  await answered('GET', `${app}/subscriptions`, undefined, asApp)
  await answered('GET', `debug_token?input_token=${token}`, undefined, asApp)
  await answered('GET', `oauth/access_token?client_id=${app}&client_secret=${secret}&grant_type=client_credentials`)
  await answered('POST', 'oauth/access_token', { client_id: app, client_secret: secret })
  await answered('DELETE', `${waba}/subscribed_apps`)
  await answered('DELETE', `${app}/subscriptions?object=whatsapp_business_account`, undefined, asApp)
})

test('every call that the sandbox answers was made above and has its file', () => {
  const recorded = new Set(callContracts.map(({ call }) => call))
  expect(recordedCalls().filter((call) => !recorded.has(call))).toEqual([])
  expect(recordedCalls().filter((call) => !seen.has(call))).toEqual([])
})
