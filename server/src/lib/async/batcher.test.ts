import { describe, expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

describe('a batcher', () => {
  test('runs items of one moment together, and those that come meanwhile in the next batch', async () => {
    const batches: number[][] = []
    const first = Promise.withResolvers<void>()
    const batcher = createBatcher(async (items: number[]) => {
      batches.push(items)
      if (batches.length === 1) await first.promise
      return items.map((item) => item * 10)
    })
    const early = [batcher.add(1), batcher.add(2)]
    await new Promise((resolve) => setImmediate(resolve))
    const late = [batcher.add(3), batcher.add(4)]
    expect(batcher.pending()).toBe(4)
    first.resolve()
    expect(await Promise.all([...early, ...late])).toEqual([10, 20, 30, 40])
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(batcher.pending()).toBe(0)
  })

  test('puts no more than the given number of items into a batch', async () => {
    const sizes: number[] = []
    const batcher = createBatcher(
      async (items: number[]) => {
        sizes.push(items.length)
        return items
      },
      { itemsMax: 2 },
    )
    expect(await Promise.all([1, 2, 3, 4, 5].map(batcher.add))).toEqual([1, 2, 3, 4, 5])
    expect(sizes).toEqual([2, 2, 1])
  })

  test('gives the failure of a batch to its items alone', async () => {
    let batches = 0
    const batcher = createBatcher(async (items: string[]) => {
      if (++batches === 1) throw new Error('away')
      return items
    })
    await expect(batcher.add('first')).rejects.toThrow('away')
    expect(await batcher.add('second')).toBe('second')
  })
})
