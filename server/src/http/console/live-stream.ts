import { PassThrough } from 'node:stream'
import { withTimeout } from '../../lib/async/with-timeout.ts'

/** A busy gateway commits thousands of times a second; a page needs to look a few times. */
const gatherMs = 250
/** How soon a page says that it is not up to date. It takes a connection that is silent for 10 s for dead. */
const heartbeatMs = 3_000
/** Reading one row takes a millisecond; a database that needs longer than this cannot be read. Less than `heartbeatMs`. */
const readMaxMs = 2_000

export type LiveStream = {
  readonly body: PassThrough
  changed(topic: string): void
  end(): void
}

/**
 * One browser tab that listens. Topics that change within 250 ms travel together. Heartbeats say whether the database can
 * be read: one that is away announces no changes, and the page would take that for nothing new.
 */
export function openLiveStream(isStillSignedIn: () => Promise<boolean>): LiveStream {
  const body = new PassThrough()
  const waiting = new Set<string>()
  let sent = 0
  let timer: NodeJS.Timeout | null = null
  const heartbeat = setInterval(() => void beat(), heartbeatMs)
  body.once('close', stop)
  body.write(`retry: 2000\nid: ${sent}\n\n`)

  return {
    body,
    changed(topic) {
      waiting.add(topic)
      timer ??= setTimeout(flush, gatherMs)
    },
    end() {
      stop()
      body.end()
    },
  }

  function flush(): void {
    timer = null
    sent++
    write(`id: ${sent}\nevent: changed\ndata: ${JSON.stringify({ topics: [...waiting].sort() })}\n\n`)
    waiting.clear()
  }

  async function beat(): Promise<void> {
    const answer = await withTimeout(
      isStillSignedIn().catch(() => null),
      readMaxMs,
    )
    // A database that is away signs nobody out.
    if (answer !== false) return write(`event: heartbeat\ndata: ${JSON.stringify({ readable: answer === true })}\n\n`)
    write('event: signed_out\ndata: {}\n\n')
    stop()
    body.end()
  }

  function write(text: string): void {
    if (body.writable) body.write(text)
  }

  function stop(): void {
    clearInterval(heartbeat)
    if (timer) clearTimeout(timer)
  }
}
