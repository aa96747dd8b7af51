import { describe, expect, test } from 'vitest'
import { contractRows } from '../../../../test/platform/contract-rows.ts'
import { errorTable } from '../../contract/errors.ts'
import { classifyAnswer, classifyReported, classifyTransport, unreadableAnswer } from './classify-failure.ts'
import { actorOf, failureRows } from './failure-table.ts'

const send = { purpose: 'send' } as const

function answer(status: number, error: object | null, headers: Record<string, string> = {}) {
  return { status, headers, text: error === null ? '<html>Sorry</html>' : JSON.stringify({ error }) }
}

describe('A refusal of the platform', () => {
  test.each(contractRows)('code %i with HTTP %i becomes %s', (code, status, ours, kind, outcome) => {
    const error = classifyAnswer(answer(status, { code, message: `(#${code}) Title` }), send)
    expect(error).toMatchObject({ code: ours, kind, outcome })
    expect(error.upstream.code).toBe(code)
  })

  test.each(contractRows)('code %i says the same whatever the HTTP status is', (code) => {
    const verdicts = [400, 401, 403, 404, 429, 500, 503].map((status) => {
      const { kind, outcome, code: ours } = classifyAnswer(answer(status, { code }), send)
      return `${kind} ${outcome} ${ours}`
    })
    expect(new Set(verdicts).size).toBe(1)
  })

  test.each(contractRows)('code %i carries the same retryable as the public error table', (code, status) => {
    const error = classifyAnswer(answer(status, { code }), send)
    expect(error.retryable).toBe(errorTable[error.code].retryable)
  })

  test.each(contractRows)('code %i names who can act', (code, status, _ours, _kind, _outcome, acts) => {
    expect(actorOf[classifyAnswer(answer(status, { code }), send).code]).toBe(acts)
  })

  test('every code that is known has its row here', () => {
    const rows = new Set(contractRows.map(([code]) => code))
    const unlisted = failureRows.map(([code]) => code).filter((code) => !rows.has(code))
    // 200 has two meanings, which have a test of their own; the others are of older pages, or of groups, which are one row there.
    expect(unlisted).toEqual([
      200, 132008, 131202, 131203, 131205, 131206, 131209, 131210, 131212, 131213, 2388023, 2388024, 2388060,
    ])
    expect(new Set(failureRows.map(([code]) => code)).size).toBe(failureRows.length)
  })

  test('200 is about a permission where its sentence says so, and about the token otherwise', () => {
    const message = '(#200) You do not have the necessary permissions for this WhatsApp Business Account'
    expect(classifyAnswer(answer(403, { code: 200, message }), send).code).toBe('channel_permission_missing')
    expect(classifyAnswer(answer(403, { code: 200, message: 'Provide valid app ID' }), send).code).toBe(
      'channel_auth_failed',
    )
  })

  test('131031 is about the PIN where a number is registered', () => {
    const locked = answer(403, { code: 131031 })
    expect(classifyAnswer(locked, { purpose: 'write', registers: true }).code).toBe('channel_pin_rejected')
    expect(classifyAnswer(locked, { purpose: 'write' }).code).toBe('channel_account_restricted')
  })

  test('a code written as text counts like a number', () => {
    expect(classifyAnswer(answer(400, { code: '130429' }), send).kind).toBe('throttled')
  })

  test('a code nobody has documented is a refusal with 4xx and an unknown outcome with 5xx', () => {
    expect(classifyAnswer(answer(400, { code: 987654 }), send)).toMatchObject({ code: 'channel_rejected' })
    expect(classifyAnswer(answer(500, { code: 987654 }), send)).toMatchObject({ code: 'send_outcome_unknown' })
  })

  test('a media failure of a message with a link is a failure to fetch it', () => {
    const error = classifyAnswer(answer(400, { code: 131053 }), { ...send, mediaByLink: true })
    expect(error.code).toBe('media_link_unreachable')
  })

  test('an unknown object is named by what the call was about', () => {
    const missing = answer(400, { code: 100, error_subcode: 33 })
    expect(classifyAnswer(missing, { purpose: 'read', notFound: 'media_not_found' }).code).toBe('media_not_found')
    expect(classifyAnswer(missing, send).code).toBe('channel_number_gone')
    expect(classifyAnswer(missing, { purpose: 'write' }).code).toBe('channel_rejected')
  })

  test.each([
    [2388024, 'template_already_exists'],
    [2388039, 'template_locked'],
    [2388019, 'template_invalid'],
    [2388072, 'template_invalid'],
    [2388299, 'template_invalid'],
    [2494010, 'channel_rejected'],
  ])('template subcode %i becomes %s', (subcode, ours) => {
    const error = classifyAnswer(answer(400, { code: 100, error_subcode: subcode }), { purpose: 'write' })
    expect(error.code).toBe(ours)
  })
})

describe('An answer without a platform code', () => {
  test.each([
    [200, 'send_outcome_unknown', 'unknown'],
    [302, 'channel_rejected', 'refused'],
    [400, 'channel_rejected', 'refused'],
    [401, 'channel_auth_failed', 'refused'],
    [403, 'channel_auth_failed', 'refused'],
    [408, 'send_outcome_unknown', 'unknown'],
    [429, 'upstream_unavailable', 'not_sent'],
    [500, 'send_outcome_unknown', 'unknown'],
    [502, 'send_outcome_unknown', 'unknown'],
    [503, 'send_outcome_unknown', 'unknown'],
  ])('HTTP %i with a page of HTML becomes %s (%s)', (status, ours, outcome) => {
    expect(classifyAnswer(answer(status, null), send)).toMatchObject({ code: ours, outcome })
  })

  test('a success that cannot be read leaves a send unknown', () => {
    expect(unreadableAnswer(send)).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
  })
})

describe('A missing answer', () => {
  test.each([
    ['send', false, 'upstream_unavailable', 'not_sent'],
    ['send', true, 'send_outcome_unknown', 'unknown'],
    ['write', true, 'upstream_unavailable', 'unknown'],
    ['read', true, 'upstream_unavailable', 'not_sent'],
  ] as const)('of a %s with bytes written: %s becomes %s (%s)', (purpose, written, ours, outcome) => {
    expect(classifyTransport({ written, cause: new Error('reset') }, { purpose })).toMatchObject({
      kind: 'unreachable',
      code: ours,
      outcome,
    })
  })
})

describe('The wait', () => {
  const throttle = { code: 80007 }

  test('comes from the usage header, in minutes, the longest of all businesses', () => {
    const usage = JSON.stringify({
      1: [{ type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: 3 }],
      2: [{ estimated_time_to_regain_access: 15 }, { call_count: 1 }],
    })
    const error = classifyAnswer(answer(400, throttle, { 'x-business-use-case-usage': usage }), send)
    expect(error.retryAfterMs).toBe(15 * 60_000)
  })

  test('comes from Retry-After in seconds, or as a date against the date of the answer', () => {
    expect(classifyAnswer(answer(429, throttle, { 'retry-after': '7' }), send).retryAfterMs).toBe(7_000)
    const headers = { 'retry-after': 'Sun, 15 Nov 2026 10:00:30 GMT', date: 'Sun, 15 Nov 2026 10:00:00 GMT' }
    expect(classifyAnswer(answer(429, throttle, headers), send).retryAfterMs).toBe(30_000)
  })

  test.each([
    ['a count of seconds', { 'retry-after': '99999999' }],
    ['a date', { 'retry-after': 'Wed, 01 Jan 2030 00:00:00 GMT', date: 'Sun, 15 Nov 2026 10:00:00 GMT' }],
    ['the usage header', { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":1e300}]}' }],
  ])('is a day at most, whatever %s asks for', (_, headers) => {
    expect(classifyAnswer(answer(429, throttle, headers), send).retryAfterMs).toBe(86_400_000)
  })

  test.each(['abc 2030', 'soon', '1.5'])('is the default where Retry-After is no date and no count: %j', (value) => {
    const headers = { 'retry-after': value, date: 'Sun, 15 Nov 2026 10:00:00 GMT' }
    expect(classifyAnswer(answer(429, throttle, headers), send).retryAfterMs).toBe(60_000)
  })

  test('has a default per code, and none for the quality limit', () => {
    expect(classifyAnswer(answer(400, { code: 131048 }), send).retryAfterMs).toBeUndefined()
    expect(classifyAnswer(answer(400, { code: 131056 }), send).retryAfterMs).toBe(6_000)
    expect(classifyAnswer(answer(500, { code: 131057 }), send).retryAfterMs).toBe(20_000)
    expect(classifyAnswer(answer(400, { code: 134101 }), send).retryAfterMs).toBe(600_000)
  })

  test.each([
    ['Too many attempts. Try again in 2 hours.', 7_200_000],
    ['Try again after 45 seconds', 45_000],
    ['Try again in 9 days', 86_400_000],
    ['Try again later', 3_600_000],
  ])('comes after wrong PINs from the sentence: %j', (details, ms) => {
    const error = { code: 133008, error_data: { details } }
    expect(classifyAnswer(answer(400, error), send).retryAfterMs).toBe(ms)
    const other = { code: 130429, error_data: { details } }
    expect(classifyAnswer(answer(400, other), send).retryAfterMs).toBe(1_000)
  })

  test.each(['', '{', '[]', '{"1":5}', '{"1":[{"estimated_time_to_regain_access":"soon"}]}'])(
    'falls back to the default when the usage header is %j',
    (header) => {
      const error = classifyAnswer(answer(400, throttle, { 'x-business-use-case-usage': header }), send)
      expect(error.retryAfterMs).toBe(60_000)
    },
  )

  test('is followed by a second post for these throttles and no other code, however short it is', () => {
    const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
    const codes = [...range(0, 1_000), ...range(80_000, 100), ...range(130_000, 10_000)]
    const again = codes.filter((code) => classifyAnswer(answer(400, { code }, { 'retry-after': '1' }), send).passesSoon)
    expect(again).toEqual([4, 17, 32, 80007, 80008, 130429, 131056])
  })

  test('is only named where waiting helps', () => {
    expect(classifyAnswer(answer(400, { code: 131026 }, { 'retry-after': '7' }), send).retryAfterMs).toBeUndefined()
  })
})

describe('What the platform said', () => {
  test('is kept: code, title, detail and trace id', () => {
    const error = classifyAnswer(
      answer(400, {
        message: '(#131030) Recipient phone number not in allowed list',
        code: 131030,
        error_data: { messaging_product: 'whatsapp', details: 'Add it to the list.' },
        fbtrace_id: 'Abc',
      }),
      send,
    )
    expect(error.upstream).toEqual({
      code: 131030,
      title: '(#131030) Recipient phone number not in allowed list',
      detail: 'Add it to the list.',
      trace_id: 'Abc',
    })
  })

  test('is read from error_data as plain text and from the management calls too', () => {
    expect(classifyAnswer(answer(400, { code: 100, error_data: 'plain' }), send).upstream.detail).toBe('plain')
    expect(classifyAnswer(answer(400, { code: 100, error_user_msg: 'why' }), send).upstream.detail).toBe('why')
  })

  test('never carries the token or the recipient, and the error message carries none of it', () => {
    const error = classifyAnswer(
      answer(401, {
        code: 190,
        message: 'Malformed access token tok-123456',
        error_data: 'to 351912345678 EAAxyz1234567',
      }),
      { ...send, secrets: ['tok-123456', '351912345678'] },
    )
    const shown = JSON.stringify(error.upstream) + error.message + error.stack
    expect(shown).not.toMatch(/tok-123456|351912345678|EAAxyz/)
    expect(error.upstream.title).toBe('Malformed access token [hidden]')
  })
})

describe('A failure reported afterwards', () => {
  test.each(contractRows)('code %i never claims an unknown outcome', (code, _status, ours) => {
    const expected = ours === 'send_outcome_unknown' ? 'upstream_unavailable' : ours
    const reported = classifyReported({ code, title: 'T', error_data: { details: 'D' } })
    expect(reported).toMatchObject({ code: expected, upstream: { code, title: 'T', detail: 'D' } })
    expect(reported.retryable).toBe(errorTable[expected].retryable)
  })

  test.each([null, 'text', {}, { code: 'x' }, { code: 424242 }])('%j is a plain rejection', (item) => {
    expect(classifyReported(item).code).toBe('channel_rejected')
  })
})
