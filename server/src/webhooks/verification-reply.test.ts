import { describe, expect, test } from 'vitest'
import { returnsChallenge } from './verify-webhook.ts'

const challenge = 'q7Zp3vXw-abc_DEF'
const returned = (body: string | Buffer) => returnsChallenge(Buffer.from(body), challenge)

describe('the reply to a challenge', () => {
  test.each([
    ['the bare value', challenge],
    ['white space around it', ` \r\n${challenge}\n`],
    ['a byte order mark before it', `\uFEFF${challenge}`],
    ['a JSON string', JSON.stringify(challenge)],
    ['a JSON object', JSON.stringify({ ok: true, challenge })],
    ['a byte order mark before JSON', `\uFEFF${JSON.stringify({ challenge })}`],
    ['a form', `ok=1&challenge=${encodeURIComponent(challenge)}`],
    ['the whole request', JSON.stringify({ type: 'webhook.verification', challenge })],
  ])('%s proves ownership', (_, body) => expect(returned(body)).toBe(true))

  test.each([
    ['nothing', ''],
    ['another case', challenge.toLowerCase()],
    ['a longer value', `${challenge}x`],
    ['a part of it', challenge.slice(1)],
    ['text around it', `challenge: ${challenge}`],
    ['another field', JSON.stringify({ value: challenge })],
    ['null', 'null'],
    ['a number', '42'],
    ['broken JSON', `{"challenge":"${challenge}"`],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('%s proves nothing', (_, body) => expect(returned(body)).toBe(false))
})
