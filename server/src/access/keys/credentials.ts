import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { minuteMs } from '../../lib/durations.ts'
import { startOfHour } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { addKeyCalls, noteKeyUse } from '../../store/accounts/api-keys.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { Caller } from '../caller.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = 22
const secretLength = 43
const checksumLength = 6
const connectionPrefix = 'ptg_'

/** The public half: an identifier, shown in lists and logs. */
export function newPublicKey(): string {
  return `ptk_${randomBase62(keyLength)}`
}

/** The secret half: 256 bits and a checksum, so that a typo, or a scanner, is told apart without a database. */
export function newApiSecret(): string {
  const body = randomBase62(secretLength)
  return `pts_${body}${checksum(body)}`
}

/** Both halves of a connection's token, which is one word: the tools that use it know no pairs. */
export function newConnectionCredentials(): { publicKey: string; secret: string } {
  const body = randomBase62(secretLength)
  return { publicKey: `${connectionPrefix}${randomBase62(keyLength)}`, secret: `${body}${checksum(body)}` }
}

export function connectionToken(publicKey: string, secret: string): string {
  return `${publicKey}_${secret}`
}

/** Null for what was never made here, a typo included: that costs no look into the database. */
export function readConnectionToken(token: string): { publicKey: string; secret: string } | null {
  const [, publicKey, secret = ''] = /^(ptg_[A-Za-z0-9]{22})_([A-Za-z0-9]{49})$/.exec(token) ?? []
  const body = secret.slice(0, secretLength)
  return publicKey && secret.slice(secretLength) === checksum(body) ? { publicKey, secret } : null
}

export function looksLikeCredential(text: string): boolean {
  return /^pt[gks]_/.test(text)
}

export function shortened(publicKey: string): string {
  return `${publicKey.slice(0, 8)}…${publicKey.slice(-4)}`
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 = 4 * 62: bytes above it would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let index = 0; index < checksumLength; index++) {
    text = base62.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

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
