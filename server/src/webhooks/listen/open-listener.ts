import { createHmac } from 'node:crypto'
import { pepperOf } from '../../access/pepper.ts'
import { invalidCursor } from '../../events/invalid-cursor.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { feedEnd, takeListener } from '../../store/webhooks/listeners.ts'
import { type Signer, secretPurpose } from '../delivery/sign-delivery.ts'

/** Whose events are followed, and with which API key. */
export type ListenerOwner = { readonly accountId: string; readonly keyId: string }

/** Behind which event of the feed somebody stands: transaction and counter. */
export type FeedPosition = readonly [tx: number, seq: number]

export type Listener = ListenerOwner & {
  /** Looks like the id of a webhook, and is one to the receiver. */
  readonly id: string
  readonly secret: string
  readonly signer: Signer
  readonly position: FeedPosition
  /** The same, for a client that has seen nothing yet. */
  readonly cursor: string
}

const dayMs = 86_400_000

/**
 * Takes up the forwarding webhook of an API key, or makes it. Without a cursor it begins with what happens from now on;
 * with one, behind the event it came with.
 */
export async function openListener(rt: Runtime, owner: ListenerOwner, cursor: string | undefined): Promise<Listener> {
  const given = cursor === undefined ? null : rt.cursors.open(cursor, binding(owner))
  if (cursor !== undefined && given === null) throw invalidCursor()
  const id = await seeListener(rt, owner)
  const secret = await listenerSecret(rt, owner)
  const sealed = rt.secrets.seal(secretPurpose, id, secret)
  const position = given ? toPosition(given) : await newestPosition(rt, [owner.accountId, id])
  return {
    ...owner,
    id,
    secret,
    signer: { id, secret: sealed, previous_secret: null, previous_secret_until: null },
    position,
    cursor: sealPosition(rt, owner, position),
  }
}

/** Somebody is at the other end: says so for the next 24 hours, and gives the id. */
export async function seeListener(rt: Runtime, { accountId, keyId }: ListenerOwner): Promise<string> {
  const now = rt.clock.now()
  const unit = new Unit()
  const row = { id: rt.newId('whk'), account_id: accountId, key_id: keyId, created_at: now, seen_at: now }
  const taken = unit.add(takeListener, row)
  return (await rt.store.write(unit)).first(taken)?.id ?? row.id
}

/** A page mark lives as long as events do. It belongs to the key: nobody else can use it, and it outlives the listener. */
export function sealPosition(rt: Runtime, owner: ListenerOwner, position: FeedPosition): string {
  return rt.cursors.seal(position, binding(owner), { lifeMs: rt.config.retentionDeliveriesDays * dayMs })
}

function binding({ accountId, keyId }: ListenerOwner): unknown {
  return [accountId, 'listener', keyId]
}

function toPosition([tx, seq]: readonly unknown[]): FeedPosition {
  return [Number(tx), Number(seq)]
}

/**
 * Made from the pepper of the installation instead of stored: it is the same in every run of the same key, also when the
 * listener was removed in between, and after the master key was rotated.
 */
async function listenerSecret(rt: Runtime, { accountId, keyId }: ListenerOwner): Promise<string> {
  const bytes = createHmac('sha256', await pepperOf(rt))
    .update(`listener secret\n${accountId}\n${keyId}`)
    .digest()
  return `whsec_${bytes.toString('base64')}`
}

async function newestPosition(rt: Runtime, accountIds: readonly string[]): Promise<FeedPosition> {
  const ends = await Promise.all(accountIds.map((account_id) => rt.store.read(feedEnd, { account_id })))
  const [newest] = ends.flat().sort((a, b) => b.tx - a.tx || b.seq - a.seq)
  return newest ? [newest.tx, newest.seq] : [0, 0]
}
