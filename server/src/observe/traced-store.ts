import type { Store } from '../store/engine/store.ts'
import type { Tracer } from './tracer.ts'

/** The same store, with a span for every write: from handing it in until it is on disk, waiting for others included. */
export function tracedStore(store: Store, tracer: Tracer, engineName: string): Store {
  if (!tracer.isOn) return store
  const attributes = { 'db.system.name': engineName }
  return { ...store, write: (unit) => tracer.span('db.tx', attributes, () => store.write(unit), { kind: 'client' }) }
}
