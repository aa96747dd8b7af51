import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshDatabase } from '../../../../test/support/postgres/databases.ts'
import type { ReaderReply } from './sqlite-failure.ts'
import { createSqliteReader } from './sqlite-reader.ts'
import { startSqliteThread } from './sqlite-thread.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Threads whose lists end when they are told to; `running` has what each is working on. */
function aReader() {
  const running: { text: string; thread: number; end(): void }[] = []
  let threads = 0
  const reader = createSqliteReader({
    async start() {
      const thread = ++threads
      return {
        ask: ({ text }: { text?: string }) =>
          new Promise<ReaderReply>((resolve) => {
            const one = {
              text: text ?? '',
              thread,
              end() {
                running.splice(running.indexOf(one), 1)
                resolve({ id: 1, columns: [], rows: [] })
              },
            }
            running.push(one)
          }),
        tell: () => {},
        stop: async () => {},
      }
    },
  })
  const list = (text: string, owner: string) =>
    reader.read({ text, values: [] }, owner).then(
      () => `${text} done`,
      (error: Error) => `${text}: ${String((error.cause as Error).message)}`,
    )
  const texts = () => running.map(({ text }) => text)
  const end = async (text: string) => {
    running.find((one) => one.text === text)?.end()
    await turns()
  }
  return { reader, list, running, texts, end }
}

/** Every turn in which a list could have begun. */
const turns = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

test('accounts take turns, however many lists one of them asks for', async () => {
  const { list, texts, end } = aReader()
  const asked = [...['a1', 'a2', 'a3'].map((text) => list(text, 'a')), list('b1', 'b'), list('c1', 'c')]
  const order: string[] = []
  for (const _ of asked) {
    await turns()
    const [first] = texts()
    expect(texts()).toEqual([first])
    order.push(first ?? '')
    await end(first ?? '')
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  expect(await Promise.all(asked)).toEqual(['a1 done', 'a2 done', 'a3 done', 'b1 done', 'c1 done'])
})

test('a list that takes long holds up its own account alone, and is given up after 8 s', async () => {
  const { list, running, texts, end } = aReader()
  const slow = list('slow', 'a')
  const own = list('own', 'a')
  const other = list('other', 'b')
  await turns()
  expect(texts()).toEqual(['slow'])
  vi.advanceTimersByTime(251)
  await turns()
  expect(running.map(({ text, thread }) => `${text} on ${thread}`)).toEqual(['slow on 1', 'other on 2'])
  await end('other')
  expect(await other).toBe('other done')
  vi.advanceTimersByTime(8_000)
  expect(await slow).toBe('slow: A list took longer than 8000 ms.')
  // Its thread still works on it: until it ends, the account gets no second one, and nobody waits for longer than 8 s.
  expect(texts()).toEqual(['slow'])
  vi.advanceTimersByTime(1_000)
  expect(await own).toBe('own: A list waited too long in the queue.')
  await end('slow')
  const after = list('after', 'a')
  await turns()
  await end('after')
  expect(await after).toBe('after done')
})

test('slow lists of three accounts leave the others waiting, for 8 s at most, and start no fourth thread', async () => {
  const { list, running, end } = aReader()
  const slow = []
  for (const owner of ['a', 'b', 'c']) {
    slow.push(list(`slow ${owner}`, owner))
    await turns()
    vi.advanceTimersByTime(251)
  }
  const late = list('late', 'd')
  await turns()
  expect(running.map(({ thread }) => thread)).toEqual([1, 2, 3])
  await end('slow b')
  expect(running.map(({ text, thread }) => `${text} on ${thread}`)).toEqual(['slow a on 1', 'slow c on 3', 'late on 2'])
  for (const text of ['slow a', 'slow c', 'late']) await end(text)
  expect(await Promise.all([...slow, late])).toEqual(['slow a done', 'slow b done', 'slow c done', 'late done'])
})

test('what must run alone waits for the lists under way, and others wait for it', async () => {
  const { reader, list, texts, end } = aReader()
  const before = list('before', 'a')
  const alone = reader.readAlone({ text: 'alone', values: [] })
  const after = list('after', 'b')
  await turns()
  expect(texts()).toEqual(['before'])
  vi.advanceTimersByTime(251)
  await turns()
  expect(texts()).toEqual(['before'])
  await end('before')
  expect(texts()).toEqual(['alone'])
  await end('alone')
  expect(texts()).toEqual(['after'])
  await end('after')
  await Promise.all([before, alone, after])
})

test('a real list that takes long is given up, although its thread still works on it', async () => {
  vi.useRealTimers()
  const made = await freshDatabase('sqlite')
  const path = made.database.kind === 'sqlite' ? made.database.path : ''
  const start = () => startSqliteThread<ReaderReply>({ path, role: 'reader' })
  const reader = createSqliteReader({ start, limitMs: 50, slowMs: 10 })
  const counting =
    'with recursive c(n) as (select 1 union all select n + 1 from c where n < 3000000) select max(n) from c'
  const slow = reader.read({ text: counting, values: [] }, 'a')
  await expect(slow).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'not_stored' })
  await reader.stop()
  await made.remove()
})
