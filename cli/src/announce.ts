import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FirstRun } from '@postern/server/installation/first-run.ts'
import type { Output } from './command.ts'

/** Tells a program the secrets of a first start, once. */
export function announceFirstRun(firstRun: FirstRun, output: Output): void {
  output.result({ event: 'first_run', ...factsOf(firstRun) }, '')
}

/** Where nobody reads stdout, the secrets go into a file that only this user can open: logs are kept and passed around. */
export function keepFirstRun(firstRun: FirstRun, dataDir: string, output: Output): void {
  const file = join(dataDir, 'first-run.json')
  writeFileSync(file, `${JSON.stringify(factsOf(firstRun), null, 2)}\n`, { mode: 0o600 })
  // `mode` counts for new files only.
  chmodSync(file, 0o600)
  const what = firstRun.credentials ? 'the API key and the console link are' : 'the console link is'
  output.note(`First start: ${what} in ${file}. Delete it when you have read it.`)
}

function factsOf({ credentials, consoleLink, accountId }: FirstRun): object {
  return {
    ...(credentials ? { api_key: credentials.apiKey, api_secret: credentials.apiSecret } : {}),
    console_link: consoleLink,
    account_id: accountId,
  }
}
