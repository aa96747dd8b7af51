const stepMs = 100

/**
 * The duration of a time limit, rounded up to tenths of a second. Node keeps a list for every duration it is given: what is
 * left of a request's time is another number of milliseconds for each of them, and a list of its own for each is most of
 * the work of a timer.
 */
export function inShortList(ms: number): number {
  return ms > 1_000 ? Math.ceil(ms / stepMs) * stepMs : ms
}
