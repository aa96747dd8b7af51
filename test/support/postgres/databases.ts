import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inject } from 'vitest'
import type { Database } from '../../../server/src/store/engine/database.ts'
import type { Store } from '../../../server/src/store/engine/store.ts'
import { migrate } from '../../../server/src/store/migrate.ts'
import { openStore } from '../../../server/src/store/open-store.ts'
import { dataFolder } from '../folders.ts'
import { cloneDatabase, templateDatabase } from './postgres-databases.ts'

/** Every promise about data is made for both. */
export const engines = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engines)[number]

export type { Database }
export type TestDatabase = { database: Database; folder: string; remove(): Promise<void> }

/**
 * A database of its own with today's schema: a file in a temporary folder, or a clone inside the run's PostgreSQL. With the
 * partitions of this week if a gateway starts on it, which takes PostgreSQL 0.1 s less than to make them.
 */
export async function freshDatabase(engine: EngineName, { withDays = false } = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(path.join(dataFolder(), 'postern-test-'))
  if (engine === 'sqlite') {
    const file = path.join(folder, 'postern.db')
    await writeFile(file, await migratedFile())
    return { database: { kind: 'sqlite', path: file }, folder, remove: () => removeFolder(folder) }
  }
  const clone = await cloneDatabase(inject('postgresUrl'), await (withDays ? templateWithDays() : migratedTemplate()))
  return {
    database: { kind: 'postgres', url: clone.url },
    folder,
    async remove() {
      await clone.drop()
      await removeFolder(folder)
    },
  }
}

/** Where the store finds the database, for tests that stand between the two. */
export type Through = (database: Database) => Promise<Database>

/** A store on a fresh database; `dispose` closes and removes both. */
export async function freshStore(
  engine: EngineName,
  through: Through = async (database) => database,
): Promise<{ store: Store; test: TestDatabase; dispose(): Promise<void> }> {
  const test = await freshDatabase(engine)
  const store = await openStore({ database: await through(test.database), now: 0, migrateFirst: false })
  return {
    store,
    test,
    async dispose() {
      await store.close()
      await test.remove()
    },
  }
}

/** Each made once per run; each process asks for it once. */
const migratedTemplate = once('template', async (url) => void (await migrate({ kind: 'postgres', url }, { now: 0 })))
const templateWithDays = once('template_with_days', async (url) => {
  const store = await openStore({ database: { kind: 'postgres', url }, now: 0, migrateFirst: true })
  await store.days.make(Date.now())
  await store.close()
})

function once(name: string, prepare: (url: string) => Promise<void>): () => ReturnType<typeof templateDatabase> {
  let template: ReturnType<typeof templateDatabase> | null = null
  return () => (template ??= templateDatabase(inject('postgresUrl'), name, prepare))
}

let migrated: Promise<Buffer> | null = null

/** Migrated once per test process; each test gets a copy. Kept in memory: a worker that is ended removes no files. */
function migratedFile(): Promise<Buffer> {
  migrated ??= (async () => {
    const folder = await mkdtemp(path.join(dataFolder(), 'postern-template-'))
    const file = path.join(folder, 'postern.db')
    await migrate({ kind: 'sqlite', path: file }, { now: 0 })
    const bytes = await readFile(file)
    await removeFolder(folder)
    return bytes
  })()
  return migrated
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
