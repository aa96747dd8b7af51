import { timingSafeEqual } from 'node:crypto'
import { numberIdsOf } from '../access/keys/api-key.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey, findApiKeyByPublicKey } from '../store/accounts/api-keys.ts'
import { connectionOfApp } from './connection.ts'
import type { MediaReader } from './tool-media.ts'

/** As long as an address of Meta's. */
const livesSeconds = 300

/** What a link says about itself, as the values of its query. */
export type MediaLink = { app: string; expires: string; signature: string }

/** For five minutes, and for anyone who has it: some clients fetch files without their token. */
export function signMediaLink(
  rt: Runtime,
  connection: { id: string; appId: string },
  epoch: number,
  id: string,
): MediaLink {
  const expires = String(Math.floor(rt.clock.now() / 1_000) + livesSeconds)
  return {
    app: connection.appId,
    expires,
    signature: macOf(rt, connection.id, epoch, id, expires).toString('base64url'),
  }
}

/** Whose link this is; null for every other, also once the connection was changed or ended. */
export async function readMediaLink(rt: Runtime, id: string, link: MediaLink): Promise<MediaReader | null> {
  const { app, expires, signature } = link
  if (!/^\d{15}$/.test(app) || !/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= rt.clock.now()) return null
  const connection = await connectionOfApp(rt, app)
  if (!connection) return null
  const { accountId } = connection
  const [named] = await rt.store.read(findApiKey, { account_id: accountId, id: connection.keyId })
  const [key] = named ? await rt.store.read(findApiKeyByPublicKey, { public_key: named.public_key }) : []
  if (key?.status !== 'active' || key.account_status !== 'active') return null
  if (key.expires_at !== null && key.expires_at <= rt.clock.now()) return null
  const given = Buffer.from(signature, 'base64url')
  const right = macOf(rt, connection.id, key.epoch, id, expires)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return { accountId, scopes: JSON.parse(key.scopes) as Scope[], phoneNumberIds: numberIdsOf(key) }
}

function macOf(rt: Runtime, connectionId: string, epoch: number, id: string, expires: string): Buffer {
  return rt.secrets.mac('graph media link', [connectionId, epoch, id, expires].join('\n'))
}
