import { describe, expect, test } from 'vitest'
import { createSingleflight } from './with-timeout.ts'

describe('singleflight', () => {
  test('shares one execution among concurrent calls with the same key, and forgets it afterwards', async () => {
    const flight = createSingleflight()
    let runs = 0
    const work = async () => {
      runs++
      await Promise.resolve()
      return runs
    }
    expect(await Promise.all([flight.run('a', work), flight.run('a', work)])).toEqual([1, 1])
    expect(flight.running('a')).toBeUndefined()
    expect(await flight.run('a', work)).toBe(2)
  })

  test('runs different keys side by side', async () => {
    const flight = createSingleflight()
    const slow = Promise.withResolvers<string>()
    const first = flight.run('a', () => slow.promise)
    expect(await flight.run('b', async () => 'done')).toBe('done')
    expect(flight.running('a')).toBe(first)
    slow.resolve('late')
    expect(await first).toBe('late')
  })

  test('gives a failure to every caller and runs again on the next call', async () => {
    const flight = createSingleflight()
    const failing = async () => {
      throw new Error('away')
    }
    const calls = await Promise.allSettled([flight.run('a', failing), flight.run('a', failing)])
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await flight.run('a', async () => 'back')).toBe('back')
  })
})
