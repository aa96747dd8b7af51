import { progressLine, type Step } from './progress-line.ts'

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
