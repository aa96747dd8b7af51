import { expect, test } from 'vitest'
import { FakeGateway, type SeenRequest } from '../testing/fake-gateway.ts'

/** Three pages of two messages; the cursor is the number of the page. */
function threePages({ url }: SeenRequest) {
  const page = Number(new URL(url, 'http://gateway.test').searchParams.get('cursor') ?? 1)
  const messages = [{ message_id: `m${page}a` }, { message_id: `m${page}b` }]
  const next_cursor = page < 3 ? String(page + 1) : null
  return { data: { messages, pagination: { limit: 2, has_more: page < 3, next_cursor } } }
}

test('for await goes through every page of a list that was not awaited', async () => {
  await using gateway = await FakeGateway.start(threePages)
  const ids: string[] = []
  for await (const message of gateway.client().messages.list({ status: ['failed', 'sent'], limit: 2 })) {
    ids.push(message.messageId)
  }
  expect(ids).toEqual(['m1a', 'm1b', 'm2a', 'm2b', 'm3a', 'm3b'])
  expect(gateway.seen.map((request) => request.url)).toEqual([
    '/v1/chat/messages?status=failed%2Csent&limit=2',
    '/v1/chat/messages?status=failed%2Csent&limit=2&cursor=2',
    '/v1/chat/messages?status=failed%2Csent&limit=2&cursor=3',
  ])
})

test('a list asks for nothing until it is read, and for no page that is not needed', async () => {
  await using gateway = await FakeGateway.start(threePages)
  const list = gateway.client().messages.list()
  expect(gateway.seen).toHaveLength(0)
  for await (const message of list) if (message.messageId === 'm2a') break
  expect(gateway.seen).toHaveLength(2)
})

test('one page can be read by itself, from a cursor', async () => {
  await using gateway = await FakeGateway.start(threePages)
  const { data, response } = await gateway.client().messages.list({ cursor: '2' }).page().withResponse()
  expect(data).toMatchObject({ hasMore: true, nextCursor: '3', items: [{ messageId: 'm2a' }, { messageId: 'm2b' }] })
  expect(response.requestId).toBe('req_1')
})

test('pages that found nothing yet do not end a list', async () => {
  await using gateway = await FakeGateway.start(({ url }) => {
    const page = Number(new URL(url, 'http://gateway.test').searchParams.get('cursor') ?? 1)
    const messages = page < 3 ? [] : [{ message_id: 'm3' }]
    const further =
      page < 3
        ? { next_cursor: String(page + 1), searched_back_to: `2026-01-0${4 - page}T00:00:00.000Z` }
        : { next_cursor: null }
    return { data: { messages, pagination: { limit: 2, has_more: page < 3, ...further } } }
  })
  const list = gateway.client().messages.list({ type: 'image' })
  const ids: string[] = []
  for await (const message of list) ids.push(message.messageId)
  expect(ids).toEqual(['m3'])
  const pages: (string | undefined)[] = []
  for await (const { searchedBackTo } of list.pages()) pages.push(searchedBackTo)
  expect(pages).toEqual(['2026-01-03T00:00:00.000Z', '2026-01-02T00:00:00.000Z', undefined])
})

test('a list without pagination is one page', async () => {
  await using gateway = await FakeGateway.start(() => ({ data: { webhooks: [{ id: 'whk_1' }, { id: 'whk_2' }] } }))
  const ids: string[] = []
  for await (const webhook of gateway.client().webhooks.list()) ids.push(webhook.id)
  expect(ids).toEqual(['whk_1', 'whk_2'])
  expect(gateway.seen).toHaveLength(1)
})
