import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { createRunDatabase, dropRunDatabases } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Administration URL for `createDatabase`, `cloneDatabase` and `templateDatabase`. */
    postgresUrl: string
  }
}

type SharedServer = { url: string; stop(): Promise<void> }

let shared: Promise<SharedServer> | null = null
let users = 0

/** One PostgreSQL for all projects of a run: the one named by TEST_POSTGRES_URL, or a throw-away one. */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  users += 1
  shared ??= start()
  const server = await shared
  project.provide('postgresUrl', server.url)
  return async () => {
    users -= 1
    if (users === 0) await server.stop()
  }
}

async function start(): Promise<SharedServer> {
  const given = process.env.TEST_POSTGRES_URL
  if (!given) return startPostgres()
  const run = await createRunDatabase(given)
  return { url: run.url, stop: () => dropRunDatabases(given, run) }
}
