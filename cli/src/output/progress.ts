/** The part of a terminal that is drawn on; tests bring their own. */
export type Screen = { isTTY?: boolean; columns?: number; write(text: string): unknown }

type StepOptions = {
  /** How much there is to do; without it only what is done is shown. */
  total?: number
  unit?: Step['unit']
  /** For work that lets no timer run: the line is drawn at once. */
  blocks?: boolean
}

export type Progress = {
  /** Begins the next step; the one before it is over. */
  step(what: string, options?: StepOptions): void
  advance(by: number): void
  /** Counts the bytes of a stream as they pass. */
  counted(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Takes the line away, for other output; it comes back while the step lasts. */
  clear(): void
  end(): void
}

const drawEveryMs = 200

/**
 * One line about long work, redrawn in place on a terminal and removed at the end. The cursor is never hidden and no
 * signal is caught, so Ctrl-C ends the command as always, also in the middle of work that lets no handler run.
 */
export function progressOn(screen: Screen, { quiet = false } = {}): Progress {
  const draws = screen.isTTY === true && !quiet
  let step: Step | null = null
  let timer: NodeJS.Timeout | undefined
  let drawnChars = 0

  function clear(): void {
    if (drawnChars === 0) return
    // After the window became narrower the old line fills several rows.
    const rowsAbove = Math.ceil(drawnChars / columnsOf(screen)) - 1
    screen.write(`\r${rowsAbove > 0 ? `\x1b[${rowsAbove}A` : ''}\x1b[J`)
    drawnChars = 0
  }

  function draw(): void {
    if (!step) return
    const line = progressLine(step, performance.now(), columnsOf(screen) - 1)
    clear()
    screen.write(line)
    drawnChars = line.length
  }

  const progress: Progress = {
    step(what, { total, unit = 'bytes', blocks = false } = {}) {
      if (!draws) return
      step = { what, done: 0, total: total ?? null, unit, startedMs: performance.now() }
      if (blocks) draw()
      timer ??= setInterval(draw, drawEveryMs).unref()
    },
    advance(by) {
      if (step) step.done += by
    },
    async *counted(source) {
      for await (const chunk of source) {
        progress.advance(chunk.byteLength)
        yield chunk
      }
    },
    clear,
    end() {
      clearInterval(timer)
      timer = undefined
      step = null
      clear()
    },
  }
  return progress
}

function columnsOf({ columns = 80 }: Screen): number {
  return Math.max(columns, 2)
}

export type Step = {
  what: string
  done: number
  total: number | null
  unit: 'bytes' | 'values' | 'rows'
  startedMs: number
}

/** Before that a rate says nothing. */
const rateAfterMs = 1_000
const barCharsMin = 10
const barCharsMax = 30

/** What is going on, in at most `width` characters: what does not fit is left out, the least important first. */
export function progressLine(step: Step, nowMs: number, width: number): string {
  const { what, done, total, unit } = step
  const elapsedMs = nowMs - step.startedMs
  const perSecond = elapsedMs >= rateAfterMs ? (done * 1_000) / elapsedMs : 0
  const share = total === null ? null : total === 0 ? 1 : Math.min(done / total, 1)
  const left = total !== null && perSecond > 0 ? `${clock((total - done) / perSecond)} left` : null
  const byImportance = [
    share === null ? null : `${Math.floor(share * 100)}%`,
    amount(done, total, unit),
    total === null ? clock(elapsedMs / 1_000) : left,
    perSecond > 0 && unit === 'bytes' ? `${size(perSecond)}/s` : null,
  ]
  let line = what.slice(0, width)
  for (const part of byImportance) {
    if (part !== null && line.length + 2 + part.length <= width) line += `  ${part}`
  }
  const room = Math.min(width - line.length - 4, barCharsMax)
  return share === null || room < barCharsMin ? line : `${line}  ${bar(share, room)}`
}

function bar(share: number, chars: number): string {
  const full = Math.round(share * chars)
  return `[${'='.repeat(full)}${' '.repeat(chars - full)}]`
}

function amount(done: number, total: number | null, unit: Step['unit']): string | null {
  if (unit === 'bytes') return total === null ? (done > 0 ? size(done) : null) : `${size(done)} of ${size(total)}`
  return total === null ? `${done} ${unit}` : `${done} of ${total}`
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(0)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
