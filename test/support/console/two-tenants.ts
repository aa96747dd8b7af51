import { expect } from 'vitest'
import type { EngineName } from '../postgres/databases.ts'
import { type HostileReceiver, startHostileReceiver } from '../receiver/hostile-receiver.ts'
import { unhurried } from '../unhurried.ts'
import { waitFor } from '../wait-for.ts'
import { aConsoleService, type ConsoleService } from './console-service.ts'
import { addAccount, anOwner, type Visitor } from './console-world.ts'

/** A person whom both accounts write with. */
export const sharedCustomer = '+12025550177'

/** Its word is in everything that it named, wrote or received: a reader who sees it sees data of this account. */
export type Tenant = { word: string; owner: Visitor; ids: Record<string, string> }
export type TwoTenants = {
  service: ConsoleService
  a: Tenant
  b: Tenant
  /** All that the account gets delivered comes to its own path. */
  receiver: HostileReceiver
  stop(): Promise<void>
}

/** Two accounts on one gateway, each with a number of the sandbox; their things come by `furnish`. */
export async function twoTenants(engine: EngineName): Promise<TwoTenants> {
  const service = await aConsoleService(engine, {
    POSTERN_SHARED_APP_ID: '4711',
    POSTERN_SHARED_APP_SECRET: '5'.repeat(32),
    POSTERN_SIGNUP_CONFIG_ID: '99',
  })
  const receiver = await startHostileReceiver()
  const { rt } = service.service
  unhurried(rt)
  const second = await addAccount(rt, 'boreal.test')
  const b = { word: 'boreal', owner: await anOwner({ url: service.url, ...second }), ids: {} }
  const a = { word: 'aurora', owner: service.owner, ids: {} }
  await did(b.owner, 'POST', '/channels/sandbox')
  return {
    service,
    a,
    b,
    receiver,
    async stop() {
      await receiver.close()
      await service.stop()
    },
  }
}

/** One object of every kind that a request can name, and something for each list to show. */
export async function furnish({ service, receiver }: TwoTenants, tenant: Tenant): Promise<void> {
  const { owner, word, ids } = tenant
  await did(owner, 'PUT', '/account', { name: `The ${word} shop` })
  await did(owner, 'PUT', '/me', { name: `Owner of ${word}` })
  const number = (await did(owner, 'GET', '/sandbox/numbers')).numbers[0]
  const channel = (await did(owner, 'GET', '/channels')).channels[0]
  const session = await did(owner, 'GET', '/session')
  Object.assign(ids, { number_id: number.id, phone_number: number.phone_number, channel_id: channel.id })
  Object.assign(ids, { account_id: session.account.id, session_id: session.id, owner_id: session.user.id })
  ids.key_id = (await did(owner, 'POST', '/keys', { name: `Key of ${word}`, scopes: ['messages:send'] })).key.id
  ids.connection_id = (
    await did(owner, 'POST', '/connections', { name: `Tool of ${word}`, tool: 'generic' })
  ).connection.id
  const text = 'Market,Currency,Utility\nPortugal,USD,0.01'
  const card = { name: `Rates of ${word}.csv`, from: '2026-01-01', text }
  ids.rate_card_id = (await did(owner, 'POST', '/rates', card)).id
  const budget = { name: `Budget of ${word}`, limit: '500', period: 'month', currency: 'USD' }
  ids.budget_id = (await did(owner, 'POST', '/budgets', budget)).budget_id
  const invitation = { name: `Guest of ${word}`, email: `guest@${word}.test`, role: 'viewer' }
  ids.user_id = (await did(owner, 'POST', '/members', invitation)).member.id
  const hook = { url: `${receiver.url}/${word}`, events: ['*'], description: `Webhook of ${word}` }
  ids.webhook_id = (await did(owner, 'POST', '/webhooks', hook)).id
  const webhook = async () => (await did(owner, 'GET', `/webhooks/${ids.webhook_id}`)).webhook
  await waitFor(async () => (await webhook()).verification.status === 'verified')
  const note = { name: `${word}_note`, body: 'Your parcel is on its way.', submit: false }
  ids.template_id = (await did(owner, 'POST', '/templates', note)).id
  await talk(tenant)
  const known = await did(owner, 'GET', `/customers?address=${encodeURIComponent(sharedCustomer)}`)
  ids.customer_id = known.customers[0].customer_id
  const sale = { name: `Sale of ${word}`, template: 'hello_world', language: 'en_US' }
  ids.broadcast_id = (await did(owner, 'POST', '/broadcasts', sale)).id
  const people = { recipients: [{ to: sharedCustomer }] }
  ids.upload_id = (await did(owner, 'POST', `/broadcasts/${ids.broadcast_id}/recipients`, people)).upload_id
  ids.link_id = (await did(owner, 'POST', '/links', { message: `Hello ${word}` })).link_id
  const reply = { shortcut: word, text: `Hello from ${word}` }
  ids.saved_reply_id = (await did(owner, 'POST', '/saved-replies', reply)).saved_reply_id
  ids.signup_id = (await did(owner, 'POST', '/signups')).id
  ids.media_id = await upload(service, owner)
  await deliveriesSettled(tenant)
  const [first] = (await did(owner, 'GET', `/webhooks/${ids.webhook_id}/deliveries`)).deliveries
  ids.delivery_id = first.delivery.id
  ids.event_id = first.delivery.event_id
}

/** The shared customer writes, and gets an answer; the account learns nothing of what they wrote to another one. */
async function talk({ owner, word, ids }: Tenant): Promise<void> {
  const line = { number_id: ids.number_id, customer: sharedCustomer }
  await did(owner, 'POST', '/sandbox/customers', { ...line, name: `Customer of ${word}` })
  await did(owner, 'POST', '/sandbox/inbound', { ...line, act: { kind: 'text', text: `Question for ${word}` } })
  const thread = () => did(owner, 'GET', `/conversation?customer=${encodeURIComponent(sharedCustomer)}`)
  await waitFor(async () => (await thread()).window.state === 'open')
  const answer = { to: sharedCustomer, message: `Answer of ${word}` }
  ids.message_id = (await did(owner, 'POST', '/messages/send', answer)).message_id
  await waitFor(async () => (await thread()).messages.some(({ status }: { status: string }) => status === 'read'))
  ids.own_message_id = (await did(owner, 'GET', `/messages/${ids.message_id}`)).own_id
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const later = { to: sharedCustomer, message: `See you, ${word}`, send_at: tomorrow }
  ids.waiting_message_id = (await did(owner, 'POST', '/messages/send', later)).message_id
}

async function deliveriesSettled({ owner, ids }: Tenant): Promise<void> {
  await waitFor(async () => {
    const { deliveries } = await did(owner, 'GET', `/webhooks/${ids.webhook_id}/deliveries?limit=100`)
    return deliveries.length >= 4 && deliveries.every(({ delivery }: Delivered) => delivery.status === 'delivered')
  })
}
type Delivered = { delivery: { status: string } }

async function upload({ url }: ConsoleService, { cookie }: Visitor): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob(['Terms of the shop'], { type: 'text/plain' }), 'terms.txt')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${url}/console/api/media`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { id?: string; media_id?: string } }
  return data.id ?? data.media_id ?? ''
}

/** The data of an answer that must be a success. */
export async function did({ call }: Visitor, method: string, path: string, body?: object) {
  const { status, json } = await call(method, path, body ?? (method === 'GET' ? undefined : {}))
  expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBeLessThan(300)
  return json.data
}
