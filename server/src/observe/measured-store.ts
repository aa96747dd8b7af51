import type { Store } from '../store/engine/store.ts'
import type { Metrics } from './metrics.ts'

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

  async function timed<Result>(query: string, work: Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    try {
      return await work
    } finally {
      metrics.dbQueryDuration.observe({ query }, (performance.now() - startedAt) / 1_000)
    }
  }

  return {
    ...store,
    write: (unit) => timed('commit', store.write(unit)),
    tally: (unit) => timed('tally', store.tally(unit)),
    writeApart: (unit) => timed('commit apart', store.writeApart(unit)),
    read: (query, params) => timed(query.name, store.read(query, params)),
    list: (query, accountId) => timed('list', store.list(query, accountId)),
  }
}
