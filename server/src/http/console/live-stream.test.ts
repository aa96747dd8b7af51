import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LiveStream, openLiveStream } from './live.ts'

let stream: LiveStream
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  stream.end()
  vi.useRealTimers()
})

/** What a page hears within 6 s, the time of two heartbeats, without the opening words. */
async function heardWith(isStillSignedIn: () => Promise<boolean>): Promise<string> {
  stream = openLiveStream(isStillSignedIn)
  stream.body.read()
  await vi.advanceTimersByTimeAsync(6_000)
  return String(stream.body.read() ?? '')
}

const beat = (readable: boolean) => `event: heartbeat\ndata: {"readable":${readable}}\n\n`

describe('the heartbeats of live updates', () => {
  test('say that the database can be read', async () => {
    expect(await heardWith(async () => true)).toBe(beat(true) + beat(true))
  })

  test('say that it cannot, and sign nobody out for it', async () => {
    const away = vi.fn(() => Promise.reject<boolean>(new Error('away')))
    expect(await heardWith(away)).toBe(beat(false) + beat(false))
    away.mockResolvedValue(true)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(String(stream.body.read())).toBe(beat(true))
  })

  test('wait two seconds for a database that does not answer', async () => {
    expect(await heardWith(() => new Promise(() => {}))).toBe(beat(false))
  })

  test('end with the session', async () => {
    expect(await heardWith(async () => false)).toBe('event: signed_out\ndata: {}\n\n')
    expect(stream.body.writable).toBe(false)
  })
})
