import type { DatabaseSync } from 'node:sqlite'

type Index = { table: string; columns: string[]; condition: string; unique: boolean }

/** Tables and indexes of a SQLite database, for judging plans. */
export type Schema = { tables: Map<string, string[]>; indexes: Map<string, Index> }

export function readSchema(db: DatabaseSync): Schema {
  const rows = db.prepare('select type, name, tbl_name, sql from sqlite_master').all() as Record<
    string,
    string | null
  >[]
  const tables = new Map<string, string[]>()
  const indexes = new Map<string, Index>()
  for (const { type, name, tbl_name: table, sql } of rows) {
    if (!name || !table) continue
    if (type === 'table') tables.set(name, columnsOf(db, `pragma table_info("${name}")`))
    if (type !== 'index') continue
    const listed = db.prepare(`pragma index_list("${table}")`).all() as { name: string; unique: number }[]
    indexes.set(name, {
      table,
      columns: columnsOf(db, `pragma index_info("${name}")`),
      condition: /\bwhere\b([\s\S]*)$/i.exec(sql ?? '')?.[1] ?? '',
      unique: listed.find((index) => index.name === name)?.unique === 1,
    })
  }
  return { tables, indexes }
}

function columnsOf(db: DatabaseSync, pragma: string): string[] {
  return (db.prepare(pragma).all() as { name: string }[]).map(({ name }) => name)
}

/** What is wrong with the plan of a statement, one sentence each. */
export function faultsOf(db: DatabaseSync, schema: Schema, text: string): string[] {
  const plan = (db.prepare(`explain query plan ${text}`).all() as { detail: string }[]).map(({ detail }) => detail)
  const aliases = aliasesIn(text, schema)
  return plan.flatMap((step) => {
    if (step.includes('TEMP B-TREE')) return [step]
    const [, action, name = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(step) ?? []
    const table = aliases.get(name)
    // A common table expression or a list of parameters has no index, and as many rows as it was given.
    if (!table) return []
    if (action === 'SCAN') return [step]
    return action === 'SEARCH' ? unindexed(schema, text, { name, table, rest }) : []
  })
}

function aliasesIn(text: string, schema: Schema): Map<string, string> {
  const aliases = new Map<string, string>()
  for (const [, table = '', alias] of text.matchAll(/\b(?:from|join|update|into)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi)) {
    if (!schema.tables.has(table)) continue
    aliases.set(table, table)
    if (alias && !/^(where|set|join|on|order|group|limit|left|cross|union|select|values|indexed|using)$/i.test(alias))
      aliases.set(alias, table)
  }
  return aliases
}

type Search = { name: string; table: string; rest: string }

/** Predicates of a search that its index does not answer. A search by a whole unique key finds one row: nothing to filter. */
function unindexed(schema: Schema, text: string, { name, table, rest }: Search): string[] {
  const used = [...rest.matchAll(/(\w+)(=|<|>)\?/g)]
  if (rest.includes('USING INTEGER PRIMARY KEY')) return []
  const index = schema.indexes.get(/INDEX (\w+)/.exec(rest)?.[1] ?? '')
  if (!index) return rest.includes('USING PRIMARY KEY') ? [] : [`SEARCH ${name}${rest}: no index known`]
  const equal = used.filter(([, , sign]) => sign === '=').map(([, column]) => column)
  if (index.unique && index.columns.every((column) => equal.includes(column))) return []
  // Where a table is read before what it is compared with, the next column of the index goes unused.
  const next = index.columns.find((column) => !used.some(([, own]) => own === column))
  const unused =
    next && isCompared(text, name, next) ? [`SEARCH ${name}${rest}: ${next} is compared, not looked up`] : []
  const known = [...index.columns, ...(index.condition.match(/\w+/g) ?? [])]
  const missing = predicatesOn(text, name, schema.tables.get(table) ?? []).filter((column) => !known.includes(column))
  return [...unused, ...missing.map((column) => `SEARCH ${name}${rest}: ${column} is not in the index`)]
}

/** With one value of another table or of a list. */
function isCompared(text: string, name: string, column: string): boolean {
  return new RegExp(`\\b(on|where|and)\\s+${name}\\.${column} = \\w+\\.\\w+`).test(text)
}

/** Columns of one relation that conditions of the statement compare. */
function predicatesOn(text: string, name: string, columns: readonly string[]): string[] {
  const conditions = [
    ...text.matchAll(/\b(?:where|on)\b([\s\S]*?)(?=\b(?:order by|group by|limit|returning|union|update)\b|$)/gi),
  ]
  const found = new Set<string>()
  for (const [, condition = ''] of conditions) {
    for (const [, owner, column = ''] of condition.matchAll(
      /(?:(\w+)\.)?(\w+)\s*(?:=|<>|<=|>=|<|>|\bin\b(?! \(select)|\bis\b|\bnot in\b|\blike\b)/gi,
    )) {
      if (columns.includes(column) && (owner === undefined || owner === name)) found.add(column)
    }
  }
  return [...found]
}
