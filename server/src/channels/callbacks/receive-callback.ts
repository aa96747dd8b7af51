import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { OpenChannel } from '../../open-channels.ts'
import type { Runtime } from '../../runtime.ts'
import { insertCallback } from '../../store/channels/callbacks.ts'
import { findChannelByCallback, requireChannel } from '../../store/channels/channels.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { ChannelApp } from '../channel-app.ts'
import { openRow } from '../open-channel.ts'

/** The owner of a callback address: a channel, or an app, whose bodies are stored under its own id alone. */
export type CallbackTarget = Pick<OpenChannel, 'id' | 'accountId' | 'appSecret' | 'verifyToken'> & {
  /** The channel as this process remembers it. */
  remembered?: OpenChannel
}

export function targetOfApp({ id, appSecret, verifyToken }: ChannelApp): CallbackTarget {
  return { id, accountId: id, appSecret, verifyToken }
}

/** The channel behind a callback address, or null: the address then does not exist. */
export async function channelOfCallback(rt: Runtime, callbackId: string): Promise<OpenChannel | null> {
  const [row] = await rt.store.read(findChannelByCallback, { callback_id: callbackId })
  return row ? openRow(rt, row) : null
}

/**
 * The same from memory, where a read is a round trip. What is stored under it names the revision of the channel, and
 * every refusal is decided on the channel as it is now.
 */
export function recallChannel(rt: Runtime, callbackId: string): CallbackTarget | null {
  const remembered = rt.store.shared ? rt.openChannels.ofCallback(callbackId) : undefined
  return remembered ? { ...remembered, remembered } : null
}

/** Waits for a place of the account among the bodies that are written; null when too many wait already. */
export type EnterWrites = (accountId: string) => Promise<(() => void) | null>

/**
 * Stores a signed body and resolves when it is on disk. Nothing is parsed: whatever a well-signed body says, it is kept,
 * and a body that is signed wrongly takes no place and leaves no trace but a count. Null where the channel is not as it was
 * remembered.
 */
export async function receiveCallback(
  rt: Runtime,
  target: CallbackTarget,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  enter: EnterWrites,
): Promise<'stored' | 'bad_signature' | 'busy' | null> {
  const { remembered } = target
  if (!rt.platform.isSigned(headers, body, target.appSecret)) {
    if (remembered) return null
    rt.metrics.channelEventsReceived.inc({ kind: 'callback', outcome: 'bad_signature' })
    return 'bad_signature'
  }
  const leave = await enter(target.accountId)
  if (!leave) return 'busy'
  const unit = new Unit()
  if (remembered) unit.add(requireChannel, { id: remembered.id, revision: remembered.revision })
  unit.add(insertCallback, {
    id: rt.newId('cbk'),
    channel_id: target.id,
    account_id: target.accountId,
    body_hash: createHash('sha256').update(body).digest('base64url'),
    body,
    received_at: rt.clock.now(),
  })
  try {
    await rt.store.write(unit)
    return 'stored'
  } catch (error) {
    if (!remembered || !(error instanceof ConditionFailed)) throw error
    rt.openChannels.forget(remembered)
    return null
  } finally {
    leave()
  }
}
