import { inShell } from '../../sample-quotes.ts'
import { type SampleWorld, tokenLines } from '../../samples.ts'

type Logged = { method: string; route: string; body: string | null }

/** The call as commands, with what was redacted left for the person to fill in. */
export function toCurl(world: SampleWorld, { method, route, body }: Logged): string {
  const needsToken = !route.startsWith('/v1/auth/token')
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(`${world.baseUrl}${route}`)}`]
  if (needsToken) lines.push(`-H "Authorization: Bearer \${TOKEN:?$LOGIN}"`)
  if (method !== 'GET' && body !== null) lines.push("-H 'Content-Type: application/json'", `-d ${inShell(body)}`)
  const call = lines.join(' \\\n  ')
  return needsToken ? `${tokenLines(world).curl}\n${call}` : call
}
