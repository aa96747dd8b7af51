/**
 * What passes between the main thread and the SQLite threads. Units and their results are one flat array each, filled value by
 * value. Arrays that `map` made may have holes, and are cloned one by one as objects with numbers for names.
 */
export type WireValue = string | number | Uint8Array | null
/** Told once, with the first request that needs it; calls name it by its place. How many values a row of it has, in and out. */
export type WireStatement = {
  name: string
  text: string
  parameters: number
  columns: number
  required: boolean
  onlyChecks: boolean
  /** Others are woken by it, and want to know whether it changed anything. */
  wakes: boolean
}
export type WireError = { message: string; code: number | null }

export type OpenRequest = { open: string; role: 'writer' | 'reader' }
export type CloseRequest = { id: number; close: true }

/** Each unit as its length, then its calls: the place of the statement, the number of rows, the values of the rows. */
export type WriterRequest = { id: number; learn: WireStatement[]; units: WireValue[] }
/** For each unit the number of rows it gave, then these: the number of the call within the unit, and the values. */
export type WriterResults = {
  results: WireValue[]
  failures: WireFailure[]
  /** Places of the statements that wake others, and changed nothing. */
  idle: number[]
}
/** A unit that was undone alone, by its number within the batch. */
export type WireFailure = { unit: number } & ({ unmet: string } | { error: WireError })
export type WriterReply = ({ id: number } & WriterResults) | { id: number; failed: WireError }

/** Asks for a step of shrinking the file, see sqlite-shrink.ts; the only result is how many pages are left. */
export type ShrinkRequest = { id: number; shrink: true }

export type ReaderRequest = { id: number; text: string; values: WireValue[] }
/** Asks for zeros in what the pages from `from` on leave unused, see sqlite-remains.ts. */
export type ZeroRequest = { id: number; zero: { file: number; from: number } }
export type ReaderReply = { id: number; columns: string[]; rows: WireValue[][] } | { id: number; error: WireError }
