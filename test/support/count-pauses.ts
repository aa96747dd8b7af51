const everyMs = 20

/**
 * Counts from now on how long the event loop of this process stands still, because it computes or because a busy machine
 * runs something else; the function that comes back ends it and says the milliseconds. No timer of the process can end
 * anything in that time, so a test of a time limit does not count it.
 */
export function countPauses(): () => number {
  let pausedMs = 0
  let lastMs = performance.now()
  const look = () => {
    const nowMs = performance.now()
    const lateMs = nowMs - lastMs - everyMs
    if (lateMs > everyMs) pausedMs += lateMs
    lastMs = nowMs
  }
  const timer = setInterval(look, everyMs)
  return () => {
    clearInterval(timer)
    look()
    return pausedMs
  }
}
