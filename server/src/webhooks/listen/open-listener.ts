import { createHmac } from 'node:crypto'
import {
  type FeedMark,
  type FeedPosition,
  feedEpoch,
  openFeedCursor,
  positionAt,
  readInstant,
  sealFeedCursor,
} from '../../events/read-feed.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import type { BoundTo } from '../../store/engine/cursor.ts'
import { Unit } from '../../store/engine/unit.ts'
import { feedEnd, takeListener } from '../../store/webhooks/listeners.ts'
import { type Signer, secretPurpose } from '../delivery/sign-delivery.ts'

/** Whose events are followed, and with which API key. */
export type ListenerOwner = { readonly accountId: string; readonly keyId: string }

export type Listener = ListenerOwner & {
  /** 1 where its API key sees no people. */
  readonly masked: number
  /** Looks like the id of a webhook, and is one to the receiver. */
  readonly id: string
  readonly secret: string
  readonly signer: Signer
  readonly epoch: string
  readonly position: FeedPosition
  /** Events recorded earlier are passed over. */
  readonly since: number
  /** The same, for a client that has seen nothing yet. */
  readonly cursor: string
}

/** The start of the stream: after a cursor's event, with events recorded since a time, or with the next event. */
export type ListenerStart = { cursor?: string | undefined; since?: string | undefined }

/** Takes up the forwarding webhook of an API key, or makes it. */
export async function openListener(
  rt: Runtime,
  owner: ListenerOwner,
  { cursor, since: sinceText, seesPeople = true }: ListenerStart & { seesPeople?: boolean } = {},
): Promise<Listener> {
  const epoch = await feedEpoch(rt)
  const given = cursor === undefined ? null : openFeedCursor(rt, cursor, binding(owner), epoch)
  const since = given?.since ?? readInstant('since', sinceText)
  const id = await seeListener(rt, owner)
  const secret = await listenerSecret(rt, owner)
  const position =
    given?.position ??
    (since === null ? null : await positionAt(rt, since)) ??
    (await newestPosition(rt, [owner.accountId, id]))
  return {
    ...owner,
    masked: seesPeople ? 0 : 1,
    id,
    secret,
    signer: sealedSigner(rt, id, secret),
    epoch,
    position,
    since: since ?? 0,
    cursor: sealPosition(rt, owner, { epoch, position, at: 0, since: since ?? 0 }),
  }
}

/** Signs as the listener of an API key does. */
export async function listenerSigner(rt: Runtime, owner: ListenerOwner, id: string): Promise<Signer> {
  return sealedSigner(rt, id, await listenerSecret(rt, owner))
}

function sealedSigner(rt: Runtime, id: string, secret: string): Signer {
  const sealed = rt.secrets.seal(secretPurpose, id, secret)
  return { id, secret: sealed, previous_secret: null, previous_secret_until: null }
}

/** Marks the listener as connected for the next 24 hours, and gives its id. */
export async function seeListener(rt: Runtime, { accountId, keyId }: ListenerOwner): Promise<string> {
  const now = rt.clock.now()
  const unit = new Unit()
  const row = { id: rt.newId('whk'), account_id: accountId, key_id: keyId, created_at: now, seen_at: now }
  const taken = unit.add(takeListener, row)
  return (await rt.store.write(unit)).first(taken)?.id ?? row.id
}

/**
 * A page mark lives as long as events do. It belongs to the key: nobody else can use it, and it outlives the listener.
 */
export function sealPosition(rt: Runtime, owner: ListenerOwner, mark: FeedMark & { epoch: string }): string {
  return sealFeedCursor(rt, mark, binding(owner), rt.config.retentionDeliveriesDays * dayMs)
}

function binding({ accountId, keyId }: ListenerOwner): BoundTo {
  return [accountId, 'listener', keyId]
}

/**
 * Made from the pepper of the installation instead of stored: it is the same in every run of the same key, also when
 * the listener was removed in between, and after the master key was rotated.
 */
async function listenerSecret(rt: Runtime, { accountId, keyId }: ListenerOwner): Promise<string> {
  const bytes = createHmac('sha256', await rt.pepper())
    .update(`listener secret\n${accountId}\n${keyId}`)
    .digest()
  return `whsec_${bytes.toString('base64')}`
}

async function newestPosition(rt: Runtime, accountIds: readonly string[]): Promise<FeedPosition> {
  const ends = await Promise.all(accountIds.map((account_id) => rt.store.read(feedEnd, { account_id })))
  const [newest] = ends.flat().sort((a, b) => b.tx - a.tx || b.seq - a.seq)
  return newest ? [newest.tx, newest.seq] : [0, 0]
}
