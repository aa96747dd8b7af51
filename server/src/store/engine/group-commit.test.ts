import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit, type UnitOutcome } from './group-commit.ts'
import { StoreUnavailable } from './store-error.ts'
import type { Call } from './unit.ts'

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

test('behind a batch under way small units gather, and a large one leaves at once, before them and alone', async () => {
  const batches: { rows: number[]; end(): void }[] = []
  const runBatch = (units: readonly (readonly Call[])[]) =>
    new Promise<UnitOutcome[]>((resolve) => {
      const rows = units.map((calls) => calls.flatMap((call) => call.rows).length)
      batches.push({ rows, end: () => resolve(units.map(() => ({ rowsByCall: [] }))) })
    })
  const commits = createGroupCommit({ runBatch, parallel: 1, rowsMax: 50, rowsAhead: 100 })
  const write = (rows: number) => commits.write([{ rows: Array.from({ length: rows }, () => ({})) } as unknown as Call])
  const written = [write(1)]
  await vi.waitFor(() => expect(batches).toHaveLength(1))
  written.push(write(60), write(30), write(10))
  await vi.waitFor(() => expect(batches).toHaveLength(2))
  written.push(write(1))
  await new Promise(setImmediate)
  expect(batches.map(({ rows }) => rows)).toEqual([[1], [60]])
  for (const { end } of batches) end()
  await vi.waitFor(() => expect(batches).toHaveLength(3))
  expect(batches[2]?.rows).toEqual([30, 10, 1])
  batches[2]?.end()
  await Promise.all(written)
  await commits.drain()
})
