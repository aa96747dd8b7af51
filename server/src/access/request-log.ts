import type { Static } from 'typebox'
import type { RequestExportQuery } from '../contract/console/records.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { compactPhone } from '../lib/phone.ts'
import { maskText } from '../lib/text/mask.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { listAccounts } from '../store/accounts/accounts.ts'
import {
  insertRequests,
  type RequestLogRow,
  requestListing,
  tailRequestLog,
  trimRequests,
} from '../store/accounts/request-log.ts'
import { accountsInSandbox, numberKinds } from '../store/channels/sandbox-channels.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { readList } from '../store/engine/list.ts'
import { unitOf } from '../store/engine/unit.ts'
import { seesPeople } from './caller.ts'
import type { Member } from './console-member.ts'

/** A call with its answer as the sandbox may keep them. */
export type Exchange = Pick<RequestLogRow, 'path' | 'body' | 'answer'>
type Logged = {
  row: RequestLogRow
  /** Null of a load. It holds on to all of its request. */
  exchange: (() => Exchange) | null
  from: string | null
}

type RequestRecorder = {
  /**
   * Returns at once; the row is on disk a moment later. The exchange is asked for in the sandbox only; `from` is the number
   * the call names.
   */
  record(row: RequestLogRow, exchange: () => Exchange, from?: string | null): void
  close(): Promise<void>
}

/** A person who tries things sees each call at once; of a load, each write takes many. */
const gatherMs = { usual: 25, underLoad: 250 }
/** By then every node has written what it gathered. */
export const heldBackMs = 2 * gatherMs.underLoad
/** More than that in one write are a load, until there is a pause. */
const fewCalls = 4
const pauseMs = 1_000
// Rows that no database takes are dropped rather than held: this is a convenience for people, not a promise.
const waitingMax = 10_000
// A developer trying things makes few calls at a time; beyond that it is a load, whose answers are not read one by one.
const exchangesMax = 20

/** Gathers the rows of the request log for a moment, so that a busy second costs a few writes and not thousands. */
export function createRequestRecorder(rt: Runtime): RequestRecorder {
  let waiting: Logged[] = []
  let timer: NodeJS.Timeout | undefined
  let last = { atMs: 0, calls: 0 }
  /** Calls of an account among those that wait. */
  const callsOf = new Map<string, number>()
  /** Ends when everything handed in before is on disk. */
  let written: Promise<unknown> = Promise.resolve()

  function isLoad(): boolean {
    return last.calls > fewCalls && performance.now() - last.atMs < pauseMs
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    last = { atMs: performance.now(), calls: waiting.length }
    if (waiting.length === 0) return
    const write = save(waiting).catch((error: unknown) => {
      rt.log.warn({ err: error }, 'request_log.not_written')
    })
    waiting = []
    callsOf.clear()
    written = Promise.all([written, write]).then(() => {})
  }

  /** Asked now and not before the call: an account that connected a real number meanwhile has nothing kept. */
  async function save(logged: readonly Logged[]): Promise<void> {
    const callOf = ({ row, from }: Logged) => ({ accountId: row.account_id, from })
    const isSandbox = await sandboxCalls(rt, logged.filter(({ exchange }) => exchange !== null).map(callOf))
    const rows = logged.map((one) =>
      one.exchange && isSandbox(callOf(one)) ? { ...one.row, ...one.exchange() } : one.row,
    )
    await rt.store.tally(unitOf(insertRequests, ...rows))
  }

  return {
    record(row, exchange, from = null) {
      if (waiting.length >= waitingMax) return
      const nth = (callsOf.get(row.account_id) ?? 0) + 1
      callsOf.set(row.account_id, nth)
      waiting.push({ row, exchange: nth <= exchangesMax ? exchange : null, from })
      timer ??= setTimeout(flush, isLoad() ? gatherMs.underLoad : gatherMs.usual)
    },
    async close() {
      flush()
      await written
    },
  }
}

const daysMax = 7
const rowsMaxDefault = 50_000
const page = 100

/**
 * The request log is for looking at what just happened: seven days, or as long as contents are kept, and at most 50,000 rows
 * of one account.
 */
export async function expireOldRequests(rt: Runtime, rowsMax = rowsMaxDefault): Promise<'done'> {
  const days = Math.min(daysMax, rt.config.retentionContentDays)
  await rt.store.days.drop('request_log', rt.clock.now() - days * dayMs)
  for (let after = ''; ; ) {
    const accounts = await rt.store.read(listAccounts, { after, count: page })
    for (const { id } of accounts) {
      await deleteInBatches(rt.store, (unit, count) => unit.add(trimRequests, { account_id: id, keep: rowsMax, count }))
    }
    if (accounts.length < page) return 'done'
    after = accounts.at(-1)?.id ?? ''
  }
}

export type RequestTail = {
  /** Null: of all accounts. */
  accountId: string | null
  statusMin: number
  statusMax: number
  /** A part of the route; empty: any. */
  route: string
  count: number
  /** The `asked_at` of the answer before; null: whenever it was. */
  since: number | null
}

/** Rows are on disk a quarter of a second after a request has ended, and clocks of nodes differ by a little. */
const lateMs = 5_000
/** Sends take a minute at most; streams that last longer are not waited for. */
const durationMsMax = 90_000

/**
 * The newest requests, newest last. With `since` those that have ended since then, and once more those that ended up to five
 * seconds before: a follower skips the ids it has seen, and misses none that was written late.
 */
export async function tailRequests(rt: Runtime, tail: RequestTail) {
  const askedAt = rt.clock.now()
  const endedFrom = tail.since === null ? 0 : tail.since - lateMs
  const rows = await rt.store.read(tailRequestLog, {
    account_id: tail.accountId ?? '',
    from_at: Math.max(0, endedFrom - durationMsMax),
    ended_from: endedFrom,
    status_min: tail.statusMin,
    status_max: tail.statusMax,
    like: `%${tail.route.replace(/[\\%_]/g, '\\$&')}%`,
    count: tail.count,
  })
  const requests = rows.reverse().map(({ at, ...row }) => ({ at: formatInstant(at), ...row }))
  return { requests, asked_at: askedAt, keeps: rt.config.requestLog }
}

type RequestFilter = Static<typeof RequestExportQuery>

/** The newest requests of the account that match, refused ones included: those are what people look for first. */
export async function findRequests(rt: Runtime, member: Member, filter: RequestFilter, { limit, cursor }: PageRequest) {
  const filters = { outcome: filter.outcome ?? 'all', key_id: filter.key_id ?? '', search: filter.search?.trim() ?? '' }
  const boundTo = ['requests', member.accountId, filters]
  const { outcome, key_id: keyId, search } = filters
  const listing = requestListing(member.accountId, { outcome, keyId, search })
  const { shown, pagination } = await readPage(rt, listing, { limit, cursor, boundTo }, (stretch) =>
    readList(rt.store, member.accountId, listing, stretch),
  )
  const hidden = !seesPeople(member) && !(await sandboxOnly(rt, [member.accountId])).has(member.accountId)
  return {
    requests: shown.map(({ account_id: _, at: happenedAt, ...row }) => ({
      ...row,
      at: formatInstant(happenedAt),
      ...(hidden ? withoutPeople(row) : {}),
    })),
    pagination,
    keeps: rt.config.requestLog,
  }
}

/** Entries from the time with only a sandbox are deleted completely, because nothing in them is masked. */
function withoutPeople({ body, path }: Pick<RequestLogRow, 'body' | 'path'>) {
  return { body: body === null || path !== null ? null : maskText(body), path: null, answer: null }
}

/** A call of an account; `from` where its body names the number to send from. */
type LoggedCall = { accountId: string; from: string | null }

/**
 * Tells calls to the sandbox, whose customers are nobody and whose words are a trial. All calls of an account that never
 * had a real number are; of another account only those that name a sandbox number themselves.
 */
async function sandboxCalls(rt: Runtime, calls: readonly LoggedCall[]): Promise<(call: LoggedCall) => boolean> {
  const inSandbox = await sandboxOnly(rt, [...new Set(calls.map(({ accountId }) => accountId))])
  const mixed = calls.filter(({ accountId, from }) => from !== null && !inSandbox.has(accountId))
  const mixedIds = [...new Set(mixed.map(({ accountId }) => accountId))]
  const numbers = mixedIds.length > 0 ? await rt.store.read(numberKinds, { account_ids: mixedIds }) : []
  return ({ accountId, from }) => {
    if (inSandbox.has(accountId)) return true
    if (from === null) return false
    const phone = compactPhone(from)
    const named = numbers.filter(
      ({ account_id, id, phone_number }) => account_id === accountId && (id === from || phone_number === phone),
    )
    return named.length > 0 && named.every(({ kind }) => kind === 'sandbox')
  }
}

/** The accounts that never had a real number, only the sandbox's: they have no real customers. */
async function sandboxOnly(rt: Runtime, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await rt.store.read(accountsInSandbox, { account_ids: accountIds })
  return new Set(found.map(({ account_id }) => account_id))
}
