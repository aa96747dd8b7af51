import { numberIdsOf } from '../access/keys/api-key.ts'
import type { callbackStates } from '../contract/console/connections.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey } from '../store/accounts/api-keys.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { findWebhook, type WebhookWithState } from '../store/webhooks/webhooks.ts'
import { type Connection, openConnection } from './connection.ts'
import type { StoredConnection } from './connection-entry.ts'

type CallbackState = (typeof callbackStates)[number]

/** What has to be put into a tool, but for its token. */
export async function describeConnection(rt: Runtime, { row, key }: StoredConnection) {
  const { id, appId, appSecret, tool, options } = openConnection(rt, row)
  const allowed = numberIdsOf(key)
  const connected = await rt.store.read(connectedNumbers, { account_id: row.account_id })
  const numbers = connected.filter((number) => allowed === null || allowed.includes(number.id))
  return {
    id,
    name: key.name,
    tool,
    address: `${rt.urls.base}/graph`,
    app_id: appId,
    app_secret: appSecret,
    numbers: numbers.map(({ id: numberId, phone_number, phone_number_id, waba_id }) => ({
      id: numberId,
      phone_number,
      phone_number_id,
      waba_id,
    })),
    scopes: JSON.parse(key.scopes) as string[],
    options,
    callback: await describeCallback(rt, row),
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstant(key.last_used_at),
    token_in_address_since: formatInstant(row.token_in_address_at),
  }
}

/** Where the tool is told, and whether that works; null where it is told nowhere. */
export async function describeCallback(rt: Runtime, { account_id, relay_id }: StoredConnection['row']) {
  const [relay] = relay_id === null ? [] : await rt.store.read(findWebhook, { id: relay_id, account_id })
  return relay
    ? {
        webhook_id: relay.id,
        url: relay.url,
        state: stateOf(relay),
        problem: relay.verification_error,
        verified_at: formatInstant(relay.verified_at),
        last_delivered_at: formatInstant(relay.last_triggered),
      }
    : null
}

function stateOf({ active, verification, disabled_reason: reason, failing_since }: WebhookWithState): CallbackState {
  if (verification !== 'verified') return 'unverified'
  if (active === 0) return (reason ?? 'paused') as CallbackState
  return failing_since === null ? 'active' : 'failing'
}

/** What a token of the platform would say about itself. */
export async function describeToken(rt: Runtime, { id, accountId, keyId, appId }: Connection) {
  const [key] = await rt.store.read(findApiKey, { account_id: accountId, id: keyId })
  const allowed = key ? numberIdsOf(key) : []
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  const usable = connected.filter((number) => allowed === null || allowed.includes(number.id))
  const wabaIds = [...new Set(usable.map(({ waba_id }) => waba_id))]
  return { id, appId, name: key?.name ?? id, expiresAt: key?.expires_at ?? null, wabaIds }
}
