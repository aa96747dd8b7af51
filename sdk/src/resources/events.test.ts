import { describe, expect, test } from 'vitest'
import { FakeGateway, rejection, type SeenRequest, WoundClock } from '../testing/fake-gateway.ts'

/** A feed of as many pages as are given; behind them nothing new, and the same cursor. */
function feedOf(...pages: string[][]) {
  return ({ url }: SeenRequest) => {
    const position = Number(new URL(url, 'http://gateway.test').searchParams.get('cursor') ?? 0)
    const events = (pages[position] ?? []).map((id) => ({ id, type: 'message.sent', data: { message_id: 'm' } }))
    const next = Math.min(position + 1, pages.length)
    const pagination = { limit: 2, has_more: next < pages.length, next_cursor: String(next) }
    return { data: { events, pagination } }
  }
}

describe('the event feed', () => {
  test('goes on after the last page, and asks less often while it is quiet', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1', 'e2'], ['e3']))
    const clock = new WoundClock()
    const abort = new AbortController()
    const patience = {
      ...clock,
      sleep: (ms: number) => {
        if (clock.sleptMs.length === 8) abort.abort(new Error('enough'))
        return clock.sleep(ms, abort.signal)
      },
    }
    const ids: string[] = []
    const feed = gateway.client({}, patience).events.list({ type: 'message.sent' })
    const reading = (async () => {
      for await (const event of feed) ids.push(event.id)
    })()
    expect(await rejection(reading)).toEqual(new Error('enough'))
    expect(ids).toEqual(['e1', 'e2', 'e3'])
    expect(clock.sleptMs).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000))
    expect(gateway.seen[1]?.url).toBe('/v1/events?type=message.sent&cursor=1')
    expect(feed.cursor).toBe('2')
  })

  test('asks soon again after news', async () => {
    const pages = [[], [], [{ id: 'e1' }], [], [{ id: 'e2' }]]
    await using gateway = await FakeGateway.start(() => ({
      data: { events: pages[gateway.seen.length - 1], pagination: { limit: 25, has_more: false, next_cursor: 'c' } },
    }))
    const clock = new WoundClock()
    for await (const event of gateway.client({}, clock).events.list()) if (event.id === 'e2') break
    expect(clock.sleptMs).toEqual([1_000, 2_000, 1_000, 2_000])
  })

  test('moves its cursor only when a page has been taken, so that a restart skips nothing', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1', 'e2'], ['e3', 'e4']))
    const feed = gateway.client().events.list()
    const cursors: unknown[] = []
    for await (const event of feed) {
      cursors.push([event.id, feed.cursor])
      if (event.id === 'e3') break
    }
    expect(cursors).toEqual([
      ['e1', undefined],
      ['e2', undefined],
      ['e3', '1'],
    ])
    const { value } = await gateway.client().events.list({ cursor: '1' })[Symbol.asyncIterator]().next()
    expect(value).toMatchObject({ id: 'e3', data: { messageId: 'm' } })
  })

  test('can be read one page at a time', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1']))
    const page = await gateway.client().events.list().page()
    expect(page).toMatchObject({ items: [{ id: 'e1' }], hasMore: false, nextCursor: '1' })
  })
})
