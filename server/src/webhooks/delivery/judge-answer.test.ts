import { describe, expect, test } from 'vitest'
import type { HttpOutcome } from '../../lib/guarded-http/guarded-http.ts'
import { judgeAnswer } from './judge-answer.ts'

const now = Date.UTC(2026, 10, 15)
const answer = (statusCode: number, headers = {}): HttpOutcome => ({
  kind: 'response',
  statusCode,
  headers,
  bodyExcerpt: Buffer.alloc(0),
  remoteIp: '',
  reused: false,
  durationMs: 1,
})

describe('what an answer means', () => {
  test.each([200, 201, 204, 299])('%i is success', (status) => {
    expect(judgeAnswer(answer(status), now)).toMatchObject({ verdict: 'ok', pauseMs: 0, gone: false })
  })

  test.each([100, 199, 300, 304, 400, 410, 429, 500, 599])('%i is failure', (status) => {
    expect(judgeAnswer(answer(status), now).verdict).toBe('failed')
  })

  test('only 410 means gone', () => {
    expect([404, 410, 411].map((status) => judgeAnswer(answer(status), now).gone)).toEqual([false, true, false])
  })

  test('a redirect names the host it leads to and no more of the address', () => {
    const { errorMessage } = judgeAnswer(answer(302, { location: 'https://other.test/path?token=1' }), now)
    expect(errorMessage).toContain('other.test')
    expect(errorMessage).not.toContain('token')
    expect(judgeAnswer(answer(301, { location: '/login' }), now).errorMessage).toContain('the same host')
  })

  test('a receiver cannot make a message long, however long the address is that it redirects to', () => {
    const location = `https://${'a'.repeat(15_000)}.test/`
    expect(judgeAnswer(answer(302, { location }), now).errorMessage?.length).toBeLessThan(400)
  })

  test('a pause is asked for by 429, or by Retry-After on any failure, never on success', () => {
    expect(judgeAnswer(answer(429), now).pauseMs).toBe(60_000)
    expect(judgeAnswer(answer(503, { 'retry-after': '7' }), now).pauseMs).toBe(7_000)
    expect(judgeAnswer(answer(503), now).pauseMs).toBe(0)
    expect(judgeAnswer(answer(200, { 'retry-after': '7' }), now).pauseMs).toBe(0)
  })

  test('a fault of our own is charged to nobody', () => {
    const fault = judgeAnswer({ kind: 'failure', code: 'our_fault', message: 'no sockets', durationMs: 1 }, now)
    expect(fault).toMatchObject({ verdict: 'ours', errorCode: 'our_fault' })
    const reset = judgeAnswer({ kind: 'failure', code: 'connection_reset', message: 'reset', durationMs: 1 }, now)
    expect(reset).toMatchObject({ verdict: 'failed', answered: false })
  })
})
