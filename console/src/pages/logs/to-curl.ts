import { inShell } from '../../sample-quotes.ts'
import { type SampleWorld, tokenLines } from '../../samples.ts'

type Logged = { method: string; route: string; body: string | null }

/** The call as commands, with what was redacted left for the person to fill in. */
export function toCurl(world: SampleWorld, { method, route, body }: Logged): string {
  const needsToken = !route.startsWith('/v1/auth/token')
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${inShell(`${world.baseUrl}${route}`)}`]
  if (needsToken) lines.push(`-H "Authorization: Bearer \${TOKEN:?$LOGIN}"`)
  const given = body === null ? '@body.json' : inShell(body)
  if (takesBody(method)) lines.push("-H 'Content-Type: application/json'", `-d ${given}`)
  const names = [...route.matchAll(/\{\w+\}/g)].map(([name]) => name)
  const missing = [
    ...(names.length > 0 ? [`# Ids are not kept: write yours instead of ${names.join(' and ')}.`] : []),
    ...(takesBody(method) && body === null ? ['# The body was not kept: write it into body.json first.'] : []),
  ]
  const call = [...missing, lines.join(' \\\n  ')].join('\n')
  return needsToken ? `${tokenLines(world).curl}\n${call}` : call
}

function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}
