import type { IncomingHttpHeaders } from 'node:http'
import type { BodyReader, Flow } from './guarded-http-exchange.ts'
import { ExchangeError } from './guarded-http-failure.ts'

/** Beyond this much body a connection is not worth keeping. */
const EXCERPT_READ_BYTES_MAX = 65_536

/** Reads a little of the body for the log; the answer stands whatever happens to the rest. */
export function excerptReader(keptBytesMax: number): BodyReader & { excerpt(): Buffer } {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  return {
    bodyMatters: false,
    head: () => {},
    data(chunk, flow) {
      const room = keptBytesMax - keptBytes
      // Copied: a slice would hold on to the whole chunk.
      if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)))
      keptBytes += Math.min(room, chunk.length)
      readBytes += chunk.length
      if (readBytes > EXCERPT_READ_BYTES_MAX) flow.enough()
    },
    end: () => null,
    excerpt: () => (kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)),
  }
}

export type StreamReader = Omit<BodyReader, 'end'> & { end(): Promise<void>; bytes(): number; tooLarge(): boolean }

/** Hands the body of a 2xx answer to `write`, one chunk at a time, up to `bytesMax`. */
export function streamReader(
  bytesMax: number,
  write: (chunk: Buffer, headers: IncomingHttpHeaders) => void | Promise<void>,
): StreamReader {
  let received: IncomingHttpHeaders = {}
  let bytes = 0
  let tooLarge = false
  let written = Promise.resolve()
  const overflow = (flow: Flow) => {
    tooLarge = true
    flow.enough()
  }
  return {
    bodyMatters: true,
    head(statusCode, headers, flow) {
      received = headers
      if (statusCode > 299) flow.enough()
      else if (Number(headers['content-length'] ?? 0) > bytesMax) overflow(flow)
    },
    data(chunk, flow) {
      // undici hands over an empty chunk after each resume; pausing for it would go round for ever.
      if (chunk.length === 0) return
      if (bytes + chunk.length > bytesMax) return overflow(flow)
      bytes += chunk.length
      flow.pause()
      written = written.then(() => write(chunk, received)).then(() => flow.resume())
      written.catch(() => flow.fail(new ExchangeError('our_fault', 'The body could not be stored.')))
    },
    end: () => written,
    bytes: () => bytes,
    tooLarge: () => tooLarge,
  }
}
