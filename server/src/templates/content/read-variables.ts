import { isRecord } from '../../lib/is-record.ts'
import { numberPlaceholders } from '../../lib/text/placeholders.ts'
import { type Context, fail, isGiven, listOf, type Raw, type TemplateVariable } from './template-types.ts'

type Part = TemplateVariable['component']
/** `field` is where it stood. */
type Described = { name: string | null; example: string | null; field: string }

/** The text with positions for names, and what is said about each of its variables. */
export function readVariables(raw: Raw, component: Part, text: string, context: Context) {
  const { place, problems } = context
  const { text: numbered, names, named } = numberPlaceholders(text)
  const described = readDescribed(raw, component, context)
  if (described.length > names.length) {
    const message = `The text has ${names.length} placeholders, ${described.length} are described.`
    fail(problems, `${place}.variables`, 'too_many_items', message)
  }
  const byName = named && described.some(({ name }) => name !== null)
  checkNames(described, byName ? names : null, context)
  const variables = names.map((name, index): TemplateVariable => {
    const found = byName ? described.find((variable) => variable.name === name) : described[index]
    return { component, position: index + 1, name: name ?? found?.name ?? null, example: found?.example ?? null }
  })
  return { text: numbered, variables }
}

/** Values are given by name, so a name has to be one variable's, and one that the text has. */
function checkNames(described: readonly Described[], known: readonly (string | null)[] | null, context: Context): void {
  for (const [index, { name, field }] of described.entries()) {
    const first = described.findIndex((other) => other.name === name)
    if (name !== null && first < index) {
      fail(
        context.problems,
        field,
        'duplicate',
        `Two variables are named ${name.slice(0, 64)}; each needs its own name.`,
      )
    } else if (known && !known.includes(name)) {
      const what = name === null ? 'Name every variable' : `The text has no variable {{${name.slice(0, 64)}}}`
      fail(context.problems, field, 'invalid_value', `${what}; it has: ${known.join(', ')}.`)
    }
  }
}

/** Names and examples, from our `variables` or from one of the platform's forms of `example`. */
function readDescribed(raw: Raw, component: Part, context: Context): Described[] {
  const { place, problems } = context
  if (!isGiven(raw.variables)) return isGiven(raw.example) ? readExample(raw.example, component, context) : []
  if (isGiven(raw.example)) {
    fail(problems, `${place}.example`, 'mutually_exclusive', 'Give `variables` or `example`, not both.')
  }
  if (!Array.isArray(raw.variables)) {
    const message = 'Give a list such as [{"name": "order_id", "example": "A-1001"}].'
    fail(problems, `${place}.variables`, 'invalid_type', message)
    return []
  }
  return raw.variables.map((variable: unknown, index) => describedOf(variable, `${place}.variables[${index}]`))
}

function readExample(example: unknown, component: Part, { place, problems }: Context): Described[] {
  const field = `${place}.example`
  const [plain, named] = [`${component}_text`, `${component}_text_named_params`]
  if (!isRecord(example)) {
    fail(problems, field, 'invalid_type', `Give \`variables\`, or {"${plain}": [["Ana", "A-1001"]]}.`)
    return []
  }
  for (const key of Object.keys(example).filter((key) => key !== plain && key !== named)) {
    const message = `There is no field '${key.slice(0, 64)}' here. Known: ${plain}, ${named}.`
    fail(problems, `${field}.${key}`, 'unknown_field', message)
  }
  const key = isGiven(example[named]) ? named : plain
  // `body_text` is a list in a list, one inner list for each sample of the whole text.
  const [first, ...rest] = listOf(example[key])
  const values = Array.isArray(first) ? first : first === undefined ? [] : [first, ...rest]
  if (!values.every((value) => typeof value === 'string' || isRecord(value))) {
    fail(problems, `${field}.${key}`, 'invalid_type', 'Give the examples as strings.')
    return []
  }
  return values.map((value) => describedOf(value, `${field}.${key}`))
}

function describedOf(raw: unknown, field: string): Described {
  if (typeof raw === 'string') return { name: null, example: blankAsNull(raw), field }
  if (!isRecord(raw)) return { name: null, example: null, field }
  return { name: blankAsNull(raw.name ?? raw.param_name), example: blankAsNull(raw.example), field }
}

function blankAsNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
