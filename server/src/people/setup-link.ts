import { AppError } from '../contract/app-error.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { endSetupLinks, findSetupLink, insertSetupLink } from '../store/accounts/setup-links.ts'
import { findUser } from '../store/accounts/users.ts'
import type { Unit } from '../store/engine/unit.ts'
import { hashToken, newToken } from './sessions.ts'

export type LinkPurpose = 'owner' | 'invite' | 'reset' | 'enter'

/** A first-run link is read from a terminal at once; an invitation travels by mail. */
const lifeMs: Record<LinkPurpose, number> = { owner: hourMs, invite: 7 * dayMs, reset: hourMs, enter: hourMs / 4 }

/** Adds a one-time link to a unit and gives its address, which is stored nowhere. Older links of the member end. */
export function addSetupLink(
  rt: Runtime,
  unit: Unit,
  userId: string,
  purpose: LinkPurpose,
): { link: string; expiresAt: number } {
  const token = newToken()
  const now = rt.clock.now()
  const expiresAt = now + lifeMs[purpose]
  unit.add(endSetupLinks, { user_id: userId, now })
  unit.add(insertSetupLink, { token_hash: hashToken(token), user_id: userId, purpose, expires_at: expiresAt })
  return { link: `${rt.urls.console}/setup#token=${token}`, expiresAt }
}

export function openLink(rt: Runtime, token: string) {
  return openLinkByHash(rt, hashToken(token))
}

export async function openLinkByHash(rt: Runtime, tokenHash: string) {
  const [link] = await rt.store.read(findSetupLink, { token_hash: tokenHash })
  const [user] = link ? await rt.store.read(findUser, { id: link.user_id }) : []
  if (!link || !user || link.used_at !== null || link.expires_at <= rt.clock.now()) throw spentLink()
  return { link, user, purpose: purposeOf(link.purpose) }
}

function purposeOf(text: string): LinkPurpose {
  return text === 'invite' || text === 'reset' || text === 'enter' ? text : 'owner'
}

export function spentLink(): AppError {
  return new AppError(
    'setup_link_invalid',
    'This link was already used or has expired. Ask an owner or the operator of the gateway for a new one.',
  )
}
