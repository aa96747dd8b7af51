import { timingSafeEqual } from 'node:crypto'

/**
 * Did the receiver return the challenge? As plain text, as a JSON string, as `{"challenge": ...}` or as a form field,
 * with white space or a byte order mark around it. An echo of the whole request passes too: lazy but honest receivers
 * do that.
 */
export function returnsChallenge(body: Uint8Array, challenge: string): boolean {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  return [text, fromJson(text), fromForm(text)].some((reply) => reply !== null && isSame(reply, challenge))
}

function fromJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    const challenge = (value as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

function fromForm(text: string): string | null {
  return new URLSearchParams(text).get('challenge')
}

function isSame(reply: string, challenge: string): boolean {
  const [given, wanted] = [Buffer.from(reply), Buffer.from(challenge)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
