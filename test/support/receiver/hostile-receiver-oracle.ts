import { Webhook } from 'standardwebhooks'
import {
  type HostileReceiver,
  type ReceivedRequest,
  type ReceiverOptions,
  startHostileReceiver,
} from './hostile-receiver.ts'

/** The secret of a webhook; null for one that has none and signs nothing. */
export type KnownSecret = string | null

export type CheckedReceiver = HostileReceiver & {
  /** From now on the secrets that may sign requests to `path`: during a rotation two, otherwise one. */
  expectSecrets(path: string, ...secrets: KnownSecret[]): void
}

/**
 * A receiver that puts every request to the public library as it arrives, challenges and repetitions included. Closing
 * it fails the test when one of them was not genuine.
 */
export async function startCheckedReceiver(
  secrets: readonly KnownSecret[],
  options: ReceiverOptions = {},
): Promise<CheckedReceiver> {
  const byPath = new Map<string, readonly KnownSecret[]>()
  const forged: string[] = []
  const inspect = (request: ReceivedRequest) => {
    const problem = problemWith(request, byPath.get(request.path) ?? secrets)
    if (problem !== null) forged.push(`${request.path} ${request.headers['webhook-id']}: ${problem}`)
  }
  const receiver = await startHostileReceiver({ ...options, inspect })
  const { close } = receiver
  return Object.assign(receiver, {
    expectSecrets: (path: string, ...known: KnownSecret[]) => void byPath.set(path, known),
    close: async () => {
      await close()
      if (forged.length > 0) throw new Error(`Not genuine: ${forged.length}, the first ${forged[0]}`)
    },
  })
}

/** What the public library says against a request signed with this secret; null when it verifies. */
export function refusalOf({ headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>, secret: string): string | null {
  const { now } = Date
  // The clock of a test may be wound days ahead of the one the library reads.
  Date.now = () => Number(headers['webhook-timestamp']) * 1_000
  try {
    verifierOf(secret).verify(body, headers)
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    Date.now = now
  }
}

/** Stricter than the library, which is content with one signature: none may be of a secret that is no longer in force. */
function problemWith({ headers, body }: ReceivedRequest, secrets: readonly KnownSecret[]): string | null {
  if (!headers['webhook-id'] || !headers['webhook-timestamp']) return 'Headers of the standard are missing'
  const signatures = headers['webhook-signature']?.split(' ') ?? []
  if (signatures.length === 0) return secrets.includes(null) ? null : 'It is not signed'
  const known = secrets.filter((secret) => secret !== null)
  for (const signature of signatures) {
    const single = { headers: { ...headers, 'webhook-signature': signature }, body }
    const refusals = known.map((secret) => refusalOf(single, secret))
    if (!refusals.includes(null)) return refusals[0] ?? 'It is signed without a secret'
  }
  return null
}

const verifiers = new Map<string, Webhook>()

function verifierOf(secret: string): Webhook {
  const verifier =
    verifiers.get(secret) ??
    (secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' }))
  verifiers.set(secret, verifier)
  return verifier
}
