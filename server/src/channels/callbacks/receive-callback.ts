import { createHash, timingSafeEqual } from 'node:crypto'
import type { OpenChannel } from '../../open-channels.ts'
import type { Runtime } from '../../runtime.ts'
import { insertCallback } from '../../store/channels/callbacks.ts'
import { findChannelByCallback } from '../../store/channels/channels.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { ChannelApp } from '../channel-app.ts'
import { openRow } from '../open-channel.ts'

/** Whoever is behind a callback address: a channel, or an app, whose bodies are stored under its own id alone. */
export type CallbackTarget = Pick<OpenChannel, 'id' | 'accountId' | 'appSecret' | 'verifyToken'>

export function targetOfApp({ id, appSecret, verifyToken }: ChannelApp): CallbackTarget {
  return { id, accountId: id, appSecret, verifyToken }
}

/** The channel behind a callback address, or null: the address then does not exist. */
export async function channelOfCallback(rt: Runtime, callbackId: string): Promise<OpenChannel | null> {
  const [row] = await rt.store.read(findChannelByCallback, { callback_id: callbackId })
  return row ? openRow(rt, row) : null
}

/** The platform asks whether the address is ours: the challenge to echo, or null for a stranger. */
export function answerHandshake(
  target: CallbackTarget,
  { mode, verifyToken, challenge }: { mode: unknown; verifyToken: unknown; challenge: unknown },
): string | null {
  if (mode !== 'subscribe' || typeof verifyToken !== 'string' || typeof challenge !== 'string') return null
  return timingSafeEqual(digest(verifyToken), digest(target.verifyToken)) ? challenge : null
}

/**
 * Stores a signed body and resolves when it is on disk. Nothing is parsed: whatever a well-signed body says, it is kept,
 * and a body that is signed wrongly leaves no trace but a count.
 */
export async function receiveCallback(
  rt: Runtime,
  target: CallbackTarget,
  body: Buffer,
  signature: string | undefined,
): Promise<'stored' | 'bad_signature'> {
  if (!rt.platform.verifySignature(body, signature, target.appSecret)) {
    rt.metrics.channelEventsReceived.inc({ kind: 'callback', outcome: 'bad_signature' })
    return 'bad_signature'
  }
  const unit = new Unit()
  unit.add(insertCallback, {
    id: rt.newId('cbk'),
    channel_id: target.id,
    account_id: target.accountId,
    body_hash: digest(body).toString('base64url'),
    body,
    received_at: rt.clock.now(),
  })
  await rt.store.write(unit)
  return 'stored'
}

function digest(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest()
}
