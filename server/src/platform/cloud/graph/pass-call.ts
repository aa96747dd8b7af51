import type { NumberCredentials, PassedCall } from '../../chat-platform.ts'
import type { WireAnswer } from '../../dialect.ts'
import type { CloudCaller } from '../cloud-request.ts'

const limits = { timeoutMs: 8_000, bytesMax: 4 * 1_048_576 }

/** A client's own call, with our credentials. Once: what a second one would do is not known here. */
export function passCall(
  caller: CloudCaller,
  number: NumberCredentials,
  { method, path, query, body = null }: PassedCall,
): Promise<WireAnswer> {
  const context = { purpose: method === 'GET' ? 'read' : 'write' } as const
  return caller.pass(number, { method, path, query, ...(body && { json: body }), context, ...limits })
}
