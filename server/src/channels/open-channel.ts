import type { NumberCredentials } from '../platform/chat-platform.ts'
import type { ChannelKind, OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel } from '../store/channels/channels.ts'
import { isShared, seal, sharedApp, unseal } from './channel-app.ts'

export type ChannelSecrets = Pick<OpenChannel, 'accessToken' | 'appSecret' | 'verifyToken'>

/** Opened once per revision and process. */
export async function openChannel(
  rt: Runtime,
  accountId: string,
  channelId: string,
  revision: number,
): Promise<OpenChannel | null> {
  const known = rt.openChannels.get(channelId, revision)
  if (known) return known
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  return row ? openRow(rt, row) : null
}

/** Null where the channel is disconnected: it has no secrets any more. */
export function openRow(rt: Runtime, row: ChannelRow): OpenChannel | null {
  const known = rt.openChannels.get(row.id, row.revision)
  if (known) return known
  const { access_token, app_secret, verify_token } = row
  if (access_token === null || app_secret === null || verify_token === null) return null
  const opened: OpenChannel = {
    id: row.id,
    accountId: row.account_id,
    callbackId: row.callback_id,
    kind: row.kind as ChannelKind,
    wabaId: row.waba_id,
    appId: row.app_id,
    baseUrl: row.base_url,
    // Meta retires versions: a new one reaches every channel with a restart. A sandbox names its own.
    graphVersion: row.kind === 'cloud' ? rt.config.channelGraphVersion : row.graph_version,
    revision: row.revision,
    accessToken: unseal(rt, row, 'access_token', access_token),
    appSecret: isShared(rt, row.app_id) ? (sharedApp(rt)?.appSecret ?? '') : unseal(rt, row, 'app_secret', app_secret),
    verifyToken: unseal(rt, row, 'verify_token', verify_token),
  }
  rt.openChannels.set(opened)
  return opened
}

export function sealSecrets(
  rt: Runtime,
  owner: Pick<ChannelRow, 'id' | 'account_id'>,
  { accessToken, appSecret, verifyToken }: ChannelSecrets,
) {
  return {
    access_token: seal(rt, owner, 'access_token', accessToken),
    app_secret: seal(rt, owner, 'app_secret', appSecret),
    verify_token: seal(rt, owner, 'verify_token', verifyToken),
  }
}

export function credentialsOf(channel: ChannelAccess, phoneNumberId: string): NumberCredentials {
  return {
    phoneNumberId,
    wabaId: channel.wabaId,
    accessToken: channel.accessToken,
    ...(channel.appId === null ? {} : { appId: channel.appId }),
    appSecret: channel.appSecret,
    baseUrl: channel.baseUrl,
    graphVersion: channel.graphVersion,
  }
}

/** Enough to speak to the platform, also before a channel is stored. */
export type ChannelAccess = Pick<
  OpenChannel,
  'wabaId' | 'accessToken' | 'appSecret' | 'appId' | 'baseUrl' | 'graphVersion'
>
