/** The call as a command, with what was redacted left for the person to fill in. */
export function toCurl(baseUrl: string, request: { method: string; route: string; body: string | null }): string {
  const { method, route, body } = request
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${baseUrl}${route}`)}`]
  if (!route.startsWith('/v1/auth/token')) lines.push('-H "Authorization: Bearer $TOKEN"')
  if (method !== 'GET' && body !== null) lines.push("-H 'Content-Type: application/json'", `-d ${quote(body)}`)
  return lines.join(' \\\n  ')
}

/** Single quotes keep everything as it is; one inside is closed, escaped and opened again. */
function quote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
