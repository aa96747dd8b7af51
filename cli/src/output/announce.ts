import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '@postern/server/database.ts'
import type { FirstRun, Log } from '@postern/server/gateway.ts'
import { type Config, version } from '@postern/server/settings.ts'
import type { Output } from '../command.ts'
import { dataFlag } from '../find-data.ts'

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

type Addresses = { base_url: string; console_url: string; sandbox_url: string | null; admin_url: string | null }
/** `dataFlag` belongs behind every command that looks for the data: empty where they are in the usual folder. */
type Started = { firstRun: FirstRun | null; addresses: Addresses; database: string; dataFlag: string }

/** What a person reads on the terminal when the gateway is ready; the first time with a key and two lines to paste. */
export function startScreen({ firstRun, addresses, database, dataFlag }: Started): string {
  const { base_url, console_url, sandbox_url } = addresses
  const rows: [name: string, value: string][] = [
    ['API', base_url],
    ['Console', firstRun ? firstRun.consoleLink : console_url],
    ...(firstRun
      ? [['', `works once, within an hour; for a new one: ${ownCommand} setup-link${dataFlag}`] as [string, string]]
      : []),
    ['Docs', `${base_url}/docs`],
    ...(sandbox_url ? [['Sandbox', `${sandbox_url}/_sandbox, instead of WhatsApp`] as [string, string]] : []),
    ['Data', database],
  ]
  const paragraphs = [`Postern ${version} is ready.`, table(rows)]
  if (firstRun?.credentials) paragraphs.push(...firstCalls(firstRun.credentials, base_url))
  const listen = `${ownCommand} listen --forward-to localhost:3000/hooks${dataFlag}`
  paragraphs.push(`Receive events in your own service: ${listen}\nStop: Ctrl-C`)
  return `\n${paragraphs.join('\n\n')}\n\n`
}

/** Two lines to paste: a message to the test customer of the sandbox, and how far it got. */
function firstCallLines({ apiKey, apiSecret }: NonNullable<FirstRun['credentials']>, baseUrl: string): string[] {
  const call = `curl -s -u ${apiKey}:${apiSecret}`
  const messages = `${baseUrl}/v1/chat/messages`
  const body = JSON.stringify({ to: '+12025550100', message: 'Hello from Postern' })
  return [`${call} ${messages}/send -H 'Content-Type: application/json' -d '${body}'`, `${call} '${messages}?limit=1'`]
}

function firstCalls(credentials: NonNullable<FirstRun['credentials']>, baseUrl: string): string[] {
  const { apiKey, apiSecret } = credentials
  return [
    table([
      ['API key', apiKey],
      ['Secret', apiSecret],
      ['', 'shown only once'],
    ]),
    'Send a message to the sandbox customer, then check its status:',
    firstCallLines(credentials, baseUrl).join('\n'),
  ]
}

function table(rows: readonly (readonly [name: string, value: string])[]): string {
  return rows.map(([name, value]) => `${name.padEnd(9)}${value}`).join('\n')
}

/**
 * How a reader calls this command again. An installed package has it on the path; in a clone npx finds it, and must not
 * install a stranger's package of the same name elsewhere.
 */
const ownCommand = import.meta.url.endsWith('.ts') ? 'npx --no-install postern' : 'postern'
