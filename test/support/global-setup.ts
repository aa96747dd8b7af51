import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { createRunDatabase, dropRunDatabases } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Administration URL for `createDatabase`, `cloneDatabase` and `templateDatabase`. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run: the one named by TEST_POSTGRES_URL, or a throw-away one. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL
  if (given) {
    const run = await createRunDatabase(given)
    project.provide('postgresUrl', run.url)
    return () => dropRunDatabases(given, run)
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
