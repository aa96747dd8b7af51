import { pepperPurpose } from '../access/installation.ts'
import { anchorPurpose, headPurpose } from '../audit/audit-chain.ts'
import { boundTo } from '../channels/channel-app.ts'
import { SealedWithAnotherKey, type Secrets } from '../lib/secrets.ts'
import { secretPurpose as twoFactorPurpose } from '../people/two-factor-code.ts'
import type { Runtime } from '../runtime.ts'
import { type SealedPlace, sealedColumn } from '../store/engine/sealed-columns.ts'
import { Unit } from '../store/engine/unit.ts'
import { connectionPurpose } from '../webhooks/delivery/deliver-relay.ts'
import { secretPurpose as webhookPurpose } from '../webhooks/delivery/sign-delivery.ts'

type Sealed = { id: string; account_id: string | null }
type Place = SealedPlace & {
  readonly purpose: string
  /** The context a value is bound to, as defined by the code that sealed it; by default the key of its row. */
  boundTo?(row: Sealed): string
}

/**
 * Every sealed column there is. A new one is one line here; test/access/secrets-at-rest.test.ts finds those that are
 * missing.
 */
const places: readonly Place[] = [
  { ...ofInstallation('installation', 'name', 'value'), onlyKey: 'pepper', purpose: pepperPurpose },
  { ...ofInstallation('signing_keys', 'kid', 'sealed'), purpose: 'signing key' },
  { ...ofInstallation('audit_anchors', 'account_id', 'sealed'), purpose: anchorPurpose },
  { ...ofInstallation('audit_heads', 'account_id', 'sealed'), purpose: headPurpose },
  ...ofAccounts('channels', 'access_token', 'app_secret', 'verify_token').map(inChannel),
  ...ofAccounts('channel_apps', 'app_secret', 'verify_token').map(inChannel),
  ...ofAccounts('signups', 'access_token').map(inChannel),
  ...ofAccounts('connections', 'app_secret', 'next_app_secret', 'verify_token').map((place) => ({
    ...inChannel(place),
    purpose: connectionPurpose,
  })),
  ...ofAccounts('webhooks', 'secret', 'previous_secret').map((place) => ({ ...place, purpose: webhookPurpose })),
  { ...ofInstallation('people', 'id', 'two_factor_secret'), purpose: twoFactorPurpose },
]

function ofInstallation(table: string, key: string, column: string): SealedPlace {
  return { table, key, column, perAccount: false }
}

function ofAccounts(table: string, ...columns: string[]): SealedPlace[] {
  return columns.map((column) => ({ table, key: 'id', column, perAccount: true }))
}

function inChannel(place: SealedPlace): Place {
  return { ...place, purpose: 'channel', boundTo: (row) => boundTo(row, place.column) }
}

const page = 500

/** A value that neither key opens: nothing was sealed anew yet. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/**
 * Seals everything anew; `secrets` seals with the new key and still opens with the old one. It may be cut short at any
 * moment and run again: values name the key they were sealed with. Servers with the old key must not run meanwhile. All of
 * them are opened before the first is replaced: half of them under each key would be of use to nobody.
 */
export async function rotateMasterKey(
  rt: Runtime,
  secrets: Secrets,
  onSealed: (count: number) => void = () => {},
): Promise<{ resealed: number }> {
  for (const place of places) for await (const _ of openedValues(rt, secrets, place));
  let resealed = 0
  for (const place of places) {
    const { replace } = sealedColumn(place)
    for await (const values of openedValues(rt, secrets, place)) {
      const unit = new Unit()
      for (const { id, was, bound, value } of values) {
        unit.add(replace, { id, was, sealed: secrets.seal(place.purpose, bound, value) })
      }
      await rt.store.write(unit)
      resealed += values.length
      onSealed(values.length)
    }
  }
  return { resealed }
}

type Opened = { id: string; was: string; bound: string; value: Buffer }

/** Page by page, what is not sealed with the new key yet. */
async function* openedValues(rt: Runtime, secrets: Secrets, place: Place): AsyncGenerator<Opened[]> {
  const { unchanged } = sealedColumn(place)
  const prefix = `${secrets.keyId}.%`
  for (let after = ''; ; ) {
    const rows = await rt.store.read(unchanged, { prefix, after, count: page })
    if (rows.length > 0) yield rows.map((row) => opened(secrets, place, row))
    if (rows.length < page) return
    after = rows.at(-1)?.id ?? ''
  }
}

function opened(secrets: Secrets, place: Place, row: Sealed & { sealed: string }): Opened {
  const bound = place.boundTo?.(row) ?? row.id
  try {
    return { id: row.id, was: row.sealed, bound, value: secrets.open(place.purpose, bound, row.sealed) }
  } catch (error) {
    const reason = error instanceof SealedWithAnotherKey ? 'was encrypted with a third key' : 'is damaged'
    throw new UnreadableSecret(
      `${place.table}.${place.column} of ${row.id} ${reason}: nothing was changed. Replace or delete it, then rotate again.`,
    )
  }
}
