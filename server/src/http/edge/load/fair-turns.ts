import { networkOf } from '../../../limits/sign-in.ts'

/** 'never': the request has waited for too long, or would have to. */
type Turn = 'now' | 'never'

export type FairTurns = {
  wait(owner: string): Turn | Promise<Turn>
  /** One more request of this owner would get 'never' at once. */
  isFull(owner: string): boolean
}

/**
 * Behind one that has waited for so long nobody queues up any more. A burst that is over by then is answered as a whole.
 */
const queueMaxMs = 250
/** A request that has waited for so long is refused: its client may be gone before the answer. */
const waitMaxMs = 1_500
/** An owner with so many requests floods: two of them are under way at a time, and leave turns of the loop to others. */
const manyRequests = 64
const underWayMax = 2
/** Upper bound for the wait added per turn, so that a process that was suspended continues normally. */
const turnCountsMs = 100

/**
 * In a turn of the event loop one request of each owner goes on. A request takes many turns, each as long as everything that
 * is done in it: with all that arrives started at once, each step of one waits behind the whole flood of another.
 */
export function createFairTurns(underWay: (owner: string) => number, now = () => performance.now()): FairTurns {
  const queues = new Map<string, { at: number; take: (turn: Turn) => void }[]>()
  const wentOn = new Set<string>()
  let turnBeganAt = 0
  let waitedMs = 0
  let scheduled = false
  return {
    wait(owner) {
      schedule()
      const queue = queues.get(owner)
      if (!queue && !wentOn.has(owner)) {
        wentOn.add(owner)
        return 'now'
      }
      if (isFull(owner)) return 'never'
      return new Promise((take) => {
        if (queue) queue.push({ at: waitedMs, take })
        else queues.set(owner, [{ at: waitedMs, take }])
      })
    },
    isFull,
  }

  function isFull(owner: string): boolean {
    const first = queues.get(owner)?.[0]
    return first !== undefined && waitedMs - first.at > queueMaxMs
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    turnBeganAt = now()
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    const turnMs = now() - turnBeganAt
    waitedMs += Math.min(turnMs, turnCountsMs)
    scheduled = false
    wentOn.clear()
    for (const [owner, queue] of queues) {
      while (queue[0] && waitedMs - queue[0].at > waitMaxMs) queue.shift()?.take('never')
      if (underWay(owner) <= manyRequests || underWay(owner) - queue.length < underWayMax) {
        queue.shift()?.take('now')
        wentOn.add(owner)
      }
      if (queue.length === 0) queues.delete(owner)
    }
    if (wentOn.size > 0 || queues.size > 0) schedule()
  }
}

const rememberedMax = 5_000

type Owners = {
  /** Whose request this is, as far as it can be told before the database is asked; null where nothing tells. */
  of(authorization: string, ip: string | null): string | null
  /** These credentials were right. Returns the owner they counted for until now, null where they were known already. */
  remember(authorization: string, accountId: string, ip: string): string | null
}

/**
 * Credentials that were right a while ago count for their account. All others count for the address they come from: what
 * a stranger writes into the header would be another owner each time.
 */
export function createOwners(): Owners {
  const accounts = new Map<string, string>()
  return {
    of(authorization, ip) {
      const accountId = accounts.get(authorization)
      if (accountId !== undefined) return `account ${accountId}`
      return ip === null ? null : ownerAt(ip)
    },
    remember(authorization, accountId, ip) {
      if (accounts.has(authorization)) return null
      if (accounts.size >= rememberedMax) accounts.delete(accounts.keys().next().value ?? '')
      accounts.set(authorization, accountId)
      return ownerAt(ip)
    },
  }
}

function ownerAt(ip: string): string {
  return `address ${networkOf(ip)}`
}
