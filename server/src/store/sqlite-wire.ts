/** What passes between the main thread and the SQLite threads: arrays, because they are cheap to clone. */
export type WireValue = string | number | Uint8Array | null
export type WireFlags = { readonly name: string; readonly returns: boolean; readonly required: boolean }
export type WireCall = readonly [text: string, rows: readonly WireValue[][], flags: WireFlags]
export type WireUnit = readonly WireCall[]
export type WireError = { message: string; code: number | null }

export type WriterRequest = { id: number; units: WireUnit[] } | { close: true }
export type UnitOutcome = { results: WireValue[][][][] } | { unmet: string } | { error: WireError }
export type WriterReply = { id: number; outcomes: UnitOutcome[] } | { id: number; failed: WireError }

export type ReaderRequest = { id: number; text: string; values: WireValue[] } | { close: true }
export type ReaderReply = { id: number; rows: Record<string, WireValue>[] } | { id: number; error: WireError }
