import type { OnFinished } from '../finished.ts'

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
