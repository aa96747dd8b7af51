import { PassThrough } from 'node:stream'

/** A busy gateway commits thousands of times a second; a page needs to look a few times. */
const gatherMs = 250
// Proxies close what is silent for a minute.
const heartbeatMs = 15_000

export type LiveStream = {
  readonly body: PassThrough
  changed(topic: string): void
  end(): void
}

/** One browser tab that listens. Topics that change within 250 ms travel together; silence is filled with heartbeats. */
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
    // A database that is away signs nobody out.
    if (await isStillSignedIn().catch(() => true)) return write(': still here\n\n')
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
