import { randomInt } from 'node:crypto'
import { requireCheckLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'

const timeoutMs = 10_000
const replyBytesMax = 1_024

export type Asked = { accountId: string; url: string; verifyToken: string }

/** Asks an address whether it knows the verify token, once: some tools answer the second time that they do not. Null: it does. */
export async function askForHandshake(rt: Runtime, { accountId, url, verifyToken }: Asked): Promise<string | null> {
  await requireCheckLimit(rt, accountId)
  const { relay } = rt.platform
  // Ten digits: there are tools that keep the challenge as a number.
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000))
  const outcome = await rt.deliverRelay.open({
    method: 'GET',
    url: relay.handshakeUrl(new URL(url), { verifyToken, challenge }),
    headers: { 'user-agent': 'Postern-Webhooks/1.0', accept: '*/*' },
    headersMs: timeoutMs,
    idleMs: timeoutMs,
  })
  if (outcome.kind === 'failure') return `${outcome.code}: ${outcome.message}`
  const { statusCode } = outcome
  const reply = await readReply(outcome.body).catch(() => null)
  if (statusCode < 200 || statusCode > 299) return `The tool responded to the handshake with status ${statusCode}.`
  if (reply === null) return 'The response to the handshake ended too early.'
  return relay.isHandshakeReply(reply, challenge)
    ? null
    : 'The response to the handshake was not the value of the challenge.'
}

async function readReply(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > replyBytesMax) break
  }
  return Buffer.concat(chunks).subarray(0, replyBytesMax).toString('utf8')
}
