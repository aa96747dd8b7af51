/** A JSON log line for a person: `10:31:07.412 INFO  request.finished route=/v1/auth/me status=200`. */
export function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 23)
  const stacks: string[] = []
  const shown = Object.entries(fields).map(([key, value]) => `${escapeControls(key)}=${show(value, stacks)}`)
  const head = [clock, String(level).toUpperCase().padEnd(5), escapeControls(String(msg ?? '')), ...shown].join(' ')
  return `${[head, ...stacks].join('\n')}\n`
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
