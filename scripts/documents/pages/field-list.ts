import {
  alternativesOf,
  resolveSchema,
  type Schema,
  type Schemas,
  schemaName,
  typesOf,
} from '../../../server/src/http/docs/document.ts'
import { escapeHtml } from '../../../server/src/http/page.ts'
import { inline } from './html.ts'

type Field = { name: string; schema: Schema; required: boolean }

/** Every field of a schema with its type, limits and meaning; fields of nested objects are indented below theirs. */
export function fieldList(given: Schema, schemas: Schemas, id: string): string {
  const fields = fieldsOf(given, schemas)
  if (fields.length === 0) return ''
  return `<dl class="fields">${fields.map((field) => fieldEntry(field, schemas, id)).join('')}</dl>`
}

function fieldsOf(given: Schema, schemas: Schemas): Field[] {
  const { properties = {}, required = [] } = resolveSchema(given, schemas)
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))
}

function fieldEntry({ name, schema, required }: Field, schemas: Schemas, parent: string): string {
  const id = `${parent}.${name}`
  const resolved = resolveSchema(schema, schemas)
  const needed = required ? '<span class="required">required</span>' : '<span class="optional">optional</span>'
  const facts = [typeText(schema, schemas), ...limitsOf(resolved)].map(inline).join(' · ')
  return `<dt id="${escapeHtml(id)}"><a class="field" href="#${escapeHtml(id)}"><code>${escapeHtml(name)}</code></a>
    ${needed} <span class="type">${facts}</span></dt>
    <dd><p>${inline(schema.description ?? resolved.description ?? '')}</p>${valuesOf(resolved)}${below(schema, schemas, id)}</dd>`
}

/** The fields below a field: of an object, of the entries of a list, or of each form the value may have. */
function below(schema: Schema, schemas: Schemas, id: string): string {
  const resolved = resolveSchema(schema, schemas)
  if (resolved.items) return below(resolved.items, schemas, `${id}[]`)
  const all = alternativesOf(resolved)
  if (all.length === 1 && all[0]) return below(all[0], schemas, id)
  const forms = all.filter((form) => fieldsOf(form, schemas).length > 0)
  if (forms.length > 1) {
    return forms
      .map((form, index) => `<p class="form">Form ${index + 1}</p>${fieldList(form, schemas, `${id}.${index + 1}`)}`)
      .join('')
  }
  return fieldList(forms[0] ?? resolved, schemas, id)
}

/** The type in words: `string`, `list of Button`, `object or null`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const words = [...new Set(baseTypes(schema, schemas))]
  return [...words, ...(isNullable(resolveSchema(schema, schemas)) ? ['null'] : [])].join(' or ')
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf ?? []).some(({ type }) => type === 'null')
}

function baseTypes(schema: Schema, schemas: Schemas): string[] {
  if (schema.$ref) return [schemaName(schema.$ref)]
  if (schema.items) return [`list of ${typeText(schema.items, schemas)}`]
  const forms = alternativesOf(schema)
  if (forms.length > 0) return forms.flatMap((form) => baseTypes(form, schemas))
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.length === 0) return [schema.type === 'null' ? 'null' : 'any value']
  return types.map((type) => (schema.format ? `${type} (${schema.format})` : type))
}

function limitsOf(schema: Schema): string[] {
  const limits: string[] = []
  const range = (unit: string, low?: number, high?: number) => {
    if (low !== undefined && high !== undefined) limits.push(`${number(low)} to ${number(high)}${unit}`)
    else if (high !== undefined) limits.push(`at most ${number(high)}${unit}`)
    else if (low !== undefined) limits.push(`at least ${number(low)}${unit}`)
  }
  range(' characters', schema.minLength, schema.maxLength)
  range('', schema.minimum, schema.maximum)
  range(' entries', schema.minItems, schema.maxItems)
  if (schema.uniqueItems) limits.push('no repeats')
  if (schema.default !== undefined) limits.push(`default \`${JSON.stringify(schema.default)}\``)
  return limits
}

const number = (value: number) => value.toLocaleString('en-US')

function valuesOf(schema: Schema): string {
  const one = alternativesOf(schema)[0]
  const values = schema.enum ?? one?.enum ?? schema.items?.enum
  if (!values || values.length < 2) return ''
  return `<p class="values">One of ${values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')}.</p>`
}
