import type { NumberCredentials, PassedCall } from '../../chat-platform.ts'
import type { WireAnswer } from '../../dialect.ts'
import type { CloudCaller } from '../cloud-request.ts'

const limits = { timeoutMs: 8_000, bytesMax: 4 * 1_048_576 }

/** A client's own call, with our credentials. Once: what a second one would do is not known here. */
export function passCall(
  caller: CloudCaller,
  number: NumberCredentials,
  { method, path, query, body = null, upload }: PassedCall,
): Promise<WireAnswer> {
  const context = { purpose: method === 'GET' ? 'read' : 'write' } as const
  const call = { method, path, query, context, ...limits }
  if (!upload) return caller.pass(number, { ...call, ...(body && { json: body }) })
  const { offset, ...file } = upload
  // This one call wants the token under another name.
  const headers = { authorization: `OAuth ${number.accessToken}`, file_offset: String(offset) }
  return caller.pass(number, { ...call, file, headers, timeoutMs: caller.limits.transferMs })
}
