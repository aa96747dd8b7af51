import type { Host } from './command.ts'
import { ownEnv, readEnvironment } from './env.ts'

const sameSignalMs = 500
const parentPollMs = 250

/**
 * Resolves when the process should end: SIGTERM, SIGINT, or, under npm, when npm itself has gone (npm does not pass its
 * signals on, so its end is the only sign). A repeat within 500 ms is the same signal, sent to the whole group by a
 * terminal; a later one means "now" and exits with 130.
 */
export function untilAskedToStop(
  onStopping: (reason: string) => void,
  { env, signals }: Pick<Host, 'env' | 'signals'> = { env: ownEnv, signals: process },
): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const parent = process.ppid
    const watch = readEnvironment(env).underNpm
      ? setInterval(() => process.ppid !== parent && ask('parent gone'), parentPollMs)
      : undefined
    // Not a reason to stay when the start has failed.
    watch?.unref()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, () => ask(signal))

    function ask(reason: string): void {
      if (firstAt === null) {
        firstAt = performance.now()
        clearInterval(watch)
        onStopping(reason)
        resolve()
      } else if (performance.now() - firstAt > sameSignalMs) process.exit(130)
    }
  })
}
