import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { body, inbound, messages, only } from '../../../../../test/platform/callback-bodies.ts'
import { parseCallback, verifySignature } from './cloud-callbacks.ts'

describe('The signature', () => {
  const raw = Buffer.from('{"a":"caf\\u00e9"}')
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

  test('holds for the exact bytes, in either case of the hex digits', () => {
    expect(verifySignature(raw, sign('s3cret'), 's3cret')).toBe(true)
    expect(
      verifySignature(
        raw,
        sign('s3cret').replace(/[a-f]/g, (c) => c.toUpperCase()),
        's3cret',
      ),
    ).toBe(true)
  })

  test.each([
    ['another secret', sign('other')],
    ['no header', undefined],
    ['an empty header', ''],
    ['the old algorithm', `sha1=${'a'.repeat(40)}`],
    ['too few digits', sign('s3cret').slice(0, -1)],
    ['too many digits', `${sign('s3cret')}0`],
    ['no prefix', sign('s3cret').slice(7)],
  ])('fails with %s', (_name, header) => {
    expect(verifySignature(raw, header, 's3cret')).toBe(false)
  })

  test('fails when one byte differs, and always without a secret', () => {
    expect(verifySignature(Buffer.from('{"a":"café"}'), sign('s3cret'), 's3cret')).toBe(false)
    expect(verifySignature(raw, sign(''), '')).toBe(false)
  })
})

describe('Repeats', () => {
  test('of every kind have the same key, and other facts have another one', () => {
    const approved = { field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: 1 } }
    const paused = { field: 'message_template_status_update', value: { event: 'PAUSED', message_template_id: 1 } }
    const keys = [body(approved), body(approved), body(paused)].map((text) => only(text).dedupeKey)
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
    const later = body(approved).replace('1739321024', '1739329999')
    expect(only(later).dedupeKey).not.toBe(keys[0])
  })

  test('of a message with an enormous id still have a key an index takes', () => {
    const keys = ['a', 'b'].map((letter) => inbound({ id: letter.repeat(5_000) }).dedupeKey)
    expect(keys.every((key) => key.length <= 300)).toBe(true)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('Text that databases refuse', () => {
  test('U+0000 becomes the replacement character, a written-out escape stays', () => {
    const text = body(
      messages({
        messages: [{ from: '15550001111', id: 'wamid.Z', type: 'text', text: { body: 'a\u0000b \\u0000' } }],
      }),
    )
    expect(only(text)).toMatchObject({ content: { text: 'a\ufffdb \\u0000' } })
  })

  test('half a surrogate pair becomes the replacement character', () => {
    expect(inbound({ type: 'text', text: { body: 'x\ud800y' } }).content).toEqual({ type: 'text', text: 'x\ufffdy' })
  })
})

describe('A damaged body', () => {
  test.each([
    ['', 'not_json'],
    ['{', 'not_json'],
    ['null', 'not_json'],
    ['[]', 'not_json'],
    ['{}', 'unknown_object'],
    ['{"object":"page","entry":[]}', 'unknown_object'],
    ['{"object":"whatsapp_business_account","entry":{}}', 'unknown_object'],
    ['{"object":"whatsapp_business_account","entry":[7]}', 'unreadable_entry'],
    ['{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[null]}]}', 'unreadable_entry'],
  ])('%s gives one unhandled item', (text, reason) => {
    expect(only(text)).toMatchObject({ kind: 'unhandled', reason })
  })

  test('nested 200,000 levels deep neither overflows nor costs its neighbour', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const text = body(
      messages({
        messages: [
          { from: '15550001111', id: 'wamid.D', type: 'hologram', hologram: {} },
          'DEEP',
          { from: '15550001111', id: 'wamid.E', type: 'text', text: { body: 'hi' } },
        ],
      }),
    )
    const items = parseCallback(text.replace('"DEEP"', deep).replace('"hologram":{}', `"hologram":{"x":${deep}}`))
    expect(items.map((item) => item.kind)).toEqual(['message', 'unhandled', 'message'])
    expect(() => JSON.stringify(items)).not.toThrow()
  })
})

describe('A batch', () => {
  test.each([2, 10, 1_000])('of %i with one odd item keeps all the others', (size) => {
    for (const odd of [null, 7, 'x', [], {}, { id: {} }, { id: 'wamid.ODD', from: {}, type: [] }]) {
      const list: unknown[] = Array.from({ length: size }, (_, at) => ({
        from: '15550001111',
        id: `wamid.${at}`,
        timestamp: '1750030073',
        type: 'text',
        text: { body: `message ${at}` },
      }))
      const place = Math.floor(size / 2)
      list[place] = odd
      const items = parseCallback(body(messages({ contacts: [], messages: list })))
      expect(items).toHaveLength(size)
      expect(items.filter((item) => item.kind === 'message')).toHaveLength(size - 1)
      expect(items[place]).toMatchObject({ kind: 'unhandled' })
    }
  })

  test('spread over entries and changes loses nothing, and messages come before statuses', () => {
    const statuses = [{ id: 'wamid.OUT', status: 'sent' }]
    const one = (id: string) => ({ from: '15550001111', id, type: 'text', text: { body: 'hi' } })
    const entry = (waba: string, ...changes: unknown[]) => ({ id: waba, changes })
    const text = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        entry('1', messages({ statuses }), messages({ messages: [one('wamid.1'), one('wamid.2')] })),
        entry('2', messages({ messages: [one('wamid.3')] }), { field: 'account_update', value: { event: 'X' } }),
      ],
    })
    const items = parseCallback(text)
    expect(items.map((item) => `${item.wabaId} ${item.kind}`)).toEqual([
      '1 message',
      '1 message',
      '2 message',
      '2 account',
      '1 status',
    ])
  })
})
