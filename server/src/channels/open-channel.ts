import type { ChannelKind, OpenChannel } from '../open-channels.ts'
import type { NumberCredentials } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel } from '../store/channels/channels.ts'
import { isShared, sharedApp } from './channel-app.ts'

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
  const open = (column: SealedColumn, sealed: string) =>
    rt.secrets.open(purpose, boundTo(row, column), sealed).toString('utf8')
  const opened: OpenChannel = {
    id: row.id,
    accountId: row.account_id,
    callbackId: row.callback_id,
    kind: row.kind as ChannelKind,
    wabaId: row.waba_id,
    appId: row.app_id,
    baseUrl: row.base_url,
    graphVersion: row.graph_version,
    revision: row.revision,
    accessToken: open('access_token', access_token),
    appSecret: isShared(rt, row.app_id) ? (sharedApp(rt)?.appSecret ?? '') : open('app_secret', app_secret),
    verifyToken: open('verify_token', verify_token),
  }
  rt.openChannels.set(opened)
  return opened
}

/** Each value is bound to account, row and column: copied anywhere else it does not open. */
export function sealSecrets(
  rt: Runtime,
  owner: Pick<ChannelRow, 'id' | 'account_id'>,
  { accessToken, appSecret, verifyToken }: ChannelSecrets,
): Record<SealedColumn, string> {
  const seal = (column: SealedColumn, value: string) => rt.secrets.seal(purpose, boundTo(owner, column), value)
  return {
    access_token: seal('access_token', accessToken),
    app_secret: seal('app_secret', appSecret),
    verify_token: seal('verify_token', verifyToken),
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

type SealedColumn = 'access_token' | 'app_secret' | 'verify_token'
const purpose = 'channel'

function boundTo({ id, account_id }: Pick<ChannelRow, 'id' | 'account_id'>, column: SealedColumn): string {
  return `${account_id}\n${id}\n${column}`
}
