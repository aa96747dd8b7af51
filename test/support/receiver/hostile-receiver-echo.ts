import type { Answer } from './hostile-receiver-reactions.ts'

/** The ways a receiver may answer a challenge; `wrong` and `echo-request` are the ways it gets it wrong or lazy. */
export type EchoForm = 'plain' | 'newline' | 'bom' | 'json' | 'json-string' | 'form' | 'echo-request' | 'wrong'

/** The answer to a verification request, or null when `body` is not one. */
export function echoChallenge(body: Buffer, form: EchoForm): Answer | null {
  const challenge = challengeIn(body)
  if (challenge === null) return null
  const json = { 'content-type': 'application/json' }
  switch (form) {
    case 'plain':
      return { headers: { 'content-type': 'text/plain' }, body: challenge }
    case 'newline':
      return { headers: { 'content-type': 'text/plain' }, body: `\n${challenge}\r\n` }
    case 'bom':
      return { headers: { 'content-type': 'text/plain' }, body: `\uFEFF${challenge}` }
    case 'json':
      return { headers: json, body: JSON.stringify({ challenge }) }
    case 'json-string':
      return { headers: json, body: JSON.stringify(challenge) }
    case 'form':
      return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `challenge=${challenge}` }
    case 'echo-request':
      return { headers: json, body }
    case 'wrong':
      return { headers: json, body: JSON.stringify({ challenge: `${challenge}x` }) }
  }
}

function challengeIn(body: Buffer): string | null {
  try {
    const parsed = JSON.parse(body.toString()) as { type?: unknown; challenge?: unknown } | null
    const isChallenge = parsed?.type === 'webhook.verification' && typeof parsed.challenge === 'string'
    return isChallenge ? String(parsed.challenge) : null
  } catch {
    return null
  }
}
