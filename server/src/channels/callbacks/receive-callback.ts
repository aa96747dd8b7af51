import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { OpenChannel } from '../../open-channels.ts'
import type { Runtime } from '../../runtime.ts'
import { insertCallback } from '../../store/channels/callbacks.ts'
import { findChannelByCallback } from '../../store/channels/channels.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { ChannelApp } from '../channel-app.ts'
import { openRow } from '../open-channel.ts'

/** The owner of a callback address: a channel, or an app, whose bodies are stored under its own id alone. */
export type CallbackTarget = Pick<OpenChannel, 'id' | 'accountId' | 'appSecret' | 'verifyToken'>

export function targetOfApp({ id, appSecret, verifyToken }: ChannelApp): CallbackTarget {
  return { id, accountId: id, appSecret, verifyToken }
}

/** The channel behind a callback address, or null: the address then does not exist. */
export async function channelOfCallback(rt: Runtime, callbackId: string): Promise<OpenChannel | null> {
  const [row] = await rt.store.read(findChannelByCallback, { callback_id: callbackId })
  return row ? openRow(rt, row) : null
}

/**
 * Stores a signed body and resolves when it is on disk. Nothing is parsed: whatever a well-signed body says, it is kept,
 * and a body that is signed wrongly leaves no trace but a count.
 */
export async function receiveCallback(
  rt: Runtime,
  target: CallbackTarget,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Promise<'stored' | 'bad_signature'> {
  if (!rt.platform.isSigned(headers, body, target.appSecret)) {
    rt.metrics.channelEventsReceived.inc({ kind: 'callback', outcome: 'bad_signature' })
    return 'bad_signature'
  }
  const unit = new Unit()
  unit.add(insertCallback, {
    id: rt.newId('cbk'),
    channel_id: target.id,
    account_id: target.accountId,
    body_hash: createHash('sha256').update(body).digest('base64url'),
    body,
    received_at: rt.clock.now(),
  })
  await rt.store.write(unit)
  return 'stored'
}
