import { isRecord } from '../lib/is-record.ts'

/** Components of a send with `{{column}}` or `{{column|instead}}` in any text, link or payload. */
export type Pattern = {
  /** The columns it names, in their order; `instead` is true where each use says what stands there when a cell is empty. */
  columns: readonly { name: string; optional: boolean }[]
  /** The components for one recipient; an empty cell takes what stands behind its `|`. */
  fill(cellOf: (column: string) => string | undefined): unknown
}

const placeholder = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

export function compilePattern(components: unknown): Pattern {
  const columns = new Map<string, { name: string; optional: boolean }>()
  const note = (text: string) => {
    for (const [, column = '', instead] of text.matchAll(placeholder)) {
      const name = column.trim()
      const optional = (columns.get(name)?.optional ?? true) && Boolean(instead)
      columns.set(name, { name, optional })
    }
  }
  const fillOf = compile(components, note)
  return { columns: [...columns.values()], fill: fillOf }
}

type Fill = (cellOf: (column: string) => string | undefined) => unknown

function compile(part: unknown, note: (text: string) => void): Fill {
  if (typeof part === 'string') return compileText(part, note)
  if (Array.isArray(part)) {
    const fills = part.map((one) => compile(one, note))
    return (cellOf) => fills.map((fill) => fill(cellOf))
  }
  if (!isRecord(part)) return () => part
  const fills = Object.entries(part).map(([name, value]) => [name, compile(value, note)] as const)
  return (cellOf) => Object.fromEntries(fills.map(([name, fill]) => [name, fill(cellOf)]))
}

function compileText(text: string, note: (text: string) => void): Fill {
  if (!text.includes('{{')) return () => text
  note(text)
  return (cellOf) =>
    text.replace(placeholder, (_, column: string, instead: string | undefined) => {
      const cell = cellOf(column.trim())
      return cell === undefined || cell.trim() === '' ? (instead ?? '') : cell
    })
}
