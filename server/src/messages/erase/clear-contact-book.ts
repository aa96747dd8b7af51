import { setTimeout as pause } from 'node:timers/promises'
import { requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { kindOf } from '../customers/identity.ts'
import type { Person } from './find-person.ts'

const triesMax = 3
const pauseMs = 500

/**
 * The platform keeps the number of each customer who hides it, by user id, for all numbers of a business. It forgets them one by
 * one, and never under a parent id. Resolves with the ids that it did not forget; a later run may name them again.
 */
export async function clearContactBook(rt: Runtime, { accountId, addresses }: Person): Promise<string[]> {
  const userIds = addresses.filter((address) => kindOf(address) === 'user')
  if (userIds.length === 0) return []
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  // One number of each WhatsApp Business account: which of them belong to one business is not known here.
  const places = new Map(numbers.map(({ channel_id, id }) => [channel_id, id]))
  const failed = new Set<string>()
  for (const from of places.values()) {
    for (const userId of userIds) if (!(await forget(rt, { accountId, from, userId }))) failed.add(userId)
  }
  return [...failed]
}

type Entry = { accountId: string; from: string; userId: string }

async function forget(rt: Runtime, { accountId, from, userId }: Entry): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const number = await requireNumber(rt, accountId, { from })
      await rt.platform.forgetContact(number.credentials, userId)
      return true
    } catch (error) {
      if (!(error instanceof PlatformError || error instanceof AppError)) throw error
      if (error instanceof AppError || !error.retryable || tries >= triesMax) return false
      await pause(pauseMs)
    }
  }
}
