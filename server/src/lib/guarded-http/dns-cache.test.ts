import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../clock.ts'
import { createDnsCache, NameError, type NameResolver } from './dns-cache.ts'

type Records = { address: string; ttl: number }[]

/** Answers from a table that tests change, and counts the questions. */
function tableResolver(a: () => Records | string, aaaa: () => Records | string = () => 'ENODATA') {
  const asked = { count: 0 }
  const answer = async (records: Records | string) => {
    if (typeof records === 'string') throw Object.assign(new Error(records), { code: records })
    return records
  }
  const resolver: NameResolver = {
    resolve4: () => {
      asked.count += 1
      return answer(a())
    },
    resolve6: () => answer(aaaa()),
  }
  return { resolver, asked }
}

describe('the DNS cache', () => {
  test('gives all A and AAAA records', async () => {
    const { resolver } = tableResolver(
      () => [{ address: '192.0.2.1', ttl: 30 }],
      () => [{ address: '2001:db8::1', ttl: 30 }],
    )
    const addresses = await createDnsCache({ resolver, timeoutMs: 1000 }).resolve('a.test')
    expect(addresses).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
  })

  test.each([
    ['a TTL of 0 is kept for 5 s', 0, 5_000],
    ['a TTL of 30 s is kept for 30 s', 30, 30_000],
    ['a TTL of a day is kept for 30 s, so a moved name is followed within a minute', 86_400, 30_000],
  ])('%s', async (_, ttl, keptMs) => {
    const clock = manualClock()
    const { resolver, asked } = tableResolver(() => [{ address: '192.0.2.1', ttl }])
    const cache = createDnsCache({ resolver, clock, timeoutMs: 1000 })
    await cache.resolve('a.test')
    clock.advance(keptMs - 1)
    await cache.resolve('a.test')
    expect(asked.count).toBe(1)
    clock.advance(1)
    await cache.resolve('a.test')
    expect(asked.count).toBe(2)
  })

  test.each([
    ['ENOTFOUND', /does not exist/],
    ['ESERVFAIL', /could not resolve/],
    ['ETIMEOUT', /in time/],
  ])('%s is a NameError, remembered for 5 s', async (code, message) => {
    const clock = manualClock()
    const { resolver, asked } = tableResolver(() => code)
    const cache = createDnsCache({ resolver, clock, timeoutMs: 1000 })
    await expect(cache.resolve('a.test')).rejects.toThrow(message)
    await expect(cache.resolve('a.test')).rejects.toThrow(NameError)
    expect(asked.count).toBe(1)
    clock.advance(5_000)
    await expect(cache.resolve('a.test')).rejects.toThrow(NameError)
    expect(asked.count).toBe(2)
  })

  test('callers at the same time share one question', async () => {
    const { resolver, asked } = tableResolver(() => [{ address: '192.0.2.1', ttl: 30 }])
    const cache = createDnsCache({ resolver, timeoutMs: 1000 })
    await Promise.all(Array.from({ length: 20 }, () => cache.resolve('a.test')))
    expect(asked.count).toBe(1)
  })

  test('ten names at a name server that never answers all fail in time', async () => {
    const silent = createSocket('udp4')
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const resolver = new Resolver({ timeout: 60_000, tries: 2 })
    resolver.setServers([`127.0.0.1:${silent.address().port}`])
    const cache = createDnsCache({ resolver, timeoutMs: 150 })
    const startedAt = performance.now()
    const names = Array.from({ length: 10 }, (_, index) => `n${index}.test`)
    const settled = await Promise.allSettled(names.map((name) => cache.resolve(name)))
    expect(settled.map((one) => one.status)).toEqual(names.map(() => 'rejected'))
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    resolver.cancel()
    silent.close()
  })
})
