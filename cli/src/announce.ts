import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FirstRun } from '@postern/server/installation/first-run.ts'
import type { Output } from './command.ts'

export type Addresses = { base_url: string; console_url: string; sandbox_url: string | null; admin_url: string }
type Announcement = { firstRun: FirstRun; addresses: Addresses; dataDir: string }

/**
 * Tells the secrets of a first start, once: as JSON to a program, as text to a person. Where nobody reads stdout they go
 * into a file that only this user can open, because logs are kept and passed around.
 */
export function announceFirstRun({ firstRun, addresses, dataDir }: Announcement, output: Output, json: boolean): void {
  const { credentials, consoleLink, accountId } = firstRun
  const facts = {
    ...(credentials ? { api_key: credentials.apiKey, api_secret: credentials.apiSecret } : {}),
    console_link: consoleLink,
    account_id: accountId,
  }
  if (json) output.result({ event: 'first_run', ...facts }, '')
  else if (process.stdout.isTTY) output.result({}, firstRunText(firstRun, addresses))
  else {
    const file = join(dataDir, 'first-run.json')
    writeFileSync(file, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
    // `mode` counts for new files only.
    chmodSync(file, 0o600)
    output.note(`First start: the API key and the console link are in ${file}. Delete it when you have read it.`)
  }
}

/** Two lines that work as pasted: a token, then a text to the customer whose window is open. */
export function firstRunText({ credentials, consoleLink }: FirstRun, { base_url }: Addresses): string {
  const link = `Console     ${consoleLink}\n            works once, for one hour; 'npx postern setup-link' makes another`
  if (!credentials) return `\nThis is the first start. It is shown once:\n\n${link}\n\n`
  const { apiKey, apiSecret } = credentials
  return `
This is the first start. It is shown once:

API key     ${apiKey}
API secret  ${apiSecret}
${link}

Try it: get a token, then send a text to the sandbox's customer.

${tokenLine(base_url, apiKey, apiSecret)}
${sendLine(base_url)}

`
}

function tokenLine(baseUrl: string, apiKey: string, apiSecret: string): string {
  const body = JSON.stringify({ api_key: apiKey, api_secret: apiSecret })
  const call = `curl -s ${baseUrl}/v1/auth/token -H 'Content-Type: application/json' -d '${body}'`
  return `TOKEN=$(${call} | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`
}

function sendLine(baseUrl: string): string {
  const body = JSON.stringify({ to: '+12025550100', message: 'Hello from Postern' })
  return `curl -s ${baseUrl}/v1/chat/messages/send -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${body}'`
}
