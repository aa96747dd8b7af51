import type { TableStatements } from '../schema/table-statements.ts'

/** One step of the schema, forward only. A migration that has been released is never edited: its checksum is stored. */
export type Migration = TableStatements & { readonly id: number; readonly name: string }
