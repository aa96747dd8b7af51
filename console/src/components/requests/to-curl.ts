import { inShell } from '../../sample-quotes.ts'
import { basicAuth, type SampleWorld } from '../../samples.ts'

type Logged = { method: string; path: string | null; body: string | null }

/** The call as a command that makes the same request; null where a part of it was not kept. */
export function toCurl(world: SampleWorld, { method, path, body }: Logged): string | null {
  if (!isWhole(path) || !isWhole(body)) return null
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(`${world.baseUrl}${path}`)}`]
  if (!path.startsWith('/v1/auth/token')) lines.push(basicAuth(world))
  if (body !== '') lines.push("-H 'Content-Type: application/json'", `-d ${inShell(body)}`)
  return lines.join(' \\\n  ')
}

/** The server ends what it cut with an ellipsis, and leaves a mark where a secret was. */
function isWhole(text: string | null): text is string {
  return text !== null && !text.endsWith('…') && !text.includes('[secret]')
}
