import { Resolver } from 'node:dns/promises'
import type { Clock } from '../clock.ts'
import { steadyClock } from '../clock.ts'

export type ResolvedAddress = { address: string; family: 4 | 6 }

/** The part of node:dns/promises' Resolver that is used here; tests bring their own. */
export type NameResolver = {
  resolve4(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>
  resolve6(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>
}

/** The name has no address, or nobody would tell. */
export class NameError extends Error {
  override name = 'NameError'
}

export type DnsCache = { resolve(name: string): Promise<ResolvedAddress[]> }

const TTL_MIN_MS = 5_000
// Half of the minute within which a name that moved is followed; the age of a connection is the other half.
const TTL_MAX_MS = 30_000
const NEGATIVE_TTL_MS = 5_000
const ENTRIES_MAX = 10_000

type Entry = { answer: Promise<ResolvedAddress[]>; expiresAt: number }

/**
 * Names to addresses through c-ares, cached for 5 to 60 s, failures for 5 s. Not `dns.lookup`: it runs in libuv's pool
 * of four threads, and four dead name servers would stop every delivery and every file access.
 */
export function createDnsCache(options: { resolver?: NameResolver; clock?: Clock; timeoutMs: number }): DnsCache {
  const resolver = options.resolver ?? new Resolver({ timeout: 2_000, tries: 2 })
  const clock = options.clock ?? steadyClock()
  const entries = new Map<string, Entry>()

  const ask = (name: string): Promise<ResolvedAddress[]> => {
    const answer = withTimeout(queryBoth(resolver, name), options.timeoutMs)
    // While the question is open everybody waits for the same answer.
    const entry: Entry = { answer: answer.then((found) => found.addresses), expiresAt: Number.POSITIVE_INFINITY }
    answer.then(
      ({ ttlMs }) => {
        entry.expiresAt = clock.now() + Math.min(Math.max(ttlMs, TTL_MIN_MS), TTL_MAX_MS)
      },
      () => {
        entry.expiresAt = clock.now() + NEGATIVE_TTL_MS
      },
    )
    entries.delete(name)
    entries.set(name, entry)
    if (entries.size > ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
    return entry.answer
  }
  return {
    resolve(name) {
      const known = entries.get(name)
      return known && known.expiresAt > clock.now() ? known.answer : ask(name)
    },
  }
}

type Answer = { addresses: ResolvedAddress[]; ttlMs: number }

/** All A and AAAA records. One family failing is common and harmless; both failing is the failure. */
async function queryBoth(resolver: NameResolver, name: string): Promise<Answer> {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const records = [...recordsOf(four, 4), ...recordsOf(six, 6)]
  if (records.length === 0) throw new NameError(reasonOf(four, six))
  return {
    addresses: records.map(({ address, family }) => ({ address, family })),
    ttlMs: Math.min(...records.map((record) => record.ttl)) * 1_000,
  }
}

type Settled = PromiseSettledResult<{ address: string; ttl: number }[]>

function recordsOf(settled: Settled, family: 4 | 6) {
  return settled.status === 'fulfilled' ? settled.value.map((record) => ({ ...record, family })) : []
}

function reasonOf(...settled: Settled[]): string {
  const codes = settled.map((one) =>
    one.status === 'rejected' ? (one.reason as NodeJS.ErrnoException).code : 'ENODATA',
  )
  const absent = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')
  if (absent) return 'The host name does not exist or has no address.'
  const silent = codes.some((code) => code === 'ETIMEOUT')
  return silent ? TIMED_OUT : 'The name server could not resolve the host name.'
}

const TIMED_OUT = 'The name server did not respond in time.'

/** The resolver's own time-out has been seen not to fire, so a question ends here whatever it does. */
function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new NameError(TIMED_OUT)), timeoutMs)
  answer.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
