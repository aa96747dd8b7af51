import { Client } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WhatsAppAPI } from 'whatsapp-api-js'
import {
  ActionButtons,
  ActionList,
  Body,
  Button,
  Interactive,
  ListSection,
  Location,
  Reaction,
  Row,
  Template,
  Text,
} from 'whatsapp-api-js/messages'
import { png } from '../media/media-samples.ts'
import { comparable } from '../support/clients/comparable.ts'
import { aGraphWorld, type GraphWorld } from '../support/graph-world.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * Libraries that others wrote for Meta, used as they are, twice: against the platform itself and through the gateway. What
 * they give their callers must be the same, but for ids, links and moments.
 */
type Place = { base: string; token: string; inbound: string }
type Calls = Record<string, () => Promise<unknown>>

const customer = '12025550100'
let world: GraphWorld
let direct: Place
let through: Place

beforeAll(async () => {
  world = await aGraphWorld('sqlite')
  const tool = await world.connect({
    scopes: ['messages:send', 'messages:read', 'media:write', 'media:read', 'templates:read', 'profile:read'],
  })
  const { body } = await world.control('POST', '/_sandbox/inbound', { from: `+${customer}`, text: 'Hi' })
  const known = async () => (await world.get(`/v1/chat/messages/${encodeURIComponent(body.message_id)}`)).status === 200
  await waitFor(known, 20_000)
  const { body: sandbox } = await world.control('GET', '/_sandbox')
  const inbound = body.message_id as string
  direct = { base: world.sandboxUrl, token: sandbox.numbers[0].access_token, inbound }
  through = { base: `${world.service.urls.base.replace('localhost', '127.0.0.1')}/graph`, token: tool.token, inbound }
}, 60_000)
afterAll(() => world?.stop())

/** What each call gave: a value, or what was thrown. */
async function results(calls: Calls): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(calls)) {
    given[name] = comparable(
      await call().catch((error: Error & { code?: unknown; httpStatus?: unknown }) => ({
        thrown: error.constructor.name,
        code: error.code,
        status: error.httpStatus,
      })),
      world.number,
    )
  }
  return given
}

async function expectSame(callsAt: (place: Place) => Calls): Promise<void> {
  const theirs = await results(callsAt(direct))
  const ours = await results(callsAt(through))
  world.saw(JSON.stringify(ours))
  expect(ours).toEqual(theirs)
  const failed = Object.entries(theirs).filter(
    ([name, value]) => !name.startsWith('rejected') && JSON.stringify(value).includes('"error"'),
  )
  expect(failed).toEqual([])
}

describe('clients give the same through the gateway as at Meta', { timeout: 60_000 }, () => {
  test('whatsapp-api-js', () =>
    expectSame(({ base, token, inbound }) => {
      const client = new WhatsAppAPI({
        token,
        appSecret: 'unused',
        v: 'v23.0',
        ponyfill: {
          fetch: (target: string | URL | Request, options?: RequestInit) =>
            fetch(String(target).replace('https://graph.facebook.com', base), options),
        },
      })
      const send = (message: Parameters<WhatsAppAPI['sendMessage']>[2]) =>
        client.sendMessage(world.number, customer, message)
      const upload = () => {
        const form = new FormData()
        form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'pixel.png')
        return client.uploadMedia(world.number, form)
      }
      return {
        text: () => send(new Text('Olá, João')),
        template: () => send(new Template('hello_world', 'en_US')),
        place: () => send(new Location(-9.1, 38.7, 'Shop', 'Rua 1')),
        reaction: () => send(new Reaction(inbound, '👍')),
        buttons: () => send(new Interactive(new ActionButtons(new Button('yes', 'Yes')), new Body('Sure?'))),
        list: () =>
          send(
            new Interactive(
              new ActionList('Choose', new ListSection('Sizes', new Row('s', 'Small'))),
              new Body('Which?'),
            ),
          ),
        'rejected template': () => send(new Template('no_such', 'en_US')),
        read: () => client.markAsRead(world.number, inbound),
        upload,
        'what an upload is': async () => {
          const made = await upload()
          return 'id' in made ? client.retrieveMedia(made.id) : made
        },
        'bytes of an upload': async () => {
          const made = await upload()
          const facts = 'id' in made ? await client.retrieveMedia(made.id) : made
          if (!('url' in facts)) return facts
          return Buffer.from(await (await client.fetchMedia(facts.url)).arrayBuffer()).equals(png)
        },
        'deletion of an upload': async () => {
          const made = await upload()
          return 'id' in made ? client.deleteMedia(made.id) : made
        },
      }
    }))

  test('@kapso/whatsapp-cloud-api', () =>
    expectSame(({ base, token, inbound }) => {
      const client = new WhatsAppClient({ accessToken: token, baseUrl: base, graphVersion: 'v24.0' })
      const to = { phoneNumberId: world.number, to: customer }
      const template = { name: 'hello_world', language: { code: 'en_US' } }
      const file = new Blob([new Uint8Array(Buffer.from('%PDF-1.4\n%%EOF\n'))], { type: 'application/pdf' })
      const upload = () =>
        client.media.upload({ phoneNumberId: world.number, type: 'application/pdf', file, fileName: 'bill.pdf' })
      const wrong = new WhatsAppClient({ accessToken: 'nonsense', baseUrl: base, graphVersion: 'v24.0' })
      return {
        text: () => client.messages.sendText({ ...to, body: 'Hello' }),
        template: () => client.messages.sendTemplate({ ...to, template }),
        document: async () =>
          client.messages.sendDocument({ ...to, document: { id: (await upload()).id, filename: 'bill.pdf' } }),
        buttons: () =>
          client.messages.sendInteractiveButtons({ ...to, bodyText: 'Sure?', buttons: [{ id: 'yes', title: 'Yes' }] }),
        list: () =>
          client.messages.sendInteractiveList({
            ...to,
            bodyText: 'Which?',
            buttonText: 'Choose',
            sections: [{ title: 'Sizes', rows: [{ id: 's', title: 'Small' }] }],
          }),
        read: () => client.messages.markRead({ phoneNumberId: world.number, messageId: inbound }),
        'bytes of an upload': async () =>
          Buffer.from(
            (await client.media.download({
              mediaId: (await upload()).id,
              phoneNumberId: world.number,
              auth: 'always',
            })) as ArrayBuffer,
          ).toString('utf8'),
        'names of templates': async () =>
          (await client.templates.list({ businessAccountId: world.waba, limit: 5 })).data.map(({ name, status }) => [
            name,
            status,
          ]),
        'rejected token': () => wrong.messages.sendText({ ...to, body: 'Hello' }),
        'rejected template': () => client.messages.sendTemplate({ ...to, template: { ...template, name: 'no_such' } }),
      }
    }))

  test('@great-detail/whatsapp', () =>
    expectSame(({ base, token, inbound }) => {
      const client = new Client({
        prefixUrl: base,
        graphVersion: 'v24.0',
        request: { headers: { authorization: `Bearer ${token}` } },
      })
      const send = (content: object) =>
        client.message.createMessage({ phoneNumberID: world.number, to: customer, ...content } as never).json()
      const file = new Blob([new Uint8Array(png)], { type: 'image/png' })
      const upload = () =>
        client.media
          .upload({ phoneNumberID: world.number, file, filename: 'dot.png', mimeType: 'image/png' } as never)
          .json()
      return {
        text: () => send({ type: 'text', text: { body: 'Hello' } }),
        template: () => send({ type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }),
        image: async () => send({ type: 'image', image: { id: (await upload()).id } }),
        read: () =>
          client.message
            .createStatus({ phoneNumberID: world.number, message_id: inbound, status: 'read' } as never)
            .json(),
        number: () =>
          client.phoneNumbers
            .getPhoneNumber({
              phoneNumberID: world.number,
              fields: ['display_phone_number', 'quality_rating'] as never,
            })
            .json(),
        numbers: async () =>
          (await client.phoneNumbers.listPhoneNumbers({ businessAccountID: world.waba }).json()).data.map(
            ({ id }) => id,
          ),
        templates: async () => (await client.template.list(world.waba, {}).json()).data.map(({ name }) => name),
      }
    }))
})
