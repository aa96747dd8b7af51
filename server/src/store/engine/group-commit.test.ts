import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit, type UnitOutcome } from './group-commit.ts'
import { StoreUnavailable } from './store-error.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('behind a batch that hangs a write is refused after 4 s, and nothing of it is stored later', async () => {
  const batches: ((outcomes: UnitOutcome[]) => void)[] = []
  const runBatch = () => new Promise<UnitOutcome[]>((resolve) => batches.push(resolve))
  const commits = createGroupCommit({ runBatch, parallel: 1 })
  const hanging = commits.write([])
  await vi.waitFor(() => expect(batches).toHaveLength(1))
  const late = commits.write([]).catch((error: unknown) => error)
  vi.advanceTimersByTime(3_900)
  const inTime = commits.write([])
  vi.advanceTimersByTime(600)
  expect(await late).toMatchObject({ name: StoreUnavailable.name, outcome: 'not_stored' })
  batches[0]?.([{ rowsByCall: [['first']] as never }])
  expect(await hanging).toEqual([['first']])
  await vi.waitFor(() => expect(batches).toHaveLength(2))
  batches[1]?.([{ rowsByCall: [['second']] as never }])
  expect(await inTime).toEqual([['second']])
  await commits.drain()
})
