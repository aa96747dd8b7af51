/**
 * Compares the API document of a release with today's: `node scripts/release/compare-api.ts [older.json]`, by default the
 * newest of docs/api/releases. Prints what would break a client, and exits with 1 if anything would.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: unknown
}
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema }
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses?: Record<string, Content>
}
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Sentences about what a client of the older document can no longer do or rely on. */
export function breakingChanges(older: ApiDocument, newer: ApiDocument): string[] {
  return Object.entries(older.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const after = newer.paths[path]?.[method]
      const name = `${method.toUpperCase()} ${path}`
      return after ? operationChanges(name, before, after, [older, newer]) : [`${name} is gone`]
    }),
  )
}

type Documents = readonly [older: ApiDocument, newer: ApiDocument]
/** A request may not ask for more than before, an answer may not give less. */
type Direction = 'request' | 'answer'
/** `seen`: references that lead here. */
type Comparison = { documents: Documents; direction: Direction; seen?: ReadonlySet<string> }

function operationChanges(name: string, before: Operation, after: Operation, documents: Documents): string[] {
  const [were, are] = [before.parameters ?? [], after.parameters ?? []]
  const same = (a: Parameter) => (b: Parameter) => a.name === b.name && a.in === b.in
  const bodies = [schemaOf(before.requestBody), schemaOf(after.requestBody)] as const
  const inRequest = { documents, direction: 'request' } as const
  return [
    ...were.filter((one) => !are.some(same(one))).map((one) => `${name}: the parameter '${one.name}' is gone`),
    ...are
      .filter((one) => one.required && !were.find(same(one))?.required)
      .map((one) => `${name}: the parameter '${one.name}' is required now`),
    ...were.flatMap((one) => schemaChanges(`${name} ?${one.name}`, one.schema, are.find(same(one))?.schema, inRequest)),
    ...(after.requestBody?.required && !before.requestBody?.required ? [`${name}: a body is required now`] : []),
    ...schemaChanges(`${name} body`, ...bodies, inRequest),
    ...Object.entries(before.responses ?? {})
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) => {
        const now = after.responses?.[status]
        if (!now) return [`${name}: it no longer answers ${status}`]
        return schemaChanges(`${name} ${status}`, schemaOf(response), schemaOf(now), { documents, direction: 'answer' })
      }),
  ]
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return Object.values(content?.content ?? {})[0]?.schema
}

function schemaChanges(
  place: string,
  before: Schema | undefined,
  after: Schema | undefined,
  { documents, direction, seen = new Set() }: Comparison,
): string[] {
  if (!before || !after) return []
  // A schema that holds itself is compared once.
  if (before.$ref !== undefined && seen.has(before.$ref)) return []
  const inside = before.$ref === undefined ? seen : new Set([...seen, before.$ref])
  const [was, is] = [resolve(before, documents[0]), resolve(after, documents[1])]
  const [given, taken] = direction === 'request' ? [was, is] : [is, was]
  const below = (name: string, a?: Schema, b?: Schema) =>
    schemaChanges(`${place}.${name}`, a, b, { documents, direction, seen: inside })
  const lost = missing(typesOf(given), typesOf(taken))
  const values = was.enum && is.enum ? missing(given.enum ?? [], taken.enum ?? []) : []
  const [old, fresh] = [was.properties ?? {}, is.properties ?? {}]
  const required = direction === 'request' ? missing(is.required, was.required) : missing(was.required, is.required)
  return [
    ...(lost.length > 0 ? [`${place}: the type ${lost.join(', ')} is ${verb(direction)}`] : []),
    ...(values.length > 0 ? [`${place}: the value ${values.join(', ')} is ${verb(direction)}`] : []),
    ...Object.keys(old)
      .filter((key) => !fresh[key])
      .map((key) => `${place}.${key} is gone`),
    ...required
      .filter((key) => direction === 'request' || fresh[key as string])
      .map((key) => `${place}.${key} is ${direction === 'request' ? 'required now' : 'no longer always there'}`),
    ...Object.keys(old).flatMap((key) => below(key, old[key], fresh[key])),
    ...below('[]', was.items, is.items),
  ]
}

function verb(direction: Direction): string {
  return direction === 'request' ? 'no longer taken' : 'new, and clients do not expect it'
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}

function missing(from: readonly unknown[] = [], among: readonly unknown[] = []): unknown[] {
  return from.filter((one) => !among.includes(one))
}

function resolve(schema: Schema, { components }: ApiDocument): Schema {
  if (schema.$ref === undefined) return schema
  return components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')] ?? {}
}

if (import.meta.main) {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as ApiDocument
  const byVersion = new Intl.Collator('en', { numeric: true }).compare
  const older = process.argv[2] ?? globSync('docs/api/releases/*.json', { cwd: root }).sort(byVersion).at(-1)
  if (older === undefined) process.stdout.write('There is no release to compare with yet.\n')
  else {
    const changes = breakingChanges(read(older), read('docs/api/openapi.json'))
    for (const change of changes) process.stdout.write(`${change}\n`)
    process.stdout.write(`${changes.length} breaking changes since ${older}\n`)
    process.exitCode = changes.length > 0 ? 1 : 0
  }
}
