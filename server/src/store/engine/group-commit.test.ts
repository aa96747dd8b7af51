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
  const commits = createGroupCommit({ runBatch })
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

/** Commits whose batches end when they are told to, and units of so many rows. */
function aGroupCommit(options: Omit<Parameters<typeof createGroupCommit>[0], 'runBatch'> = {}) {
  const batches: { rows: number[]; end(): void }[] = []
  const runBatch = (units: readonly (readonly Call[])[]) =>
    new Promise<UnitOutcome[]>((resolve) => {
      const rows = units.map((calls) => calls.flatMap((call) => call.rows).length)
      batches.push({ rows, end: () => resolve(units.map(() => ({ rowsByCall: [] }))) })
    })
  const commits = createGroupCommit({ runBatch, ...options })
  const write = (rows: number) =>
    commits.write([{ operation: {}, rows: Array.from({ length: rows }, () => ({})) } as unknown as Call])
  return { commits, batches, write }
}

/** Every tick in which a batch could have left; `vi.waitFor` would move the clock. */
const ticks = async () => {
  for (let tick = 0; tick < 3; tick++) await new Promise(setImmediate)
}

test('what is written in one tick leaves together at its end', async () => {
  const { batches, write } = aGroupCommit()
  const written = [write(1), Promise.resolve().then(() => write(2))]
  await Promise.resolve()
  await new Promise((resolve) => process.nextTick(resolve))
  expect(batches.map(({ rows }) => rows)).toEqual([[1, 2]])
  batches[0]?.end()
  await Promise.all(written)
})

test('what is written while a batch is under way is the next one, in order', async () => {
  const { commits, batches, write } = aGroupCommit()
  const written = [write(1)]
  await ticks()
  written.push(write(2))
  vi.advanceTimersByTime(1_000)
  await ticks()
  written.push(write(3))
  await ticks()
  expect(batches).toHaveLength(1)
  batches[0]?.end()
  await ticks()
  expect(batches.map(({ rows }) => rows)).toEqual([[1], [2, 3]])
  batches[1]?.end()
  await Promise.all(written)
  await commits.drain()
})

const beside = { batchesMax: 3, afterMs: 20 }

test('on several connections the next one leaves beside one that takes longer, each after its own time', async () => {
  const { commits, batches, write } = aGroupCommit({ beside })
  const written = [write(1)]
  await ticks()
  const leavesAfter = async (rows: number) => {
    const before = batches.length
    written.push(write(rows))
    vi.advanceTimersByTime(19)
    await ticks()
    expect(batches).toHaveLength(before)
    vi.advanceTimersByTime(1)
    await ticks()
    expect(batches.at(-1)?.rows).toEqual([rows])
  }
  await leavesAfter(2)
  await leavesAfter(3)
  // All connections are in use: the next one waits for the end of any of them.
  written.push(write(4), write(5))
  vi.advanceTimersByTime(1_000)
  await ticks()
  expect(batches).toHaveLength(3)
  batches[1]?.end()
  await ticks()
  expect(batches[3]?.rows).toEqual([4, 5])
  for (const { end } of batches) end()
  await Promise.all(written)
  await commits.drain()
})

test('on several connections a batch that ends in time is followed by the next one at once', async () => {
  const { commits, batches, write } = aGroupCommit({ beside })
  const written = [write(1)]
  await ticks()
  written.push(write(2))
  vi.advanceTimersByTime(10)
  batches[0]?.end()
  await ticks()
  expect(batches).toHaveLength(2)
  written.push(write(3))
  // The time of the first does not count for the second.
  vi.advanceTimersByTime(19)
  await ticks()
  expect(batches).toHaveLength(2)
  batches[1]?.end()
  await ticks()
  batches[2]?.end()
  await Promise.all(written)
  await commits.drain()
})

test('a unit larger than a batch leaves alone, and holds up only those that came after it', async () => {
  const { commits, batches, write } = aGroupCommit()
  const written = [write(1)]
  await ticks()
  written.push(write(2), write(9_000), write(3), write(4))
  for (const rows of [[1], [2], [9_000], [3, 4]]) {
    expect(batches.at(-1)?.rows).toEqual(rows)
    batches.at(-1)?.end()
    await ticks()
  }
  await Promise.all(written)
  await commits.drain()
})

test('when a batch fails, every unit of it fails with the reason, and the next batch leaves', async () => {
  const batches: { fail(error: Error): void; end(): void }[] = []
  const runBatch = (units: readonly (readonly Call[])[]) =>
    new Promise<UnitOutcome[]>((resolve, reject) => {
      batches.push({ fail: reject, end: () => resolve(units.map(() => ({ rowsByCall: [] }))) })
    })
  const commits = createGroupCommit({ runBatch })
  const outcomes = Array.from({ length: 5 }, () => commits.write([]).catch((error: Error) => error.message))
  await ticks()
  const next = commits.write([])
  expect(batches).toHaveLength(1)
  batches[0]?.fail(new Error('the disk is gone'))
  const told = Promise.all(outcomes.map((outcome) => Promise.race([outcome, ticks().then(() => 'nothing')])))
  expect(await told).toEqual(Array(5).fill('the disk is gone'))
  await ticks()
  batches[1]?.end()
  expect(await next).toEqual([])
  await commits.drain()
  expect(commits.depth()).toBe(0)
})

test('a unit that fails in a batch fails alone, and one without an outcome is not taken for stored', async () => {
  const runBatch = () =>
    Promise.resolve<UnitOutcome[]>([{ rowsByCall: [] }, { error: new Error('its condition does not hold') }])
  const committed: number[] = []
  const commits = createGroupCommit({ runBatch, onCommitted: (units) => committed.push(units.length) })
  const outcomes = Array.from({ length: 3 }, () => commits.write([]).catch((error: Error) => error.message))
  expect(await Promise.all(outcomes)).toEqual([[], 'its condition does not hold', 'The batch lost an outcome.'])
  expect(committed).toEqual([1])
})

test('behind a batch that hangs 50,000 writes may wait, and one more is rejected at once', async () => {
  const { commits, batches, write } = aGroupCommit()
  void write(1)
  await ticks()
  const waiting = Array.from({ length: 50_000 }, () => write(1))
  const rejected = write(1).catch((error: StoreUnavailable) => [error.name, error.outcome])
  expect(await Promise.race([rejected, ticks()])).toEqual([StoreUnavailable.name, 'not_stored'])
  for (let batch = 0; commits.depth() > 0; batch++) {
    batches[batch]?.end()
    await ticks()
  }
  await Promise.all(waiting)
  expect(batches.length).toBeLessThan(120)
  const next = write(1)
  await ticks()
  batches.at(-1)?.end()
  await next
  await commits.drain()
})

test('a batch has as many units as it may have, and the rest follow', async () => {
  const sizes: number[] = []
  const runBatch = async (units: readonly (readonly Call[])[]) => {
    sizes.push(units.length)
    return units.map((): UnitOutcome => ({ rowsByCall: [] }))
  }
  const commits = createGroupCommit({ runBatch })
  await Promise.all(Array.from({ length: 1_030 }, () => commits.write([])))
  expect(sizes).toEqual([512, 512, 6])
  await commits.drain()
})
