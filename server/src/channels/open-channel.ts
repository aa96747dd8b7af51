import type { NumberCredentials } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel } from '../store/channels/channels.ts'
import { isShared, sharedApp } from './channel-app.ts'

/** A connected channel with its secrets opened. Never logged, never answered. */
export type OpenChannel = {
  readonly id: string
  readonly accountId: string
  readonly callbackId: string
  readonly kind: ChannelKind
  readonly wabaId: string
  readonly appId: string | null
  readonly baseUrl: string
  readonly graphVersion: string
  readonly revision: number
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
}

export type ChannelKind = 'sandbox' | 'cloud'
export type ChannelSecrets = Pick<OpenChannel, 'accessToken' | 'appSecret' | 'verifyToken'>

/** Opened once per revision and process: a send then costs no decryption and no second read. */
export async function openChannel(
  rt: Runtime,
  accountId: string,
  channelId: string,
  revision: number,
): Promise<OpenChannel | null> {
  const known = cacheOf(rt).get(channelId)
  if (known?.revision === revision) return known
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  return row ? openRow(rt, row) : null
}

/** Null where the channel is disconnected: it has no secrets any more. */
export function openRow(rt: Runtime, row: ChannelRow): OpenChannel | null {
  const cache = cacheOf(rt)
  const known = cache.get(row.id)
  if (known?.revision === row.revision) return known
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
  if (cache.size >= openMax) cache.delete(cache.keys().next().value ?? '')
  cache.set(row.id, opened)
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
const openMax = 10_000

function boundTo({ id, account_id }: Pick<ChannelRow, 'id' | 'account_id'>, column: SealedColumn): string {
  return `${account_id}\n${id}\n${column}`
}

const caches = new WeakMap<object, Map<string, OpenChannel>>()

/** One per master key, so that two runtimes in one process never share an opened secret. */
function cacheOf({ secrets }: Runtime): Map<string, OpenChannel> {
  const known = caches.get(secrets)
  if (known) return known
  const fresh = new Map<string, OpenChannel>()
  caches.set(secrets, fresh)
  return fresh
}
