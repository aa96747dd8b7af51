import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/app-error.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Store } from '../../../store/engine/store.ts'
import type { App } from '../context.ts'
import type { OnFinished } from '../finished.ts'
import { refuseBelowFastify } from '../raw-refusals.ts'
import { createFairTurns, createOwners, type FairTurns } from './fair-turns.ts'

/** Concurrency of an overloaded process for a single owner: as many requests as it finished in the last second. */
const runningLimits = { min: 16, max: 512 }
/** For one that is not: each step of the others' requests waits behind all that runs, whatever is refused. */
const shareMax = 32
const shareMin = 8
const rememberedMs = 2_000
const measuredMs = 1_000

export type Shares = {
  /** No other owner has asked for a while. */
  isAlone(owner: string): boolean
  underWay(owner: string): number
  /** An overloaded process refuses one more request of this owner. */
  isUsedUp(owner: string): boolean
  /** Whether one more request of this owner may run; then it does, until `leave`. */
  enter(owner: string, overloaded: boolean): boolean
  leave(owner: string): void
  /** It was another owner all along, and is not one more that has asked. */
  forget(owner: string): void
}

/** Counts what runs by owner. While there is too much, an owner that is not alone gets a small share. */
export function createShares(now: () => number = () => performance.now()): Shares {
  const running = new Map<string, number>()
  const owners = createRecentOwners(now)
  const rate = createRate(now)
  return {
    isAlone: owners.isAlone,
    underWay,
    isUsedUp,
    enter(owner, overloaded) {
      const usedUp = isUsedUp(owner)
      if (overloaded && usedUp) return false
      running.set(owner, underWay(owner) + 1)
      return true
    },
    leave(owner) {
      rate.count()
      const left = underWay(owner) - 1
      if (left > 0) running.set(owner, left)
      else running.delete(owner)
    },
    forget: owners.forget,
  }

  function underWay(owner: string): number {
    return running.get(owner) ?? 0
  }

  function isUsedUp(owner: string): boolean {
    const { min, max } = runningLimits
    const limit = Math.min(max, Math.max(min, rate.lastSecond()))
    const share = owners.isAlone(owner) ? limit : Math.min(shareMax, Math.max(shareMin, limit >> 2))
    return underWay(owner) >= share
  }
}

/** One that sends one request after the other has none running in between, and is not gone. */
function createRecentOwners(now: () => number) {
  let seen = new Set<string>()
  let seenBefore = new Set<string>()
  let startedAt = now()
  return {
    isAlone(owner: string): boolean {
      if (now() - startedAt > rememberedMs) {
        seenBefore = seen
        seen = new Set()
        startedAt = now()
      }
      seen.add(owner)
      return seen.size === 1 && (seenBefore.size === 0 || (seenBefore.size === 1 && seenBefore.has(owner)))
    },
    forget(owner: string): void {
      seen.delete(owner)
      seenBefore.delete(owner)
    },
  }
}

function createRate(now: () => number) {
  let counted = 0
  let perSecond: number = runningLimits.max
  let startedAt = now()
  const roll = () => {
    const passedMs = now() - startedAt
    if (passedMs < measuredMs) return
    // Nobody asked in a longer time, which says nothing about what the process can do.
    const wasIdle = passedMs > 2 * measuredMs
    perSecond = wasIdle ? runningLimits.max : Math.round((counted * 1_000) / passedMs)
    counted = 0
    startedAt = now()
  }
  return {
    count() {
      counted++
      roll()
    },
    lastSecond() {
      roll()
      return perSecond
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the request's part in the shares of its credentials and its account. */
    leaveShares: (() => void)[] | null
  }
}

type OverloadProtection = {
  /** Before the database is asked who it is. Invented credentials of an address share one limit and use up no other. */
  checkCredentials(request: FastifyRequest): Promise<void> | undefined
  /** An account has many tokens. */
  checkAccount(request: FastifyRequest): Promise<void> | undefined
}

type Way = { readonly shares: Shares; readonly turns: FairTurns }

function createWay(): Way {
  const shares = createShares()
  return { shares, turns: createFairTurns(shares.underWay) }
}

/**
 * Callers go on in turn. An overloaded process refuses at once what it could only answer late, first of all the callers with
 * the most requests: the requests of other accounts are answered as ever (docs/decisions/0016-overload.md).
 *
 *   one caller  Nobody else has asked for two seconds: no turns, no share.
 *   in turn     Several have: one request of each goes on in a turn of the event loop. A request that waited for 1.5 s is
 *               refused, and every new one behind a request that has waited for 250 ms.
 *   overloaded  For half a second the event loop was late or the database had too much waiting: each caller gets a share of
 *               what the process ended in the last second, and the rest is refused.
 *
 * Price: two look-ups and a counter for a request; with several callers, up to one more turn of the event loop.
 */
export function addOverloadProtection(app: App, rt: Runtime, onFinished: OnFinished): OverloadProtection {
  let load: Load | null = null
  const owners = createOwners()
  const byCredentials = createWay()
  const byAccount = createWay()
  // Made once: a stack trace for each of a thousand refusals a second is work too.
  const refusal = overloaded()
  app.decorateRequest('leaveShares', null)
  // A stream of events stays open for hours and costs next to nothing.
  app.addHook('onSend', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) leave(request)
    done(null, payload)
  })
  onFinished(leave)
  app.addHook('onListen', async () => {
    load = watchLoad(rt.store)
  })
  app.addHook('onClose', async () => load?.stop())
  refuseBelowFastify(app.server, rt, ({ headers: { authorization }, socket }) => {
    // Behind a proxy, only Fastify knows the address of the client.
    const ip = rt.config.trustProxy.length > 0 ? null : (socket.remoteAddress ?? null)
    const owner = authorization === undefined ? null : owners.of(authorization, ip)
    if (owner === null || !isFull(byCredentials, owner)) return null
    rt.metrics.rateLimited.inc({ policy: 'overload', plan: 'none' })
    return refusal
  })
  return {
    checkCredentials(request) {
      const { authorization } = request.headers
      const owner = authorization === undefined ? null : owners.of(authorization, request.ip)
      return owner === null ? undefined : enter(byCredentials, owner, request)
    },
    checkAccount(request) {
      if (!request.caller) return undefined
      const { accountId } = request.caller
      const { authorization } = request.headers
      if (authorization !== undefined) {
        const stranger = owners.remember(authorization, accountId, request.ip)
        if (stranger !== null) byCredentials.shares.forget(stranger)
      }
      return enter(byAccount, accountId, request)
    },
  }

  function isFull({ shares, turns }: Way, owner: string): boolean {
    return turns.isFull(owner) || ((load?.isTooMuch() ?? false) && shares.isUsedUp(owner))
  }

  function enter({ shares, turns }: Way, owner: string, request: FastifyRequest): Promise<void> | undefined {
    if (!shares.enter(owner, load?.isTooMuch() ?? false)) return refuse(request)
    request.leaveShares ??= []
    request.leaveShares.push(() => shares.leave(owner))
    return shares.isAlone(owner) ? undefined : waitForTurn(turns, owner, request)
  }

  async function waitForTurn(turns: FairTurns, owner: string, request: FastifyRequest): Promise<void> {
    if ((await turns.wait(owner)) === 'never') refuse(request)
  }

  function refuse(request: FastifyRequest): never {
    rt.metrics.rateLimited.inc({ policy: 'overload', plan: request.caller?.plan ?? 'none' })
    throw overloaded()
  }

  function leave(request: FastifyRequest): void {
    for (const leaveShare of request.leaveShares ?? []) leaveShare()
    request.leaveShares = null
  }
}

function overloaded(): AppError {
  return new AppError(
    'service_unavailable',
    'The gateway is overloaded: it has more requests than it can process in time.',
    {
      retryAfterSeconds: 1,
    },
  )
}

type Load = {
  /** The process, or its database, has had more to do than it can for a while. A moment is not enough. */
  isTooMuch(): boolean
  stop(): void
}

const lookEveryMs = 50
const lastsMs = 500
const loopDelayMaxMs = 100
const writesWaitingMax = 1_000
const readsWaitingMax = 32

/**
 * Looks at what everything waits for: the event loop, by how late it calls, and the database, by how much waits for it.
 * Garbage collection or a burst make both late for a moment; only what lasts is too much.
 */
export function watchLoad({ depth, connections }: Pick<Store, 'depth' | 'connections'>): Load {
  let lookedAt = performance.now()
  let busySince = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    const now = performance.now()
    const isLate = now - lookedAt - lookEveryMs > loopDelayMaxMs
    const isBusy = isLate || depth() > writesWaitingMax || connections().waiting > readsWaitingMax
    busySince = isBusy ? Math.min(busySince, now) : Number.POSITIVE_INFINITY
    lookedAt = now
  }, lookEveryMs)
  timer.unref()
  return { isTooMuch: () => performance.now() - busySince > lastsMs, stop: () => clearInterval(timer) }
}
