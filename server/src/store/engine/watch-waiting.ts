/** Behind a disk or a database that hangs nothing may wait for longer: its request has to be answered within 10 s. */
const requestWaitMs = 4_000
const looksPerWait = 8

/**
 * Calls `drop` with the time before which nothing may have begun to wait, eight times per wait while something waits; it
 * returns how many still do. The function returned here is called whenever something begins to wait.
 */
export function watchWaiting(drop: (before: number) => number, waitMaxMs = requestWaitMs): () => void {
  let timer: NodeJS.Timeout | null = null

  function look(): void {
    timer = null
    if (drop(performance.now() - waitMaxMs) > 0) watch()
  }

  function watch(): void {
    if (!timer) timer = setTimeout(look, waitMaxMs / looksPerWait).unref()
  }

  return watch
}
