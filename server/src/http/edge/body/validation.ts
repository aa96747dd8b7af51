import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaValidationError } from 'fastify'
import { summarise, validationFailed } from '../../../contract/app-error.ts'
import type { FieldCode, FieldLocation, FieldProblem, ProblemHint } from '../../../contract/schema.ts'
import { parseRecipient } from '../../../lib/phone.ts'
import { type AjvError, fieldSentence, isAbsentBody } from '../../field-sentence.ts'
import { withAdvice } from '../../foreign-request.ts'

const common = {
  removeAdditional: false,
  allErrors: true,
  discriminator: true,
  useDefaults: true,
  // The schemas are ours: checking them against the one of JSON Schema took 150 ms of the first request.
  validateSchema: false,
  // Gives error messages the schema they came from, and with it our own hints.
  verbose: true,
  keywords: ['x-problem', 'x-secret', 'x-scope', 'x-described-by'],
}

// Kept for all apps of the process: an app is made in a tenth of the time when another has the same named schemas.
const compilerOf = AjvCompiler()
const compilers = new Map<string, ReturnType<typeof compilerOf>>()
const namesOf = new WeakMap<object, string>()
const compiled = new WeakMap<ReturnType<typeof compilerOf>, Map<string, Validate>>()

/**
 * Two validators: bodies are taken literally, because `"5"` for a number is a caller's mistake; everything in the URL is
 * text, so queries and parameters are converted.
 */
export function buildValidator(named: Parameters<typeof compilerOf>[0], _options: unknown) {
  // A name belongs to one schema. The texts of all of them, by which AjvCompiler would tell, take milliseconds to write; the
  // names take less, but this is called for every route.
  const schemas = named as object
  const names = namesOf.get(schemas) ?? Object.keys(schemas).join()
  namesOf.set(schemas, names)
  const compilerFor = (coerceTypes: false | 'array') => {
    const key = `${coerceTypes} ${names}`
    const compile = compilers.get(key) ?? compilerOf(named, { customOptions: { ...common, coerceTypes } })
    compilers.set(key, compile)
    return compile
  }
  return (route: { httpPart?: string; schema: unknown }) =>
    atFirstUse(() => {
      const compile = compilerFor(route.httpPart === 'body' ? false : 'array')
      const known = compiled.get(compile) ?? new Map<string, Validate>()
      compiled.set(compile, known)
      const text = JSON.stringify(route.schema)
      const validate = known.get(text) ?? compile(route)
      known.set(text, validate)
      return validate
    })
}

type Validate = ((data: unknown) => unknown) & { errors?: unknown }

/** Compiling every schema costs a second at start, and most routes of a day are few. */
function atFirstUse(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  const validate: Validate = (data) => {
    compiled ??= compile()
    const valid = compiled(data)
    validate.errors = compiled.errors
    return valid
  }
  return validate
}

const locations: Record<string, FieldLocation> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
}

/** Everything that is wrong with a request at once, in our words. */
export function toValidationError(
  errors: FastifySchemaValidationError[],
  httpPart: string,
  advice: string | null = null,
) {
  const location = locations[httpPart] ?? 'body'
  const causes = leaves(errors as AjvError[])
  const problems = withoutRepeats(causes.map((error) => toProblem(error, location)))
  // Told by the place, not by the name: sends and templates have a field that is called body too.
  const isWhole = causes.every((error) => fieldOf(error) === '')
  const summary = isWhole && problems[0] ? problems[0].message : summarise(problems)
  return validationFailed(problems, withAdvice(summary, advice))
}

/** Refuses what a route with this schema of its body would refuse: for those who call a verb without one. */
export function requireBody(schema: object, body: object): void {
  const validate = buildValidator({}, {})({ httpPart: 'body', schema })
  if (!validate(body)) throw toValidationError(validate.errors as FastifySchemaValidationError[], 'body')
}

/** Stands for a field where the body as a whole is wrong. */
const wholeBody = 'body'

/** Drops the frames around the real causes: a failed `anyOf`, "must be null" beside a better reason, and other forms. */
function leaves(errors: AjvError[]): AjvError[] {
  const causes = errors.filter(({ keyword }) => !['anyOf', 'oneOf', 'if', 'not'].includes(keyword))
  const useful = causes.filter((error) => !(isNullBranch(error) && causes.some((other) => isSibling(error, other))))
  return useful.length > 0 ? ofNearestForms(useful) : errors
}

/** Of several forms a value may have, the one that it misses by the least was meant; the first of equals. */
function ofNearestForms(causes: AjvError[]): AjvError[] {
  const formOf = ({ schemaPath }: AjvError) => /^(.*\/anyOf)\/\d+(?=\/)/.exec(schemaPath)
  const counts = new Map<string, Map<string, number>>()
  for (const cause of causes) {
    const [form, forms] = formOf(cause) ?? []
    if (form === undefined || forms === undefined) continue
    const known = counts.get(forms) ?? new Map<string, number>()
    counts.set(forms, known.set(form, (known.get(form) ?? 0) + 1))
  }
  const nearest = [...counts.values()].map((forms) => [...forms].reduce((a, b) => (b[1] < a[1] ? b : a))[0])
  return causes.filter((cause) => nearest.includes(formOf(cause)?.[0] ?? '') || !formOf(cause))
}

const isNullBranch = (error: AjvError): boolean => error.keyword === 'type' && error.params.type === 'null'
const isSibling = (error: AjvError, other: AjvError): boolean =>
  other !== error && !isNullBranch(other) && other.instancePath.startsWith(error.instancePath)

function toProblem(error: AjvError, location: FieldLocation): FieldProblem {
  const field = fieldOf(error) || wholeBody
  const hint = error.parentSchema?.['x-problem']
  const hinted = hint && !unhinted.includes(error.keyword) && (hint.keywords?.includes(error.keyword) ?? true)
  const problem: FieldProblem = {
    field,
    location,
    code: hinted ? hint.code : codeOf(error),
    message: hinted ? hintedSentence(hint, error, location) : fieldSentence(error),
  }
  const received = shortValue(error)
  return received === undefined ? problem : { ...problem, received }
}

const unhinted = ['required', 'additionalProperties', 'type']

/** The message for a phone number depends on the number; all other errors have one message. */
function hintedSentence(hint: ProblemHint, { data }: AjvError, location: FieldLocation): string {
  if (location === 'query' && typeof data === 'string' && lostPlus.test(data)) return 'Write + as %2B in a URL.'
  if (hint.code !== 'invalid_phone_number' || typeof data !== 'string') return hint.message
  const parsed = parseRecipient(data)
  return parsed.ok ? hint.message : parsed.message
}

/** A plain + in a query is a space: one before a number, or before the offset of a time. */
const lostPlus = /^ +\d|^[\d-]+T[\d:.]+ \d\d:\d\d$/i

function codeOf(error: AjvError): FieldCode {
  return isAbsentBody(error) ? 'required' : (codes[error.keyword] ?? 'invalid_value')
}

const codes: Record<string, FieldCode> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'invalid_type',
  pattern: 'invalid_format',
  minLength: 'too_short',
  minItems: 'too_short',
  minProperties: 'required',
  maxLength: 'too_long',
  maxItems: 'too_many_items',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  uniqueItems: 'duplicate',
}

function fieldOf({ instancePath, keyword, params }: AjvError): string {
  const own =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : null
  const tag = keyword === 'discriminator' ? params.tag : null
  const parts = [...instancePath.split('/').slice(1).map(unescapePointer), own ?? tag].filter((part) => part !== null)
  return parts.reduce<string>((path, part) => {
    const name = String(part)
    if (/^\d+$/.test(name) && path !== '') return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }, '')
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

const shownMax = 64

/** Short values help to see the mistake; values that may be secret, or a customer's text, are never repeated. */
function shortValue({ keyword, data, parentSchema }: AjvError): string | undefined {
  if (keyword === 'required' || keyword === 'additionalProperties' || parentSchema?.['x-secret']) return undefined
  if (typeof data === 'number' || typeof data === 'boolean') return String(data)
  return typeof data === 'string' && data.length <= shownMax ? data : undefined
}

function withoutRepeats(problems: FieldProblem[]): FieldProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ field, code }) => {
    const key = `${field}\n${code}`
    return seen.has(key) ? false : seen.add(key)
  })
}

type Schemas = Readonly<Record<string, unknown>>

/**
 * The named schemas of an app. Fastify asks for all of them twice for every route, and its own bucket copies them each time,
 * a tenth of the processor time of a start. Here all get the same object until another schema is added.
 */
export function schemaBucket(parent: unknown = {}) {
  let schemas: Schemas = parent as Schemas
  let added: Record<string, unknown> | null = null
  return {
    add(schema: unknown): never {
      const { $id } = schema as { $id: string }
      added ??= { ...schemas }
      added[$id] = schema
      return undefined as never
    },
    getSchema: ($id: string): unknown => (added ?? schemas)[$id],
    getSchemas(): Record<string, unknown> {
      if (added) [schemas, added] = [added, null]
      return schemas
    },
  }
}
