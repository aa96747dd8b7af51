import { AppError } from '../../contract/app-error.ts'

/** The same items; fails when the next one lets us wait too long. Only waiting counts, not what is done in between. */
export async function* withIdleLimit<T>(source: AsyncIterable<T>, idleMs: number): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const next = await inTime(iterator.next(), idleMs)
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

async function inTime<T>(next: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('malformed_request', `Nothing of the body arrived for ${idleMs / 1_000} seconds.`))
    }, idleMs)
  })
  try {
    return await Promise.race([next, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
