import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callbackContracts,
  callContracts,
  checkCallback,
  checkExchange,
  describeViolation,
} from '../../sandbox/src/contract/contract.ts'
import { edgeOf } from '../../sandbox/src/http/http.ts'
import type { ChatPlatform, NumberCredentials, PlatformClient } from '../../server/src/platform/chat-platform.ts'
import { parseCallback } from '../../server/src/platform/cloud/callbacks/cloud-callbacks.ts'
import { createCloudApi } from '../../server/src/platform/cloud/cloud-api.ts'
import type { OutboundContent, OutboundInteractive, TemplateDraft } from '../../server/src/platform/outbound-message.ts'
import { type Members, sampleOf } from '../support/contract/sample.ts'

/** Ids by which the platform below knows what a call is about. */
const kinds: Record<string, string> = {
  '1065': 'phone_number',
  '9001': 'waba',
  '44': 'app',
  '77': 'template',
  '5': 'media',
  '1763200000': 'upload',
}
const app = { appId: '44', appSecret: 'secret' }
const file = { content: Buffer.from('bytes'), bytes: 5, mimeType: 'image/png', filename: 'a.png' }
const media = { platformMediaId: '5' }
const plain = { header: null, body: 'b', footer: null }
const interactive = (content: OutboundInteractive): OutboundContent => ({ type: 'interactive', interactive: content })
const contents: OutboundContent[] = [
  { type: 'text', text: 'Hello', previewUrl: true },
  { type: 'image', media, caption: 'c' },
  { type: 'video', media, caption: 'c' },
  { type: 'audio', media, voice: true },
  { type: 'sticker', media },
  { type: 'document', media: { link: 'https://files.test/a.pdf' }, caption: 'c', filename: 'a.pdf' },
  { type: 'location', latitude: 1.5, longitude: 2.5, name: 'n', address: 'a' },
  { type: 'reaction', channelMessageId: 'wamid.1', emoji: '👍' },
  {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: 'Ana', last_name: 'B' },
        phones: [{ phone: '+1', wa_id: '1' }],
        emails: [{ email: 'a@b.test' }],
        org: { company: 'Acme' },
        urls: [{ url: 'https://b.test', type: 'WORK' }],
      },
    ],
  },
  interactive({
    ...plain,
    kind: 'buttons',
    header: { type: 'document', media, filename: 'a.pdf' },
    footer: 'f',
    buttons: [{ id: 'y', title: 'Yes' }],
  }),
  interactive({
    ...plain,
    kind: 'list',
    header: { type: 'text', text: 'h' },
    button: 'Choose',
    sections: [{ title: 's', rows: [{ id: 'a', title: 'A', description: 'd' }] }],
  }),
  interactive({ ...plain, kind: 'cta_url', button: 'Open', url: 'https://a.test' }),
  interactive({ ...plain, kind: 'location_request' }),
  interactive({ ...plain, kind: 'product', catalog_id: 'c', product_id: 'p' }),
  interactive({
    ...plain,
    kind: 'product_list',
    header: { type: 'text', text: 'h' },
    catalog_id: 'c',
    product_sections: [{ title: 's', product_ids: ['p'] }],
  }),
  interactive({ ...plain, kind: 'catalog', thumbnail_product_id: 'p' }),
  interactive({ ...plain, kind: 'product_carousel', catalog_id: 'c', product_ids: ['p', 'q'] }),
  interactive({ ...plain, kind: 'contact_info' }),
  interactive({
    ...plain,
    kind: 'carousel',
    cards: [
      { header: { type: 'image', media }, body: 'b', button: 'Buy', url: 'https://a.test', buttons: null },
      { header: { type: 'video', media }, body: null, button: null, url: null, buttons: [{ id: 'y', title: 'Yes' }] },
    ],
  }),
  interactive({
    ...plain,
    kind: 'address',
    address: {
      country: 'IN',
      values: { city: 'Mumbai' },
      saved_addresses: [{ id: 'a', values: { city: 'Delhi' } }],
      validation_errors: { city: 'There is none.' },
    },
  }),
  interactive({ ...plain, kind: 'call_permission' }),
  interactive({
    ...plain,
    kind: 'flow',
    button: 'Book',
    flow: { id: '1', name: null, token: 't', mode: 'draft', action: 'navigate', screen: 's', screen_data: { a: 1 } },
  }),
  {
    type: 'template',
    name: 'order',
    language: 'en_US',
    components: [
      { type: 'header', parameters: [{ type: 'image', media }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'first', text: 'Ana' },
          { type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1000 } },
          { type: 'date_time', date_time: { fallback_value: 'today' } },
        ],
      },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'x' }] },
      { type: 'button', sub_type: 'quick_reply', index: 1, parameters: [{ type: 'payload', payload: 'p' }] },
    ],
  },
  {
    type: 'template',
    name: 'sale',
    language: 'en_US',
    components: [
      {
        type: 'header',
        parameters: [
          { type: 'location', location: { latitude: 38.7, longitude: -9.1, name: 'Shop', address: 'Quay 1' } },
        ],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 0,
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE25' }],
      },
      {
        type: 'button',
        sub_type: 'flow',
        index: 1,
        parameters: [{ type: 'action', action: { flow_token: 't', flow_action_data: { orderId: 'A-1' } } }],
      },
      { type: 'button', sub_type: 'flow', index: 2, parameters: [] },
    ],
  },
]
const draft: TemplateDraft = {
  content: {
    name: 'order',
    language: 'en_US',
    category: 'utility',
    parameter_format: 'positional',
    components: [
      { type: 'header', format: 'image', example: { handle: '4::handle' } },
      { type: 'body', text: 'Hi {{1}}' },
      { type: 'footer', text: 'f' },
      {
        type: 'buttons',
        buttons: [
          { type: 'quick_reply', text: 'Yes' },
          { type: 'url', text: 'See', url: 'https://a.test/{{1}}', example: 'https://a.test/1' },
          { type: 'phone_number', text: 'Call', phone_number: '+12025550100' },
        ],
      },
    ],
    variables: [{ component: 'body', position: 1, name: null, example: 'Ana' }],
  },
}

type Calls = Omit<ChatPlatform, 'answerHandshake' | 'isSigned' | 'parseCallback' | 'dialect' | 'relay'>

/** Every call that the client can make: a method that is missing here does not compile. */
const calls: { [Name in keyof Calls]: (api: PlatformClient, number: NumberCredentials) => Promise<unknown> } = {
  send: async (api, number) => {
    for (const content of contents) {
      await api.send(number, { to: { phone: '+12025550100' }, content, replyTo: 'wamid.0' }, { correlation: 'c' })
    }
    await api.send(number, { to: { userId: 'US.1' }, content: { type: 'text', text: 'Hi' } }, { correlation: 'c' })
  },
  markRead: (api, number) => api.markRead(number, 'wamid.1', { typing: true }),
  uploadMedia: (api, number) => api.uploadMedia(number, file),
  mediaUrl: (api, number) => api.mediaUrl(number, '5'),
  downloadMedia: (api, number) =>
    api.downloadMedia(number, { platformMediaId: '5', bytesMax: 100, write: async () => {} }),
  deleteMedia: (api, number) => api.deleteMedia(number, '5'),
  createTemplate: (api, number) => api.createTemplate(number, draft),
  listTemplates: async (api, number) => {
    for await (const one of api.listTemplates(number, { name: 'order', status: 'APPROVED' })) expect(one).toBeDefined()
  },
  getTemplate: (api, number) => api.getTemplate(number, '77'),
  editTemplate: (api, number) => api.editTemplate(number, '77', { ...draft, category: 'utility' }),
  deleteTemplate: (api, number) => api.deleteTemplate(number, { name: 'order', templateId: '77' }),
  uploadSample: (api, number) => api.uploadSample(number, file),
  getNumber: (api, number) => api.getNumber(number),
  pass: (api, number) => api.pass(number, { method: 'GET', path: `/${number.phoneNumberId}`, query: { fields: 'id' } }),
  wabaHealth: (api, number) => api.wabaHealth(number),
  reportedPrices: (api, number) => api.reportedPrices(number, { from: 1_000, to: 86_401_000 }),
  debugToken: (api, number) => api.debugToken(number, { asApp: app }),
  appSubscription: (api, number) => api.appSubscription(number, app),
  setAppSubscription: (api, number) =>
    api.setAppSubscription(number, app, { url: 'https://a.test/c', fields: ['messages'], verifyToken: 'v' }),
  subscribeApp: (api, number) => api.subscribeApp(number),
  setCallbackOverride: (api, number) => api.setCallbackOverride(number, { url: 'https://a.test/c', verifyToken: 'v' }),
  listSubscribedApps: (api, number) => api.listSubscribedApps(number),
  removeNumberCallback: (api, number) => api.removeNumberCallback(number),
  getProfile: (api, number) => api.getProfile(number),
  updateProfile: (api, number) =>
    api.updateProfile(number, {
      about: 'Open',
      address: 'a',
      description: 'd',
      email: 'a@b.test',
      vertical: 'RETAIL',
      websites: ['https://a.test'],
      photoHandle: '4::handle',
    }),
  // The required members name no photo.
  downloadPhoto: (api, number) =>
    api
      .downloadPhoto(number, { bytesMax: 100, write: async () => {} })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'media_not_found' })),
  messageHistory: (api, number) => api.messageHistory(number, 'wamid.1'),
  listLinks: (api, number) => api.listLinks(number),
  saveLink: (api, number) => api.saveLink(number, { code: 'ABC', message: 'Hi', image: 'png' }),
  deleteLink: (api, number) => api.deleteLink(number, 'ABC'),
  getAutomation: (api, number) => api.getAutomation(number),
  setAutomation: (api, number) =>
    api.setAutomation(number, { prompts: ['What?'], commands: [{ name: 'order', description: 'Where is it?' }] }),
  listBlocked: (api, number) => api.listBlocked(number, { limit: 5, after: 'c' }),
  blockCustomers: (api, number) => api.blockCustomers(number, ['+12025550100', 'US.1']),
  unblockCustomers: (api, number) => api.unblockCustomers(number, ['+12025550100', 'US.1']),
  controlThread: (api, number) =>
    api.controlThread(number, { customer: '+12025550100', action: 'pass', role: 'escalation', note: 'n' }),
  forgetContact: (api, number) => api.forgetContact(number, 'US.1'),
  redeemCode: (api, { baseUrl, graphVersion }) =>
    api.redeemCode({ ...app, baseUrl, graphVersion }, { code: 'AQ1', redirectUri: 'https://a.test/connect' }),
  renewToken: (api, { accessToken, baseUrl, graphVersion }) =>
    api.renewToken({ ...app, baseUrl, graphVersion }, accessToken),
  listBusinessNumbers: (api, number) => api.listBusinessNumbers(number),
  syncBusinessApp: (api, number) => api.syncBusinessApp(number, 'history'),
  register: (api, number) => api.register(number, '123456'),
}

describe('The client and a platform made of the recorded contract alone', () => {
  let server: Server
  let api: PlatformClient
  let number: NumberCredentials
  let members: Members = 'all'
  let said: string[] = []

  /** The sample of the file whose request is the nearest; what the request has too much or too little is noted. */
  function answer(call: string, request: object, base: string): unknown {
    const alternatives = callContracts
      .filter((contract) => contract.call === call)
      .map((contract) => {
        const told = JSON.parse(JSON.stringify(sampleOf(contract.answer, members)), (name, value) =>
          name === 'url' || name === 'profile_picture_url'
            ? `${base}/whatsapp_business/file`
            : name === 'id' && call.endsWith('/uploads')
              ? 'upload:1'
              : value,
        )
        return { told, found: checkExchange({ call, status: 200, request, answer: told }) ?? [] }
      })
      .sort((one, other) => one.found.length - other.found.length)
    if (alternatives[0] === undefined) said.push(`No file of sandbox/contract speaks of ${call}.`)
    said.push(...(alternatives[0]?.found.map(describeViolation) ?? []))
    return alternatives[0]?.told ?? {}
  }

  beforeAll(async () => {
    server = createServer(async (req, res) => {
      const base = `http://${req.headers.host}`
      const url = new URL(req.url ?? '', base)
      if (url.pathname.startsWith('/whatsapp_business')) return void res.end('bytes')
      const [, , first = '', ...edge] = url.pathname.split('/')
      const { access_token: _, appsecret_proof: __, ...query } = Object.fromEntries(url.searchParams)
      const type = req.headers['content-type'] ?? ''
      const raw = await buffer(req)
      const body = type.startsWith('multipart/')
        ? Object.fromEntries(await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData())
        : type === 'application/json'
          ? (JSON.parse(raw.toString()) as object)
          : {}
      const kind = first.startsWith('upload') ? 'upload' : kinds[first]
      const call = `${req.method} /${[kind === undefined ? first : `{${kind}}`, edgeOf(['', ...edge])].join('/').replace(/\/$/, '')}`
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify(answer(call, { ...query, ...body }, base)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    api = createCloudApi({ totalMs: 5_000 })
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ids = { phoneNumberId: '1065', wabaId: '9001', appId: '44', appSecret: 'secret' }
    number = { ...ids, accessToken: 'token', baseUrl, graphVersion: 'v26.0' }
  })
  afterAll(async () => {
    await api.close()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })

  for (const which of ['all', 'required'] as const) {
    test.each(Object.entries(calls))(
      `%s asks as recorded and reads an answer with ${which} members`,
      async (_, run) => {
        members = which
        said = []
        await run(api, number)
        expect(said).toEqual([])
      },
    )
  }
})

describe('The reader of callbacks and the recorded contract', () => {
  const bodyOf = (field: string, value: unknown) => ({
    object: 'whatsapp_business_account',
    entry: [{ id: '9001', time: 1_763_200_000, changes: [{ field, value }] }],
  })
  const wholes = callbackContracts.filter(({ callback, list }) => callback !== '*' && list === undefined)
  const rows = callbackContracts
    .filter(({ callback }) => callback !== '*')
    .flatMap((contract) =>
      (['all', 'required'] as const).map((members) => ({ file: contract.file, contract, members })),
    )
    .filter(({ contract: { list, callback } }) => list !== undefined || !['messages', 'calls'].includes(callback))
  test.each(rows)('$file with $members members is read', ({ contract, members }) => {
    const whole = wholes.find(({ callback }) => callback === contract.callback)
    const sample = sampleOf(contract.value, members)
    const around = whole === undefined ? {} : (sampleOf(whole.value, 'required') as { metadata?: object })
    // All numbers of a sample are the same; a customer is not us.
    if (around.metadata) around.metadata = { ...around.metadata, display_phone_number: '15550009999' }
    const value = contract.list === undefined ? sample : { ...around, [contract.list]: [sample] }
    const body = bodyOf(contract.callback, value)
    expect(checkCallback(body).map(describeViolation)).toEqual([])
    const read = parseCallback(JSON.stringify(body))
    expect(read.length).toBeGreaterThan(0)
    expect(read.filter((item) => item.kind === 'unhandled' && item.reason !== 'not_used')).toEqual([])
  })
})
