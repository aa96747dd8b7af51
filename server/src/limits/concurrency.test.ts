import { describe, expect, test } from 'vitest'
import { CallbackConcurrency, createConcurrencyLimiter } from './concurrency.ts'

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

  test('a limit that is raised lets in as many as it has room for, and those who wait go first', async () => {
    const limiter = createConcurrencyLimiter()
    await limiter.acquire('a', 1, 0)
    const order: string[] = []
    const waiters = ['second', 'third', 'fourth'].map(async (name) => {
      await limiter.acquire('a', 1, long)
      order.push(name)
    })
    const late = limiter.acquire('a', 4, 0)
    await Promise.all(waiters)
    expect(order).toEqual(['second', 'third', 'fourth'])
    expect(await late).toBeNull()
    expect(limiter.look()).toEqual({ running: 4, full: 1 })
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

const limits = { total: 4, perAccount: 2, waitingPerAccount: 3 }

/** Who is in, in the order they came in. */
function aRoom() {
  const concurrency = new CallbackConcurrency(limits)
  const inside: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = async (account: string, guest: string) => {
    const leave = await concurrency.enter(account)
    if (!leave) return 'sent away'
    inside.push(guest)
    leaves.set(guest, leave)
    return 'inside'
  }
  const leave = async (guest: string) => {
    leaves.get(guest)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { inside, enter, leave }
}

describe('the concurrency limit of callbacks', () => {
  test('one account never takes more than its share', async () => {
    const { inside, enter } = aRoom()
    await Promise.all([enter('a', 'a1'), enter('a', 'a2')])
    void enter('a', 'a3')
    await enter('b', 'b1')
    expect(inside).toEqual(['a1', 'a2', 'b1'])
  })

  test('accounts that wait are served in rotation', async () => {
    const { inside, enter, leave } = aRoom()
    await Promise.all(['a1', 'a2'].map((guest) => enter('a', guest)))
    await Promise.all(['b1', 'b2'].map((guest) => enter('b', guest)))
    for (const guest of ['c1', 'c2', 'd1']) void enter(guest.slice(0, 1), guest)
    void enter('a', 'a3')
    await leave('b1')
    await leave('b2')
    await leave('c1')
    await leave('a1')
    expect(inside.slice(4)).toHaveLength(4)
    expect(inside.slice(4, 6).sort()).toEqual(['c1', 'd1'])
    expect(inside.slice(6).sort()).toEqual(['a3', 'c2'])
  })

  test('a request beyond the queue limit is refused at once', async () => {
    const { enter } = aRoom()
    await Promise.all([enter('a', 'a1'), enter('a', 'a2')])
    for (const guest of ['a3', 'a4', 'a5']) void enter('a', guest)
    expect(await enter('a', 'a6')).toBe('sent away')
    expect(await enter('b', 'b1')).toBe('inside')
  })
})
