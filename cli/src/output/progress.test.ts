import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { progressLine, progressOn, type Screen, type Step } from './progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A terminal that understands what is used here: carriage return, cursor up, erase below; long lines wrap. */
function aTerminal(columns: number) {
  let written = ''
  const screen: Screen & { columns: number } = { isTTY: true, columns, write: (text) => (written += text) }
  const rows = (): string[] => {
    const lines = ['']
    let [row, column] = [0, 0]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this reads
    for (const [token] of written.matchAll(/\x1b\[(\d*)([AJ])|[\s\S]/g)) {
      if (token === '\r') column = 0
      else if (token.endsWith('A') && token.length > 1) row -= Number(token.slice(2, -1))
      else if (token === '\x1b[J') {
        lines.length = row + 1
        lines[row] = (lines[row] ?? '').slice(0, column)
      } else {
        if (column === screen.columns) [row, column] = [row + 1, 0]
        lines[row] = (lines[row] ?? '').slice(0, column) + token
        column++
      }
    }
    return lines
  }
  /** The terminal wraps what it shows anew. */
  const resize = (to: number) => {
    written = rows().join('')
    screen.columns = to
  }
  return { screen, rows, resize, written: () => written }
}

describe('the progress of long work', () => {
  test('is one line with what, how much of how much, time left and rate, and is gone at the end', () => {
    const { screen, rows } = aTerminal(100)
    const progress = progressOn(screen)
    progress.step('Writing the backup', { total: 40_000_000 })
    progress.advance(10_000_000)
    vi.advanceTimersByTime(5_000)
    expect(rows()).toEqual([
      'Writing the backup  25%  10.0 MB of 40.0 MB  0:15 left  2.0 MB/s  [========                      ]',
    ])
    progress.end()
    expect(rows()).toEqual([''])
    vi.advanceTimersByTime(5_000)
    expect(rows()).toEqual([''])
  })

  test('keeps to the width, also when the window becomes narrower between two drawings', () => {
    const { screen, rows, resize } = aTerminal(40)
    const progress = progressOn(screen)
    progress.step('Writing the backup', { total: 40_000_000 })
    progress.advance(10_000_000)
    vi.advanceTimersByTime(2_000)
    expect(rows()).toEqual(['Writing the backup  25%  0:06 left'])
    resize(24)
    expect(rows()).toHaveLength(2)
    vi.advanceTimersByTime(200)
    expect(rows()).toEqual(['Writing the backup  25%'])
    progress.end()
    expect(rows()).toEqual([''])
  })

  test('makes room for other output and comes back', () => {
    const { screen, rows } = aTerminal(80)
    const progress = progressOn(screen)
    progress.step('Copying the database', { blocks: true })
    expect(rows()).toEqual(['Copying the database  0:00'])
    progress.clear()
    expect(rows()).toEqual([''])
    vi.advanceTimersByTime(3_000)
    expect(rows()).toEqual(['Copying the database  0:03'])
    progress.end()
  })

  test('is silent where no one watches', async () => {
    for (const [isTTY, quiet] of [
      [false, false],
      [true, true],
    ] as const) {
      const { screen, written } = aTerminal(80)
      const progress = progressOn({ ...screen, isTTY }, { quiet })
      progress.step('Copying', { total: 3, blocks: true })
      const chunks: Uint8Array[] = []
      for await (const chunk of progress.counted(bytes())) chunks.push(chunk)
      vi.advanceTimersByTime(2_000)
      progress.end()
      expect([chunks.length, written()]).toEqual([1, ''])
    }
  })

  test.each([10, 20, 39, 79, 200])('never exceeds %i characters', (width) => {
    const step: Step = { what: 'Encrypting secrets with the new key', done: 7, total: 9, unit: 'values', startedMs: 0 }
    for (const one of [step, { ...step, total: null }, { ...step, unit: 'bytes' as const }]) {
      expect(progressLine(one, 7_200_000, width).length).toBeLessThanOrEqual(width)
    }
  })
})

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3)
}
