import { createHmac } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { type AuditRow, findAnchor } from '../store/accounts/audit-log.ts'

/** A line of the log as the next one sees it. */
export type Link = { readonly seq: number; readonly hash: string }

export const anchorPurpose = 'audit anchor'
export const headPurpose = 'audit head'

/** The predecessor of an account's first entry, which records the creation of the account. */
export const beginning: Link = { seq: 0, hash: '0'.repeat(64) }
export const firstAction = 'account.created'

export type Chain = {
  hash(before: Link, entry: string): string
  /** Whether the line follows `before` and is as it was written. */
  follows(before: Link, row: AuditRow): boolean
}

/**
 * The hashes of a log have a key: with write access to the database alone, nobody can compute those of a changed line anew.
 * It is made from the pepper, which the master key seals and which stays the same when the master key is rotated.
 */
export async function chainOf(rt: Pick<Runtime, 'pepper'>, accountId: string): Promise<Chain> {
  const pepper = await rt.pepper()
  const hash = ({ seq, hash: prevHash }: Link, entry: string) =>
    createHmac('sha256', pepper).update(`audit chain\n${accountId}\n${seq}\n${prevHash}\n${entry}`).digest('hex')
  return {
    hash,
    follows(before, row) {
      const isNext = row.seq === before.seq + 1 && row.prev_hash === before.hash
      return isNext && row.hash === hash(before, row.entry) && isIndexed(row)
    },
  }
}

/** The columns that lists and retention go by say what the entry says. */
function isIndexed({ id, action, account_id, occurred_at, entry }: AuditRow): boolean {
  const written = JSON.parse(entry) as { id: string; action: string; account_id: string; occurred_at: string }
  const isSameLine = written.id === id && written.action === action && written.account_id === account_id
  return isSameLine && Date.parse(written.occurred_at) === occurred_at
}

/**
 * The predecessor of the oldest entry: the start of the chain, or the last expired entry. Null if the anchor isn't
 * authentic.
 */
export async function findStart(rt: Runtime, accountId: string): Promise<Link | null> {
  const [anchor] = await rt.store.read(findAnchor, { account_id: accountId })
  if (!anchor) return beginning
  const start = openLink(rt, anchorPurpose, accountId, anchor.sealed)
  return start && isSame(start, anchor) ? start : null
}

export function isSame(link: Link, other: Link | null): boolean {
  return other !== null && link.seq === other.seq && link.hash === other.hash
}

export function sealLink(
  { secrets }: Pick<Runtime, 'secrets'>,
  purpose: string,
  accountId: string,
  link: Link,
): string {
  return secrets.seal(purpose, accountId, `${link.seq} ${link.hash}`)
}

/** Null where this gateway has not sealed it. */
export function openLink(
  { secrets }: Pick<Runtime, 'secrets'>,
  purpose: string,
  accountId: string,
  sealed: string | undefined,
): Link | null {
  if (sealed === undefined) return null
  try {
    const [seq = '', hash = ''] = secrets.open(purpose, accountId, sealed).toString().split(' ', 2)
    return { seq: Number(seq), hash }
  } catch {
    return null
  }
}
