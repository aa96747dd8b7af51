import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

/** A workspace of its own, because the generator needs the compiler API that TypeScript had up to 5.9. */
const workspace = createRequire(resolve(import.meta.dirname, '../../tools/api/package.json'))

type Generator = {
  default(document: object, options: { silent: boolean }): Promise<object[]>
  astToString(types: object[]): string
}
type Schema = { properties?: Record<string, unknown>; required?: string[]; description?: string; allOf?: object[] }
type Schemas = Record<string, Schema>

/** TypeScript types of an OpenAPI document. `source` is named in the first line of the result. */
export async function apiTypes(document: string, source: string, parts: { paths: boolean }): Promise<string> {
  const generator = workspace('openapi-typescript') as Generator
  const api = JSON.parse(document, parts.paths ? withoutExamples : inOneLine) as {
    components: { schemas: Schemas }
  }
  api.components.schemas = composed(api.components.schemas)
  const types = withoutFiller(generator.astToString(await generator.default(api, { silent: true })))
  const wanted = parts.paths ? types : withoutPaths(types)
  return `// Generated from ${source} by scripts/generate.ts: change the schemas of the server.\n\n${shapes}\n${wanted}`
}

/** What almost every body is, named once instead of written out at each operation. */
const shapes = `type Json<Body> = { content: { "application/json": Body } };
type Answer<Data> = Json<{ success: true; data: Data }>;
`

/**
 * A comment is one line: an example and the format of a field end its description. The reference shows whole bodies; above a
 * type they would be a fifth of the file.
 */
function inOneLine(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { example, examples, format, ...rest } = value as Record<string, unknown>
  if ('schema' in rest && example !== undefined) return rest
  if (typeof rest.description !== 'string') return value
  const shown = Array.isArray(examples) ? examples[0] : undefined
  const told = ['string', 'number'].includes(typeof shown) ? ` Example: \`${shown}\`` : ''
  const kind = typeof format === 'string' ? ` (${format})` : ''
  return { ...rest, description: `${rest.description}${kind}${told}` }
}

/** The types of the console are read by those who have its document. */
function withoutExamples(key: string, value: unknown): unknown {
  return key === 'examples' && Array.isArray(value) ? undefined : inOneLine(key, value)
}

/** Fewer may be the same by chance. */
const sharedMin = 8

/**
 * A schema that has all fields of another is that one and its own fields. The document writes each out, because an object
 * that refuses what it does not know cannot be composed; a type can.
 */
export function composed(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]) => {
        const [base] = Object.entries(schemas)
          .filter(([other, part]) => other !== name && contains(schema, part))
          .sort(([, one], [, other]) => fieldsOf(other).length - fieldsOf(one).length)
        return [name, base ? { ...withoutFields(schema, base[1]), base: base[0] } : schema] as const
      })
      .map(([name, schema]) => [name, 'base' in schema ? onTopOf(schema) : schema]),
  )
}

function onTopOf({ base, description, ...own }: Schema & { base: string }): Schema {
  return { ...(description ? { description } : {}), allOf: [{ $ref: `#/components/schemas/${base}` }, own] }
}

/** Fewer fields, of the same kind and as often present: two that are equal would each be made of the other. */
function contains(schema: Schema, part: Schema): boolean {
  const names = fieldsOf(part)
  if (names.length < sharedMin || names.length >= fieldsOf(schema).length) return false
  return names.every(
    (name) =>
      isDeepStrictEqual(schema.properties?.[name], part.properties?.[name]) &&
      schema.required?.includes(name) === part.required?.includes(name),
  )
}

function withoutFields(schema: Schema, part: Schema): Schema {
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => !(name in (part.properties ?? {})))
  const required = schema.required?.filter((name) => !(name in (part.properties ?? {})))
  return { ...schema, properties: Object.fromEntries(own), ...(required ? { required } : {}) }
}

const fieldsOf = ({ properties = {} }: Schema) => Object.keys(properties)

/** What says of a part that it is not there, of every response what its data say, and of every operation how it fails. */
function withoutFiller(types: string): string {
  return (
    types
      .replace(
        /^ *(?:query|header|path|cookie|parameters|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm,
        '',
      )
      .replace(/^ *parameters: \{\s*\};\n/gm, '')
      .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
      .replace(/^ *(?:[45]\d\d): components\["responses"\]\["\w+"\];\n/gm, '')
      .replace(/^ {4}responses: \{\n(?: {5}.*\n)*? {4}\};\n/gm, '')
      // The values of an enumeration are its type.
      .replace(/^ *\* @enum \{\w+\}\n/gm, '')
      .replace(/^( *\/\*\*)\n *\*( .*)\n *\*\/\n/gm, '$1$2 */\n')
      // Above its tags an editor shows the text of a comment.
      .replace(/^( *\/?\*\*?) @description /gm, '$1 ')
      .replace(/^( *\/\*\*)\n *\* (.*?)\.?\n *\* (.*)\n *\*\/\n/gm, '$1 $2. $3 */\n')
      .replace(/^ *\/\*\* Always true; false in an error\. \*\/\n/gm, '')
      .replace(/^ *\/\*\* .* \*\/\n(?= *2\d\d: )/gm, '')
      .replace(namedShape(String.raw`\{\n *success: true;\n *data: (.*)(?<!\{);\n *\}`), '$1Answer<$2>;')
      .replace(namedShape('(.*)(?<![{|])'), '$1Json<$2>;')
      .replace(/^( *responses: \{)\n *(2\d\d: .*;)\n *\};$/gm, '$1 $2 };')
  )
}

/** `200: {` or `requestBody: {` with one JSON body of this form. */
function namedShape(body: string): RegExp {
  return new RegExp(
    String.raw`^( *(?:2\d\d|requestBody\??): )\{\n *content: \{\n *"application/json": ${body};\n *\};\n *\};$`,
    'gm',
  )
}

/** The SDK names operations, not paths; without them its types are a fifth shorter. */
function withoutPaths(types: string): string {
  return types.replace(/^export interface paths \{[\s\S]*?^\}\n/m, '')
}
