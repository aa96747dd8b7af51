/** What passes between the main thread and the SQLite threads: arrays, because they are cheap to clone. */
export type WireValue = string | number | Uint8Array | null
/** Told once, with the first request that needs it; calls name it by its place. */
export type WireStatement = { name: string; text: string; returns: boolean; required: boolean }
export type WireCall = readonly [statement: number, rows: readonly WireValue[][]]
export type WireUnit = readonly WireCall[]
export type WireError = { message: string; code: number | null }

export type OpenRequest = { open: string; role: 'writer' | 'reader' }
export type CloseRequest = { id: number; close: true }

export type WriterRequest = { id: number; learn: WireStatement[]; units: WireUnit[] }
/** Per call the rows it gave, for all its input rows in order. */
export type UnitOutcome = { results: WireValue[][][] } | { unmet: string } | { error: WireError }
export type WriterReply = { id: number; outcomes: UnitOutcome[] } | { id: number; failed: WireError }

export type ReaderRequest = { id: number; text: string; values: WireValue[] }
export type ReaderReply = { id: number; columns: string[]; rows: WireValue[][] } | { id: number; error: WireError }
