import { describe, expect, test } from 'vitest'
import { asciiJson, parseExact } from '../lenient-json.ts'
import { isHandshakeReply } from './relay-dialect.ts'
import { joinPieces, splitCallback } from './relay-payload.ts'

const media = 'https://chat.test/graph/media'
const metadata = { display_phone_number: '15550100001', phone_number_id: '1' }
const bodyOf = (field: string, value: object) =>
  JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '9', time: 1, changes: [{ field, value }] }] })
const valuesOf = (bodyText: string) =>
  splitCallback(bodyText, media).map(({ body }) => JSON.parse(body).entry[0].changes[0].value)

describe('a callback in pieces', () => {
  test('keeps every number as it was written', () => {
    const text = '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1e3,"e":9007199254740993,"f":7}'
    expect(asciiJson(parseExact(text))).toBe(text)
  })

  test('has files to be read from the gateway, and nothing that Postern wrote on a message', () => {
    const image = { id: '77', mime_type: 'image/jpeg', sha256: 'x', url: 'https://lookaside.test/?mid=77&ext=1' }
    const [message, status] = valuesOf(
      bodyOf('messages', {
        metadata,
        messages: [{ id: 'wamid.1', from: '1', type: 'image', image }],
        statuses: [{ id: 'wamid.2', status: 'sent', recipient_id: '1', biz_opaque_callback_data: 'out_1' }],
      }),
    )
    expect(message.messages).toEqual([
      { id: 'wamid.1', from: '1', type: 'image', image: { ...image, url: `${media}/77` } },
    ])
    expect(message).not.toHaveProperty('statuses')
    expect(status.statuses).toEqual([{ id: 'wamid.2', status: 'sent', recipient_id: '1' }])
  })

  test('is whole where it is one thing, and nothing where it cannot be read', () => {
    const value = { event: 'APPROVED', message_template_id: 5 }
    expect(valuesOf(bodyOf('message_template_status_update', value))).toEqual([value])
    const standby = { metadata, standby: { messages: [{ id: 'wamid.1' }, { id: 'wamid.2' }] } }
    expect(valuesOf(bodyOf('standby', standby))).toEqual([standby])
    for (const text of ['', 'null', '[]', '{"object":"page","entry":[]}', `${'['.repeat(100_000)}`]) {
      expect(splitCallback(text, media)).toEqual([])
    }
    const deep = bodyOf('messages', { metadata, messages: [] }).replace(
      '[]',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    )
    expect(Array.isArray(splitCallback(deep, media))).toBe(true)
  })

  test('joined again says what it said', () => {
    const contacts = ['1', '2'].map((wa_id) => ({ wa_id }))
    const messages = ['1', '2'].map((from) => ({ id: `wamid.${from}`, from, type: 'text', text: { body: 'é' } }))
    const text = bodyOf('messages', { messaging_product: 'whatsapp', metadata, contacts, messages })
    const joined = joinPieces(splitCallback(text, media).map(({ body }) => body))
    expect(JSON.parse(joined)).toEqual(JSON.parse(text))
  })
})

test.each([
  ['1234567890', true],
  ['"1234567890"', true],
  [' 1234567890\n', true],
  ['1234567891', false],
  ['{"challenge":"1234567890"}', false],
  ['', false],
])('the reply %j to a handshake is right: %s', (reply, isRight) => {
  expect(isHandshakeReply(reply, '1234567890')).toBe(isRight)
})
