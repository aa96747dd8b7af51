import { inShell } from '../../sample-quotes.ts'
import { type SampleWorld, tokenLines } from '../../samples.ts'

type Logged = { method: string; path: string | null; body: string | null }

/** The call as commands that make the same request; null where a part of it was not kept. */
export function toCurl(world: SampleWorld, { method, path, body }: Logged): string | null {
  if (!isWhole(path) || !isWhole(body)) return null
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(`${world.baseUrl}${path}`)}`]
  const needsToken = !path.startsWith('/v1/auth/token')
  if (needsToken) lines.push(`-H "Authorization: Bearer \${TOKEN:?$LOGIN}"`)
  if (body !== '') lines.push("-H 'Content-Type: application/json'", `-d ${inShell(body)}`)
  const call = lines.join(' \\\n  ')
  return needsToken ? `${tokenLines(world).curl}\n${call}` : call
}

/** The server ends what it cut with an ellipsis, and leaves a mark where a secret was. */
function isWhole(text: string | null): text is string {
  return text !== null && !text.endsWith('…') && !text.includes('[secret]')
}
