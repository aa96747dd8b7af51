import type { FirstRun } from '@postern/server/installation/first-run.ts'
import { version } from '@postern/server/version.ts'
import { ownCommand } from '../own-command.ts'

export type Addresses = { base_url: string; console_url: string; sandbox_url: string | null; admin_url: string | null }
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
export function firstCallLines({ apiKey, apiSecret }: NonNullable<FirstRun['credentials']>, baseUrl: string): string[] {
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
