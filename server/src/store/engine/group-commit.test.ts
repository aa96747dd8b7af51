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

/** Commits whose batches end when they are told to, and units of so many rows. */
function aGroupCommit(options: Omit<Parameters<typeof createGroupCommit>[0], 'runBatch'>) {
  const batches: { rows: number[]; end(): void }[] = []
  const runBatch = (units: readonly (readonly Call[])[]) =>
    new Promise<UnitOutcome[]>((resolve) => {
      const rows = units.map((calls) => calls.flatMap((call) => call.rows).length)
      batches.push({ rows, end: () => resolve(units.map(() => ({ rowsByCall: [] }))) })
    })
  const commits = createGroupCommit({ runBatch, ...options })
  const unitOf = (operation: object, rows: number) =>
    commits.write([{ operation, rows: Array.from({ length: rows }, () => ({})) } as unknown as Call])
  const write = (rows: number, alone = false) => unitOf({ alone }, rows)
  const writeFirst = (rows: number) => unitOf({ precedesCall: true }, rows)
  return { commits, batches, write, writeFirst }
}

/** Every tick in which a batch could have left; `vi.waitFor` would move the clock. */
const ticks = async () => {
  for (let tick = 0; tick < 3; tick++) await new Promise(setImmediate)
}

test('where batches gather, the next one leaves when the one under way has ended', async () => {
  const { commits, batches, write } = aGroupCommit({ parallel: 2, gatherMs: 20 })
  const written = [write(1)]
  await ticks()
  expect(batches).toHaveLength(1)
  written.push(write(2), write(3))
  await ticks()
  expect(batches).toHaveLength(1)
  batches[0]?.end()
  await ticks()
  expect(batches).toHaveLength(2)
  expect(batches[1]?.rows).toEqual([2, 3])
  batches[1]?.end()
  await Promise.all(written)
  await commits.drain()
  expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
})

test.each([
  ['of few rows', 1, 3],
  ['of more rows', 100, 7],
  ['of many rows', 900, 20],
])(
  'where batches gather, others leave beside one %s that takes longer, and gather behind the last',
  async (_, rows, ms) => {
    const { commits, batches, write } = aGroupCommit({ parallel: 3, gatherMs: 20 })
    const written = [write(rows)]
    await ticks()
    expect(batches).toHaveLength(1)
    written.push(write(2))
    await ticks()
    vi.advanceTimersByTime(ms - 1)
    await ticks()
    expect(batches).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await ticks()
    expect(batches).toHaveLength(2)
    written.push(write(3))
    batches[0]?.end()
    await ticks()
    expect(batches.map((batch) => batch.rows)).toEqual([[rows], [2]])
    batches[1]?.end()
    await ticks()
    expect(batches).toHaveLength(3)
    batches[2]?.end()
    await Promise.all(written)
    await commits.drain()
  },
)

test.each([
  ['for a large one', 2_000, false],
  ['for one that is never merged with others', 1, true],
])('where batches gather, nothing waits %s', async (_, rows, alone) => {
  const { commits, batches, write } = aGroupCommit({ parallel: 2, gatherMs: 20 })
  const written = [write(rows, alone)]
  await ticks()
  expect(batches).toHaveLength(1)
  written.push(write(1))
  await ticks()
  expect(batches).toHaveLength(2)
  for (const { end } of batches) end()
  await Promise.all(written)
  await commits.drain()
})

test('where batches gather, one that is never merged with others waits for none', async () => {
  const { commits, batches, write } = aGroupCommit({ parallel: 2, gatherMs: 20 })
  const written = [write(1)]
  await ticks()
  written.push(write(1, true))
  await ticks()
  expect(batches).toHaveLength(2)
  for (const { end } of batches) end()
  await Promise.all(written)
  await commits.drain()
})

test('behind a batch under way small units gather, and a large one leaves at once, before them and alone', async () => {
  const { commits, batches, write } = aGroupCommit({ parallel: 1, rowsMax: 50, rowsAhead: 100 })
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

test('a lone write does not wait for the end of the turn, and takes with it what is written in the same tick', async () => {
  const { batches, write } = aGroupCommit({ parallel: 1, turnsMs: 5 })
  const written = [write(1), Promise.resolve().then(() => write(2))]
  await Promise.resolve()
  await new Promise((resolve) => process.nextTick(resolve))
  expect(batches.map(({ rows }) => rows)).toEqual([[1, 2]])
  batches[0]?.end()
  await Promise.all(written)
})

/** One turn of the event loop. */
const turn = () => new Promise(setImmediate)

test('after a batch of several, the next one leaves after two turns that bring nothing, or when it has waited', async () => {
  const { commits, batches, write } = aGroupCommit({ parallel: 1, turnsMs: 5 })
  const end = async (rows: number[]) => {
    await ticks()
    expect(batches.at(-1)?.rows).toEqual(rows)
    batches.at(-1)?.end()
    await ticks()
  }
  const written = [write(1), write(1), write(1), write(1)]
  await end([1, 1, 1, 1])
  written.push(write(2))
  await turn()
  // One quiet turn.
  await turn()
  written.push(write(3))
  await turn()
  expect(batches).toHaveLength(1)
  await end([2, 3])
  // Two were few: the next one waits for nothing.
  written.push(write(4))
  await turn()
  expect(batches).toHaveLength(3)
  written.push(...Array.from({ length: 4 }, () => write(1)))
  await end([4])
  await end([1, 1, 1, 1])
  written.push(write(5))
  vi.advanceTimersByTime(5)
  await turn()
  expect(batches).toHaveLength(5)
  await end([5])
  await Promise.all(written)
  await commits.drain()
})

test('after a batch of several, neither many rows nor a statement that is never merged wait for more', async () => {
  for (const [rows, alone] of [
    [1_000, false],
    [1, true],
  ] as const) {
    const { batches, write } = aGroupCommit({ parallel: 1, turnsMs: 5 })
    const written = [write(1), write(1), write(1), write(1)]
    await ticks()
    batches[0]?.end()
    await Promise.all(written)
    const last = write(rows, alone)
    await turn()
    expect(batches).toHaveLength(2)
    batches[1]?.end()
    await last
  }
})

test('after a batch of enough units the next one waits for nothing', async () => {
  const { batches, write } = aGroupCommit({ parallel: 1, turnsMs: 5, enoughUnits: 5 })
  const written = [write(1), write(1), write(1), write(1), write(1)]
  await ticks()
  batches[0]?.end()
  await Promise.all(written)
  const last = write(1)
  await turn()
  expect(batches).toHaveLength(2)
  batches[1]?.end()
  await last
})

test('a writer without work begins with a batch before it leaves, and gets each unit once', async () => {
  const parts: number[] = []
  const batches: { units: number; begun: number; end(): void }[] = []
  const commits = createGroupCommit({
    parallel: 1,
    turnsMs: 5,
    rowsMax: 20,
    begin: (units) => parts.push(units.length),
    runBatch: (units, begun) =>
      new Promise((resolve) => {
        const end = () => resolve(units.map(() => ({ rowsByCall: [] })))
        batches.push({ units: units.length, begun, end })
      }),
  })
  const calls = [{ operation: { alone: false }, rows: [{}] } as unknown as Call]
  const writeAll = (count: number) => Array.from({ length: count }, () => commits.write(calls))
  const leave = async () => {
    await ticks()
    batches.at(-1)?.end()
    await ticks()
  }
  const written = writeAll(10)
  expect(parts).toEqual([8])
  await leave()
  expect(batches).toMatchObject([{ units: 10, begun: 8 }])
  written.push(...writeAll(18))
  expect(parts).toEqual([8, 8, 8])
  await ticks()
  // While a batch is under way nothing is begun: behind one that hangs, what waits must not be stored any more.
  written.push(...writeAll(40))
  await leave()
  expect(batches[1]).toMatchObject({ units: 18, begun: 16 })
  expect(parts).toHaveLength(3)
  await leave()
  await leave()
  await Promise.all(written)
  await commits.drain()
  expect(batches.reduce((sum, { units }) => sum + units, 0)).toBe(68)
})

test('what precedes a call and the rest leave by turns where both wait, and together where one kind waits', async () => {
  const { batches, writeFirst, write } = aGroupCommit({ parallel: 1, alternate: true })
  void write(1)
  await ticks()
  void write(2)
  void writeFirst(3)
  void write(4)
  void writeFirst(5)
  for (const batch of [0, 1, 2]) {
    batches[batch]?.end()
    await ticks()
  }
  expect(batches.map(({ rows }) => rows)).toEqual([[1], [3, 5], [2, 4]])
  void write(6)
  void write(7)
  await ticks()
  expect(batches.at(-1)?.rows).toEqual([6, 7])
})

test('neither kind is passed over while both keep coming', async () => {
  const { batches, writeFirst, write } = aGroupCommit({ parallel: 1, alternate: true })
  void write(1)
  await ticks()
  for (let batch = 0; batch < 6; batch++) {
    void write(2)
    void writeFirst(3)
    batches[batch]?.end()
    await ticks()
  }
  const kinds = batches.slice(1).map(({ rows }) => new Set(rows))
  expect(kinds).toEqual([3, 2, 3, 2, 3, 2].map((rows) => new Set([rows])))
})

test('when a batch fails, every unit of it fails with the reason, and the next batch leaves', async () => {
  const batches: { fail(error: Error): void; end(): void }[] = []
  const runBatch = (units: readonly (readonly Call[])[]) =>
    new Promise<UnitOutcome[]>((resolve, reject) => {
      batches.push({ fail: reject, end: () => resolve(units.map(() => ({ rowsByCall: [] }))) })
    })
  const commits = createGroupCommit({ runBatch, parallel: 1 })
  const outcomes = Array.from({ length: 5 }, () => commits.write([]).catch((error: Error) => error.message))
  await ticks()
  const next = commits.write([])
  expect(batches).toHaveLength(1)
  batches[0]?.fail(new Error('the disk is gone'))
  expect(await Promise.all(outcomes)).toEqual(Array(5).fill('the disk is gone'))
  await ticks()
  batches[1]?.end()
  expect(await next).toEqual([])
  await commits.drain()
  expect(commits.depth()).toBe(0)
})

test('behind a batch that hangs 50,000 writes may wait, and one more is rejected at once', async () => {
  const { commits, batches, write } = aGroupCommit({ parallel: 1, unitsMax: 100_000, rowsMax: 100_000 })
  void write(1)
  await ticks()
  const waiting = Array.from({ length: 50_000 }, () => write(1))
  await expect(write(1)).rejects.toMatchObject({ name: StoreUnavailable.name, outcome: 'not_stored' })
  batches[0]?.end()
  await ticks()
  batches[1]?.end()
  await Promise.all(waiting)
  void write(1)
  await ticks()
  batches[2]?.end()
  await commits.drain()
})

test('an error of one unit is told to its writer alone', async () => {
  const outcomes: UnitOutcome[] = [{ rowsByCall: [] }, { error: new Error('taken') }, { rowsByCall: [] }]
  const commits = createGroupCommit({ runBatch: async (units) => outcomes.slice(0, units.length), parallel: 1 })
  const told = Array.from({ length: 3 }, () => commits.write([]).catch((error: Error) => error.message))
  expect(await Promise.all(told)).toEqual([[], 'taken', []])
  await commits.drain()
})

test('a batch has as many units as it may have, and the rest follow', async () => {
  const sizes: number[] = []
  const runBatch = async (units: readonly (readonly Call[])[]) => {
    sizes.push(units.length)
    return units.map((): UnitOutcome => ({ rowsByCall: [] }))
  }
  const commits = createGroupCommit({ runBatch, parallel: 1, unitsMax: 3 })
  await Promise.all(Array.from({ length: 8 }, () => commits.write([])))
  expect(sizes).toEqual([3, 3, 2])
  await commits.drain()
})
