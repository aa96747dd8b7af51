/**
 * Compares the API documents of this tree with those of a commit by what they say: references resolved, `allOf` merged,
 * keys sorted. `node scripts/release/same-api.ts [commit]`; HEAD unless given. Lists what differs, and fails if anything does.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const documents = ['docs/api/openapi.json', 'docs/api/console.json']
const shownMax = 40

/** The same document for all ways to write it. */
export function plainForm(document: JsonObject): JsonObject {
  const inFull = (value: Json, inside: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((item) => inFull(item, inside))
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...beside } = value
    if (typeof $ref === 'string') {
      // A schema inside itself stays a reference.
      if (inside.includes($ref)) return { $ref }
      return inFull({ ...(lookUp(document, $ref) as JsonObject), ...beside }, [...inside, $ref])
    }
    const entries = Object.entries(value).map(([key, item]) => [key, inFull(item, inside)] as const)
    return merged(Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))))
  }
  return inFull(document, []) as JsonObject
}

function lookUp(document: JsonObject, reference: string): Json {
  const path = reference.replace(/^#\//, '').split('/')
  return path.reduce<Json>((value, key) => (value as JsonObject)[key] ?? null, document)
}

function merged(schema: JsonObject): JsonObject {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || !allOf.every(isObjectSchema)) return schema
  const parts = [...allOf, own] as JsonObject[]
  const fields = parts.map(({ properties }) => (properties ?? {}) as JsonObject)
  const required = parts.flatMap((part) => (part.required ?? []) as string[])
  const rest = Object.assign({}, ...parts) as JsonObject
  return sorted({ ...rest, properties: sorted(Object.assign({}, ...fields)), required: [...new Set(required)].sort() })
}

const isObjectSchema = (part: Json) => part !== null && typeof part === 'object' && 'properties' in part
const sorted = (value: JsonObject) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Where two documents differ, as paths of keys. */
export function differences(one: Json, other: Json, at = ''): string[] {
  if (isBranch(one) && isBranch(other) && Array.isArray(one) === Array.isArray(other)) {
    const [left, right] = [one as JsonObject, other as JsonObject]
    const keys = new Set([...Object.keys(left), ...Object.keys(right)])
    return [...keys].flatMap((key) => differences(left[key] ?? null, right[key] ?? null, `${at}/${key}`))
  }
  return one === other ? [] : [at]
}

const isBranch = (value: Json) => value !== null && typeof value === 'object'

if (import.meta.main) {
  const [commit = 'HEAD'] = process.argv.slice(2)
  const found = documents.flatMap((file) => {
    const before = execFileSync('git', ['show', `${commit}:${file}`], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    const now = readFileSync(join(root, file), 'utf8')
    return differences(plainForm(JSON.parse(before)), plainForm(JSON.parse(now)), file)
  })
  for (const place of found.slice(0, shownMax)) process.stdout.write(`${place}\n`)
  process.stdout.write(
    found.length === 0 ? `says the same as ${commit}\n` : `${found.length} differences from ${commit}\n`,
  )
  process.exitCode = found.length === 0 ? 0 : 1
}
