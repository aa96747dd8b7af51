/** A JSON log line for a person: `10:31:07.412 INFO  channel.connected channel_id=chn_1`. */
export function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)}`
  if (msg === 'request.finished') return `${head} ${requestLine(fields)}\n`
  const stacks: string[] = []
  const shown = Object.entries(fields).map(([key, value]) => `${escapeControls(key)}=${show(value, stacks)}`)
  return `${[[head, escapeControls(String(msg ?? '')), ...shown].join(' '), ...stacks].join('\n')}\n`
}

/** `GET /v1/auth/me 401 missing_credentials 3 ms req_01m7`. The JSON format has the rest. */
function requestLine({ method, route, status, code, duration_ms, request_id }: Record<string, unknown>): string {
  const parts = [method, route, status, ...(code ? [code] : []), `${duration_ms} ms`, request_id]
  return parts.map((part) => escapeControls(String(part))).join(' ')
}

function show(value: unknown, stacks: string[]): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? escapeControls(value) : quote(value)
  if (!isError(value)) return quote(value)
  const { stack, ...rest } = value
  stacks.push(...stack.split('\n').slice(1).map(escapeControls))
  return quote(rest)
}

function isError(value: unknown): value is { stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
}

function quote(value: unknown): string {
  return escapeControls(JSON.stringify(value))
}

/** What a terminal would obey (escape sequences, line breaks, right-to-left marks) becomes visible text. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
