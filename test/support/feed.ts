import { query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { waitFor } from './wait-for.ts'

const own = { params: {}, returns: { tx: 'int' }, lane: 'list' } as const
const newest = query({ name: 'test.newest_transaction', ...own, sql: 'select {tx} as tx' })
const settled = query({ name: 'test.settled_transaction', ...own, sql: 'select {settled} as tx' })

/**
 * Resolves when the feed shows everything committed so far. PostgreSQL shows an event once every transaction that began
 * before it has ended, and those of other databases count too: tests beside this one share the server.
 */
export async function feedSettled(store: Store): Promise<void> {
  const [last] = await store.read(newest, {})
  await waitFor(async () => ((await store.read(settled, {}))[0]?.tx ?? 0) > (last?.tx ?? 0), 20_000)
}
