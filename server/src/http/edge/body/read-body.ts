import type { IncomingMessage } from 'node:http'
import { type TSchema, Type } from 'typebox'
import { AppError } from '../../../contract/app-error.ts'
import type { OnFinished } from '../finished.ts'

type BodyLimits = { bytesMax: number; timeoutMs: number }

const closing = { connection: 'close' }

/** The whole body, or a clear refusal when it is too large, too slow, or ends early. */
export function readBody(stream: IncomingMessage, { bytesMax, timeoutMs }: BodyLimits): Promise<Buffer> {
  if (Number(stream.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax))
  if (stream.complete) return readArrived(stream, bytesMax)
  // The client left while the request waited to be read; nothing will tell so again.
  if (stream.destroyed) return Promise.reject(endedEarly())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => {
      finish(
        new AppError('malformed_request', `The body did not arrive within ${timeoutMs / 1000} seconds.`, {
          headers: closing,
        }),
      )
    }, timeoutMs)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > bytesMax) finish(tooLarge(bytesMax))
      else chunks.push(chunk)
    }
    const onEnd = () => finish(null)
    const onBroken = () => finish(endedEarly())
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('aborted', onBroken)

    function finish(refusal: AppError | null): void {
      clearTimeout(timer)
      stream.off('data', onData).off('end', onEnd).off('aborted', onBroken)
      if (refusal) {
        stream.resume() // what is still coming is read away until the connection closes
        reject(refusal)
      } else resolve(Buffer.concat(chunks, size))
    }
  })
}

function endedEarly(): AppError {
  return new AppError('malformed_request', 'The body ended before it was complete.', { headers: closing })
}

/** A small body has arrived with its headers; to listen for it would cost more than all the rest. */
async function readArrived(stream: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const bytes: Buffer = stream.read() ?? Buffer.alloc(0)
  if (bytes.length > bytesMax) throw tooLarge(bytesMax)
  return bytes
}

export function tooLarge(bytesMax: number): AppError {
  return new AppError('payload_too_large', `The body is larger than ${Math.floor(bytesMax / 1024)} KiB.`, {
    headers: closing,
  })
}

/**
 * A request that is refused before its body was read leaves the rest of it on the way. It is read away, so that the client
 * sees the answer and can use the connection again; but it has no longer than a body that is wanted, or a stranger could
 * keep a connection for as long as an upload may take.
 */
export function endLateBodies(onFinished: OnFinished, timeoutMs: number): void {
  onFinished(({ raw }) => {
    if (raw.complete !== false || raw.destroyed) return
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy()
    }, timeoutMs)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

/** How a route documents an answer that is no JSON; what it sends is a stream, which no schema describes. */
export function streamAnswer(mediaType: string, description: string, format?: 'binary'): TSchema {
  const schema = { type: 'string', ...(format ? { format } : {}) }
  return Type.Unsafe<unknown>({ description, content: { [mediaType]: { schema } } })
}
