import { AppError } from '../../contract/app-error.ts'
import { timedOut, withTimeout } from '../../lib/async/with-timeout.ts'

/** The same items; fails when the next one takes too long to arrive. Time between two calls of `next` does not count. */
export async function* withIdleLimit<T>(source: AsyncIterable<T>, idleMs: number): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const next = await withTimeout(iterator.next(), idleMs)
      if (next === timedOut) {
        throw new AppError('malformed_request', `Nothing of the body arrived for ${idleMs / 1_000} seconds.`)
      }
      if (next.done) {
        finished = true
        return
      }
      yield next.value
    }
  } finally {
    // Not awaited: a source that hangs also hangs here.
    if (!finished) void iterator.return?.().catch(() => {})
  }
}
