import { randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import {
  type ChannelAppRow,
  findChannelApp,
  findChannelAppByCallback,
  insertChannelApp,
  noteAppHandshake,
  setChannelAppSecret,
} from '../store/channels/channel-apps.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'

/** An app of the platform with its secrets opened. Never logged, never answered. */
export type ChannelApp = {
  readonly id: string
  readonly callbackId: string
  /** Empty for the app of the operator. */
  readonly accountId: string
  readonly appId: string
  readonly appSecret: string
  readonly verifyToken: string
  readonly handshakeAt: number | null
}

/** The operator's app serves every account, because its secret is a setting that no account ever sees. */
export function sharedApp({ config }: Runtime): { appId: string; appSecret: string } | null {
  const { sharedAppId: appId, sharedAppSecret: appSecret } = config
  return appId === null || appSecret === null ? null : { appId, appSecret }
}

export function isShared(rt: Runtime, appId: string | null): boolean {
  return appId !== null && sharedApp(rt)?.appId === appId
}

/** Ids of apps stand in the callback table where ids of accounts stand: what an app was told belongs to no tenant. */
export function isAppId(id: string): boolean {
  return id.startsWith('app_')
}

export function appCallbackUrl(rt: Runtime, { callbackId }: Pick<ChannelApp, 'callbackId'>): string {
  return `${rt.urls.base}${appCallbackPath({ callbackId })}`
}

export function appCallbackPath({ callbackId }: Pick<ChannelApp, 'callbackId'>): string {
  return `/channel/app/${callbackId}/callback`
}

/** The app of an account, made when it is first named; the operator's where the id is the operator's. */
export async function ensureApp(
  rt: Runtime,
  wanted: { accountId: string; appId: string; appSecret: string },
): Promise<ChannelApp> {
  const owner = isShared(rt, wanted.appId) ? '' : wanted.accountId
  const known = await findApp(rt, owner, wanted.appId)
  const now = rt.clock.now()
  const unit = new Unit()
  if (!known) {
    const id = rt.newId('app')
    const row = { id, account_id: owner }
    unit.add(insertChannelApp, {
      ...row,
      callback_id: randomBytes(16).toString('hex'),
      app_id: wanted.appId,
      app_secret: owner === '' ? null : seal(rt, row, 'app_secret', wanted.appSecret),
      verify_token: seal(rt, row, 'verify_token', randomBytes(32).toString('base64url')),
      handshake_at: null,
      created_at: now,
      updated_at: now,
    })
  } else if (known.appSecret === wanted.appSecret || owner === '') return known
  else {
    const row = { id: known.id, account_id: owner }
    unit.add(setChannelAppSecret, { id: known.id, app_secret: seal(rt, row, 'app_secret', wanted.appSecret), now })
  }
  await rt.store.write(unit)
  const app = await findApp(rt, owner, wanted.appId)
  if (!app) throw new Error('An app was stored and is not there.')
  return app
}

/** The app that a channel belongs to, where it has been made. */
export async function findApp(rt: Runtime, owner: string, appId: string): Promise<ChannelApp | null> {
  const [row] = await rt.store.read(findChannelApp, { account_id: owner, app_id: appId })
  return row ? open(rt, row) : null
}

/** The app behind a callback address, or null: the address then does not exist. */
export async function appOfCallback(rt: Runtime, callbackId: string): Promise<ChannelApp | null> {
  const [row] = await rt.store.read(findChannelAppByCallback, { callback_id: callbackId })
  return row ? open(rt, row) : null
}

/** The platform verified the address just now: `postern channels connect --manual` waits for this. */
export async function noteHandshake(rt: Runtime, id: string): Promise<void> {
  await rt.store.write(unitOf(noteAppHandshake, { id, at: rt.clock.now() }))
}

/** Null for the operator's app after the operator took its setting away. */
function open(rt: Runtime, row: ChannelAppRow): ChannelApp | null {
  const appSecret =
    row.app_secret === null
      ? isShared(rt, row.app_id)
        ? sharedApp(rt)?.appSecret
        : undefined
      : unseal(rt, row, 'app_secret', row.app_secret)
  if (appSecret === undefined) return null
  return {
    id: row.id,
    callbackId: row.callback_id,
    accountId: row.account_id,
    appId: row.app_id,
    appSecret,
    verifyToken: unseal(rt, row, 'verify_token', row.verify_token),
    handshakeAt: row.handshake_at,
  }
}

type SealedColumn = 'access_token' | 'app_secret' | 'verify_token'
type Owner = { id: string; account_id: string | null }

/** Each value is bound to account, row and column: copied anywhere else it does not open. */
export function boundTo({ id, account_id }: Owner, column: string): string {
  return `${account_id}\n${id}\n${column}`
}

export function seal(rt: Runtime, owner: Owner, column: SealedColumn, value: string): string {
  return rt.secrets.seal('channel', boundTo(owner, column), value)
}

export function unseal(rt: Runtime, owner: Owner, column: SealedColumn, sealed: string): string {
  return rt.secrets.open('channel', boundTo(owner, column), sealed).toString('utf8')
}
