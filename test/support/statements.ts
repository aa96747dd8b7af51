import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Engine } from '../../server/src/store/engine/dialect.ts'
import type { Operation, Query } from '../../server/src/store/engine/operation.ts'

export type Declared = { kind: 'operation'; operation: Operation } | { kind: 'query'; query: Query }

/** Every statement that the store declares for an engine, by its name. */
export async function declaredStatements(engine: Engine): Promise<Map<string, Declared>> {
  const found = new Map<string, Declared>()
  const folder = resolve(import.meta.dirname, '../../server/src/store')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts') || entry.name === 'sqlite-worker.ts') continue
    collect(found, engine, (await import(pathToFileURL(path).href)) as Record<string, unknown>)
  }
  return found
}

function collect(found: Map<string, Declared>, engine: Engine, values: Record<string, unknown>): void {
  for (const value of Object.values(values)) {
    if (typeof value !== 'object' || value === null) continue
    if ('sql' in value && 'name' in value && 'input' in value) {
      const operation = value as Operation
      found.set(operation.name, { kind: 'operation', operation })
    } else if ('sql' in value && 'name' in value && 'params' in value) {
      const query = value as Query
      found.set(query.name, { kind: 'query', query })
    } else if ('sqlite' in value && 'postgres' in value) {
      const own = (value as Record<Engine, unknown>)[engine]
      collect(found, engine, Array.isArray(own) ? { ...own } : { own })
    }
  }
}
