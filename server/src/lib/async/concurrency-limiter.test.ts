import { describe, expect, test } from 'vitest'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'

const long = 60_000

describe('a concurrency limiter', () => {
  test('it gives each key its own limit and refuses what waits too long', async () => {
    const limiter = createConcurrencyLimiter()
    await limiter.acquire('slow', 2, 0)
    await limiter.acquire('slow', 2, 0)
    expect(await limiter.acquire('slow', 2, 0)).toBeNull()
    expect(await limiter.acquire('other', 2, 0)).not.toBeNull()
    expect(limiter.look()).toEqual({ running: 3, full: 1 })
  })

  test('it hands a free place to the one that waits longest', async () => {
    const limiter = createConcurrencyLimiter()
    const first = await limiter.acquire('a', 1, 0)
    const order: string[] = []
    const waiters = ['second', 'third'].map(async (name) => {
      const release = await limiter.acquire('a', 1, long)
      order.push(name)
      release?.()
    })
    first?.()
    // Nobody overtakes: the place is spoken for although it was given back.
    const late = limiter.acquire('a', 1, long).then((release) => {
      order.push('late')
      release?.()
    })
    await Promise.all([...waiters, late])
    expect(order).toEqual(['second', 'third', 'late'])
    expect(limiter.look()).toEqual({ running: 0, full: 0 })
  })

  test('a place given back twice counts once, and who left the queue gets none', async () => {
    const limiter = createConcurrencyLimiter()
    const first = await limiter.acquire('a', 1, 0)
    expect(await limiter.acquire('a', 1, 0)).toBeNull()
    first?.()
    first?.()
    expect(limiter.look()).toEqual({ running: 0, full: 0 })
    expect(await limiter.acquire('a', 1, 0)).not.toBeNull()
    expect(await limiter.acquire('a', 1, 0)).toBeNull()
  })
})
