import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@postern/server/config/config.ts'
import type { FirstRun } from '@postern/server/installation/first-run.ts'
import type { Log } from '@postern/server/observe/log.ts'
import { factsOf } from '@postern/server/store/open-store.ts'
import type { Output } from '../command.ts'
import { dataFlag } from '../find-data.ts'
import { type Addresses, firstCallLines, startScreen } from './start-screen.ts'

/** What `serve` was called with. */
export type Serving = { config: Config; log: Log; output: Output; json: boolean }

/** The gateway is ready: said once, however many processes it has. */
export function announceReady(serving: Serving, addresses: Addresses, firstRun: FirstRun | null): void {
  const { config, log, output, json } = serving
  if (json) {
    if (firstRun) announceFirstRun(firstRun, output)
    output.result({ event: 'ready', ...addresses }, '')
  } else if (process.stdout.isTTY) {
    const facts = { database: databaseOf(config), dataFlag: dataFlag(config) }
    output.result({}, startScreen({ firstRun, addresses, ...facts }))
  } else if (firstRun) keepFirstRun(firstRun, addresses.base_url, config.dataDir, output)
  // The screen says the same to who sees both.
  if (json || !process.stdout.isTTY || !process.stderr.isTTY) {
    const { database, processes } = config
    log.info({ ...addresses, database: database.kind, processes }, `ready on ${addresses.base_url}`)
  }
}

/** The address of a server stays out of it: it may hold a password. */
function databaseOf({ database, dataDir, masterKey, processes }: Config): string {
  const { shared, title } = factsOf(database)
  if (shared) return processes > 1 ? `${title}, shared by ${processes} processes` : title
  return masterKey ? `${title} in ${dataDir}` : `${title} in ${dataDir}; store a copy of its master.key separately`
}

/** Tells a program the secrets of a first start, once. */
function announceFirstRun(firstRun: FirstRun, output: Output): void {
  output.result({ event: 'first_run', ...secretsOf(firstRun) }, '')
}

/** Where nobody reads stdout, the secrets go into a file that only this user can open: logs are kept and passed around. */
function keepFirstRun(firstRun: FirstRun, baseUrl: string, dataDir: string, output: Output): void {
  const file = join(dataDir, 'first-run.json')
  const tries = firstRun.credentials ? { try: firstCallLines(firstRun.credentials, baseUrl) } : {}
  writeFileSync(file, `${JSON.stringify({ ...secretsOf(firstRun), ...tries }, null, 2)}\n`, { mode: 0o600 })
  // `mode` counts for new files only.
  chmodSync(file, 0o600)
  const what = firstRun.credentials
    ? 'the API key, the console link and two curl commands to try are'
    : 'the console link is'
  output.note(`First start: ${what} in ${file}. Delete it after reading.`)
}

function secretsOf({ credentials, consoleLink, accountId }: FirstRun): object {
  return {
    ...(credentials ? { api_key: credentials.apiKey, api_secret: credentials.apiSecret } : {}),
    console_link: consoleLink,
    account_id: accountId,
  }
}
