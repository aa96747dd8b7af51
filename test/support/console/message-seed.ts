import { sealSecrets } from '../../../server/src/channels/require-number.ts'
import type { Runtime } from '../../../server/src/runtime.ts'
import { type ChannelRow, insertChannel } from '../../../server/src/store/channels/channels.ts'
import { saveNumber } from '../../../server/src/store/channels/numbers.ts'
import { Unit } from '../../../server/src/store/engine/unit.ts'

/** Without secrets it can be looked at only; with them templates can be written, and nothing here submits one. */
export async function seedNumber(
  rt: Runtime,
  accountId: string,
  state: 'seen' | 'connected' = 'seen',
  kind: 'cloud' | 'sandbox' = 'cloud',
) {
  const now = rt.clock.now()
  const id = rt.newId('chn')
  const secrets = { accessToken: 'a', appSecret: 'b', verifyToken: 'c' }
  const channel: ChannelRow = {
    id,
    callback_id: rt.newId('cbk'),
    account_id: accountId,
    kind,
    waba_id: kind === 'cloud' ? '1' : '3',
    app_id: null,
    ...(state === 'connected'
      ? sealSecrets(rt, { id, account_id: accountId }, secrets)
      : { access_token: null, app_secret: null, verify_token: null }),
    base_url: 'https://platform.test',
    graph_version: 'v1',
    status: 'connected',
    name: null,
    business_verified: 1,
    marketing_messages: 0,
    currency: 'EUR',
    time_zone: 'Europe/Lisbon',
    token_expires_at: null,
    last_event_at: null,
    checked_at: null,
    check_steps: null,
    connected_at: now,
    disconnected_at: null,
    updated_at: now,
    revision: 1,
  }
  const numberId = rt.newId('pn')
  const unit = new Unit()
  unit.add(insertChannel, channel)
  unit.add(saveNumber, {
    id: numberId,
    channel_id: channel.id,
    account_id: accountId,
    phone_number_id: kind === 'cloud' ? '2' : '4',
    phone_number: kind === 'cloud' ? '+351210000000' : '+12025550000',
    display_name: 'Acme Store',
    status: 'CONNECTED',
    quality: 'high',
    sends_per_second: 80,
    messaging_limit: 'TIER_1K',
    preferred_at: 0,
    last_inbound_at: null,
    connected_at: now,
    disconnected_at: null,
    updated_at: now,
  })
  await rt.store.write(unit)
  return { channelId: channel.id, numberId }
}
