import { minuteMs } from '../../lib/durations.ts'
import { startOfHour } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { addKeyCalls, noteKeyUse } from '../../store/accounts/api-keys.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { Caller } from '../caller.ts'

export type KeyUse = {
  /** Returns at once: what it notes is for people, and may lose its last second in a crash. */
  note(caller: Pick<Caller, 'accountId' | 'keyId'>, ip: string): void
  /** A caller proved to have the key, whether or not the request is accepted: for "Last used", not for the count of calls. */
  seen(keyId: string, ip: string): void
  close(): Promise<void>
}

const lastUseEveryMs = minuteMs
const callsEveryMs = 1_000

/** "Last used" is noted once a minute per key, calls are counted here and put down once a second. */
export function createKeyUse(rt: Runtime): KeyUse {
  const lastNoted = new Map<string, number>()
  const counts = new Map<string, { accountId: string; calls: number }>()
  const timer = setInterval(() => void putDown(), callsEveryMs)
  timer.unref()

  function seen(keyId: string, ip: string): void {
    const now = rt.clock.now()
    if (now - (lastNoted.get(keyId) ?? 0) < lastUseEveryMs) return
    lastNoted.set(keyId, now)
    const unit = new Unit()
    unit.add(noteKeyUse, { id: keyId, last_used_at: now, last_used_ip: ip })
    void write(unit)
  }

  return {
    note({ accountId, keyId }, ip) {
      const count = counts.get(keyId)
      if (count) count.calls++
      else counts.set(keyId, { accountId, calls: 1 })
      seen(keyId, ip)
    },
    seen,
    close() {
      clearInterval(timer)
      return putDown()
    },
  }

  async function putDown(): Promise<void> {
    if (counts.size === 0) return
    const hour_start = startOfHour(rt.clock.now())
    const unit = new Unit()
    const rows = [...counts].map(([key_id, { accountId, calls }]) => ({
      account_id: accountId,
      key_id,
      hour_start,
      calls,
    }))
    unit.add(addKeyCalls, ...rows)
    counts.clear()
    await write(unit)
  }

  async function write(unit: Unit): Promise<void> {
    try {
      await rt.store.tally(unit)
    } catch (error) {
      rt.log.warn({ err: error }, 'api_key.use_not_noted')
    }
  }
}
