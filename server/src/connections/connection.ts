import { randomBytes, randomInt } from 'node:crypto'
import type { ConnectionOptions, Tool } from '../contract/connections.ts'
import { optionsOf } from '../events/relays.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectionRow, findConnectionOfApp, findConnectionOfKey } from '../store/connections/connections.ts'
import { openSecret } from '../webhooks/relay-secret.ts'

/** To a tool what an app is at Meta, with its secret opened. Never logged. */
export type Connection = {
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  readonly appId: string
  readonly appSecret: string
  readonly tool: Tool
  readonly options: ConnectionOptions
}

export async function connectionOfKey(rt: Runtime, keyId: string): Promise<Connection | null> {
  const [row] = await rt.store.read(findConnectionOfKey, { key_id: keyId })
  return row ? openConnection(rt, row) : null
}

export async function connectionOfApp(rt: Runtime, appId: string): Promise<Connection | null> {
  const [row] = await rt.store.read(findConnectionOfApp, { app_id: appId })
  return row ? openConnection(rt, row) : null
}

export function openConnection(rt: Runtime, row: ConnectionRow): Connection {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    appId: row.app_id,
    appSecret: openSecret(rt, row, 'app_secret', row.app_secret),
    tool: row.tool as Tool,
    options: optionsOf(row.options),
  }
}

/** 32 hexadecimal digits, as those of Meta. */
export function newAppSecret(): string {
  return randomBytes(16).toString('hex')
}

const appIdDigits = 15

/** As long as those of Meta, and below 2^53: there are clients that keep it as a number. */
export function newAppId(): string {
  const digits = Array.from({ length: appIdDigits - 1 }, () => randomInt(10))
  return `9${digits.join('')}`
}
