/** What the readers of `Retry-After` in the gateway and in the SDK both make of a header, seen at `nowMs`, in seconds. */
export const nowMs = Date.UTC(2026, 10, 15)

export const retryAfterVectors: [header: string, seconds: number | null][] = [
  ['120', 120],
  ['0', 1],
  ['-5', 1],
  ['+5', 5],
  ['86400', 86_400],
  ['86401', 86_400],
  ['99999999', 86_400],
  ['9'.repeat(400), 86_400],
  [' 30 ', 30],
  [new Date(nowMs + 90_000).toUTCString(), 90],
  [new Date(nowMs - 90_000).toUTCString(), 1],
  [new Date(nowMs + 30 * 86_400_000).toUTCString(), 86_400],
  ['Sunday, 15-Nov-26 00:02:00 GMT', 120],
  ['Sun Nov 15 00:02:00 2026', 120],
  ['Sun Nov  1 00:02:00 2026', 1],
  ['Sun Nov 15 2026', null],
  ['2026-11-15T00:02:00Z', null],
  ['abc', null],
  ['abc 2030', null],
  ['soon 5', null],
  ['1.5', null],
  ['', null],
]
