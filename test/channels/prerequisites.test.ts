import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewNumber, SandboxNumber } from '../../sandbox/src/accounts/sandbox-numbers.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { checkChannel } from '../../server/src/channels/check/check-channel.ts'
import type { CheckStep, StepName } from '../../server/src/channels/check/check-step.ts'
import { type ConnectRequest, connectChannel } from '../../server/src/connect/connect-channel.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'

/** What is wrong, before the channel is connected or after, and what a person then reads. */
type Missing = {
  what: string
  /** How the number begins; approved and registered where nothing is said. */
  number?: NewNumber
  before?: (number: SandboxNumber) => unknown
  given?: (number: SandboxNumber) => Partial<ConnectRequest>
  /** With this the channel is connected first, and the sentence is that of a later check. */
  after?: (number: SandboxNumber) => unknown
  step: StepName
  status: CheckStep['status']
  says: RegExp
  cure: RegExp
}

let world: ChannelWorld
let elsewhere: Server
let elsewhereUrl: string

beforeAll(async () => {
  world = await aChannelWorld('sqlite')
  elsewhere = createServer((request, response) => {
    response.end(new URL(request.url ?? '/', 'http://elsewhere.test').searchParams.get('hub.challenge') ?? '')
  })
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/callback`
})
afterAll(async () => {
  await world.dispose()
  elsewhere.closeAllConnections()
  await new Promise((closed) => elsewhere.close(closed))
})

const change = (number: SandboxNumber, to: object) =>
  world.sandbox.control.updateNumber(number.phone_number_id, to as never)

/** What another administrator does at Meta: with the token of the number, or with that of its app. */
async function atMeta(number: SandboxNumber, method: string, path: string, body?: object): Promise<void> {
  const token = path.endsWith('/subscriptions') ? `${number.app_id}|${number.app_secret}` : number.access_token
  const answer = await fetch(`${world.sandbox.url}/v26.0/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(await answer.json()).toEqual({ success: true })
}

const subscribeElsewhere = (number: SandboxNumber, fields = 'messages') =>
  atMeta(number, 'POST', `${number.app_id}/subscriptions`, {
    object: 'whatsapp_business_account',
    callback_url: elsewhereUrl,
    verify_token: 'v',
    fields,
  })
const override = () => ({ override_callback_uri: elsewhereUrl, verify_token: 'v' })

const rows: Missing[] = [
  {
    what: 'the app secret of another app',
    given: () => ({ appSecret: 'f'.repeat(32) }),
    step: 'app_secret',
    status: 'failed',
    says: /does not belong to the app of the token/,
    cure: /Copy the app secret and the app id from App settings, Basic/,
  },
  {
    what: 'no app secret',
    given: () => ({ appSecret: null }),
    step: 'app_secret',
    status: 'failed',
    says: /The app secret is missing/,
    cure: /App settings, Basic, in POSTERN_CHANNEL_APP_SECRET/,
  },
  {
    what: 'the id of an app that does not exist',
    given: () => ({ appId: '123456789012345' }),
    step: 'app_secret',
    status: 'failed',
    says: /does not belong to the app of the token/,
    cure: /the app id from App settings, Basic/,
  },
  {
    what: 'a subscription of the app that was removed',
    after: (number) => atMeta(number, 'DELETE', `${number.app_id}/subscriptions`),
    step: 'app_callback',
    status: 'failed',
    says: /The app is not subscribed: Meta rejects an override and sends no callbacks/,
    cure: /--repair/,
  },
  {
    what: 'an app that reports to another service',
    before: (number) => subscribeElsewhere(number),
    step: 'app_callback',
    status: 'warning',
    says: /The app reports to .*127\.0\.0\.1.*: updates about templates, the account.* do not arrive here/,
    cure: /--take-over/,
  },
  {
    what: 'an app that reports to another service, and not of messages',
    before: (number) => subscribeElsewhere(number, 'account_update'),
    step: 'app_callback',
    status: 'failed',
    says: /is not subscribed to messages/,
    cure: /--take-over .*or use an app of your own/,
  },
  {
    what: 'an account that the app is no longer subscribed to',
    after: (number) => atMeta(number, 'DELETE', `${number.waba_id}/subscribed_apps`),
    step: 'subscription',
    status: 'failed',
    says: /not subscribed to the WhatsApp Business account: nothing is reported/,
    cure: /--repair/,
  },
  {
    what: 'a plain subscription that took the override away',
    after: (number) => atMeta(number, 'POST', `${number.waba_id}/subscribed_apps`),
    step: 'callback',
    status: 'failed',
    says: /Meta reports to the app's own address, not to/,
    cure: /--repair/,
  },
  {
    what: 'an override of another service',
    after: (number) => atMeta(number, 'POST', `${number.waba_id}/subscribed_apps`, override()),
    step: 'callback',
    status: 'failed',
    says: /Meta reports to .*, not here/,
    cure: /--take-over/,
  },
  {
    what: 'an override of the number itself',
    before: async (number) => {
      await atMeta(number, 'POST', number.phone_number_id, { webhook_configuration: override() })
    },
    step: 'number_callback',
    status: 'failed',
    says: /The number reports to .*, which takes precedence over this gateway/,
    cure: /--take-over/,
  },
  {
    what: 'a token without the permission to send',
    before: (number) => change(number, { permissions: ['whatsapp_business_management'] }),
    step: 'permissions',
    status: 'failed',
    says: /lacks the permission whatsapp_business_messaging\.$/,
    cure: /Create a token with both permissions/,
  },
  {
    what: 'a token without the permission to manage',
    before: (number) => change(number, { permissions: ['whatsapp_business_messaging'] }),
    step: 'permissions',
    status: 'failed',
    says: /lacks the permission whatsapp_business_management\.$/,
    cure: /Create a token with both permissions/,
  },
  {
    what: 'a permission that was taken away later',
    after: (number) => change(number, { permissions: ['whatsapp_business_messaging'] }),
    step: 'subscription',
    status: 'failed',
    says: /the token lacks a permission or has no access to it/,
    cure: /create a token with whatsapp_business_messaging and whatsapp_business_management/,
  },
  {
    what: 'a token that has expired',
    before: (number) => change(number, { token_expired: true }),
    step: 'token',
    status: 'failed',
    says: /Meta rejects the access token/,
    cure: /Create a system user token/,
  },
  {
    what: 'a token that expires later',
    after: (number) => change(number, { token_expired: true }),
    step: 'token',
    status: 'failed',
    says: /Meta rejects the access token/,
    cure: /Create a system user token/,
  },
  {
    what: 'a number that is not registered',
    number: { registered: false },
    step: 'number',
    status: 'failed',
    says: /The number is PENDING and cannot send/,
    cure: /Register the number: repeat with its six-digit PIN/,
  },
  {
    what: 'a number with another PIN',
    number: { registered: false, pin: '654321' },
    given: () => ({ pin: '123456' }),
    step: 'number',
    status: 'failed',
    says: /the two-step verification PIN is wrong/,
    cure: /Repeat with the correct PIN, or set a new one in WhatsApp Manager/,
  },
  {
    what: 'a number that was never verified',
    number: { registered: false, approved: false },
    given: () => ({ pin: '123456' }),
    step: 'number',
    status: 'failed',
    says: /must be verified again before it can be registered/,
    cure: /Verify the number by SMS or call in WhatsApp Manager/,
  },
  {
    what: 'the id of the account in place of that of the number',
    given: ({ waba_id, phone_number_id }) => ({ wabaId: phone_number_id, phoneNumberId: waba_id }),
    step: 'token',
    status: 'failed',
    says: /^The number could not be read: .*Meta code 100/,
    cure: /^Check the phone number id: .* neither the phone number itself nor the id of the WhatsApp Business account/,
  },
  {
    what: 'the id of another WhatsApp Business account',
    given: () => ({ wabaId: '999999999999999' }),
    step: 'number',
    status: 'failed',
    says: /The number belongs to the WhatsApp Business account \d+, not to 999999999999999/,
    cure: /Use the ids of the number and of its own account/,
  },
  {
    what: 'a display name that waits for its review',
    before: (number) => change(number, { name_status: 'PENDING_REVIEW' }),
    step: 'health',
    status: 'warning',
    says: /Messages are limited by Meta at the phone_number: The display name is not approved yet/,
    cure: /WhatsApp Manager/,
  },
  {
    what: 'a business that is not verified',
    before: (number) => change(number, { business_verified: false }),
    step: 'health',
    status: 'warning',
    says: /limited by Meta at the business: The business is not verified/,
    cure: /Start the verification of the business/,
  },
  {
    what: 'an account without a payment method',
    before: (number) => change(number, { payment_method: false }),
    step: 'health',
    status: 'failed',
    says: /Messages are blocked by Meta at the waba: The payment method is missing/,
    cure: /Add a payment method/,
  },
  {
    what: 'an app that is not published',
    before: (number) => change(number, { app_published: false }),
    after: (number) => {
      world.sandbox.control.inbound({ to: number.phone_number, from: '+12025550100', text: 'Hi' })
      world.clock.advance(11 * minuteMs)
    },
    step: 'callback',
    status: 'warning',
    says: /nothing has arrived since the channel was connected/,
    cure: /publish the app in the App Dashboard/,
  },
  {
    what: 'a gateway that Meta cannot reach',
    before: () => world.setUrls({ base: 'http://127.0.0.1:9' }),
    step: 'callback',
    status: 'failed',
    says: /Meta did not accept http:\/\/127\.0\.0\.1:9/,
    cure: /make sure that the address is reachable from outside/,
  },
  {
    what: 'a gateway without a public https address, and the real Meta',
    given: () => ({ baseUrl: 'https://graph.facebook.com' }),
    step: 'address',
    status: 'failed',
    says: /Meta cannot call http:\/\/127\.0\.0\.1.*: it needs a public https address/,
    cure: /Set POSTERN_BASE_URL to the public https address/,
  },
]

/** Connects, and checks later where the row wants it. */
async function stepsWith(row: Partial<Missing>): Promise<{ steps: CheckStep[]; number: SandboxNumber }> {
  const number = world.sandbox.control.createNumber({ approved: true, ...row.number })
  await row.before?.(number)
  const accountId = await world.newAccount()
  const result = await connectChannel(world.rt, {
    accountId,
    kind: 'cloud',
    wabaId: number.waba_id,
    phoneNumberId: number.phone_number_id,
    accessToken: number.access_token,
    appSecret: number.app_secret,
    baseUrl: world.sandbox.url,
    actor: operator,
    ...row.given?.(number),
  })
  if (row.after === undefined) return { steps: result.steps, number }
  expect(result.channel, JSON.stringify(result.steps)).not.toBeNull()
  await row.after(number)
  const checked = await checkChannel(world.rt, accountId, result.channel?.id ?? '')
  return { steps: checked?.steps ?? [], number }
}

describe('Connecting and checking', () => {
  test('with every prerequisite there finds nothing to fix, also where the app demands proof of its secret', async () => {
    const before = (number: SandboxNumber) => change(number, { require_app_secret: true })
    const { steps } = await stepsWith({ before, after: () => {} })
    expect(steps.filter(({ status }) => status !== 'ok')).toEqual([])
  })

  test('a number of the sandbox that nobody has written to finds nothing to fix either', async () => {
    const after = () => world.clock.advance(11 * minuteMs)
    const { steps } = await stepsWith({ given: () => ({ kind: 'sandbox' }), after })
    expect(steps.filter(({ status }) => status !== 'ok')).toEqual([])
  })

  test.each(rows)('with $what says so, and names the cure', async (row) => {
    const { steps, number } = await stepsWith(row)
    world.setUrls({ base: world.baseUrl })
    const told = steps.find(({ name }) => name === row.step)
    expect(told).toMatchObject({
      status: row.status,
      sentence: expect.stringMatching(row.says),
      fix: expect.stringMatching(row.cure),
    })
    const everything = JSON.stringify(steps)
    for (const secret of [number.access_token, number.app_secret, '654321']) expect(everything).not.toContain(secret)
  })
})
