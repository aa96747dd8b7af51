import type { Store } from '../store/engine/store.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './tracer.ts'

/** The same store, with the time of every statement under its name; writes are whole commits, waiting included. */
export function measuredStore(
  store: Store,
  metrics: Pick<Metrics, 'dbQueryDuration' | 'dbPoolConnections' | 'onRender'>,
): Store {
  metrics.onRender(() => {
    const { active, idle, waiting } = store.connections()
    metrics.dbPoolConnections.set({ state: 'active' }, active)
    metrics.dbPoolConnections.set({ state: 'idle' }, idle)
    metrics.dbPoolConnections.set({ state: 'waiting' }, waiting)
  })

  // The clock starts before the work: a short read of SQLite is done when its promise is there.
  async function timed<Result>(query: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      metrics.dbQueryDuration.observe({ query }, (performance.now() - startedAt) / 1_000)
    }
  }

  return {
    ...store,
    write: (unit) => timed('commit', () => store.write(unit)),
    tally: (unit) => timed('tally', () => store.tally(unit)),
    writeApart: (unit) => timed('commit apart', () => store.writeApart(unit)),
    read: (query, params) => timed(query.name, () => store.read(query, params)),
    list: (query, accountId) => timed('list', () => store.list(query, accountId)),
  }
}

/** The same store, with a span for every write: from handing it in until it is on disk, waiting for others included. */
export function tracedStore(store: Store, tracer: Tracer, engineName: string): Store {
  if (!tracer.isOn) return store
  const attributes = { 'db.system.name': engineName }
  return { ...store, write: (unit) => tracer.span('db.tx', attributes, () => store.write(unit), { kind: 'client' }) }
}
