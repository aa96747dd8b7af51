import { readdirSync, readFileSync } from 'node:fs'
import { below, type Check, compile, type Difference, type Shape, type Types } from './shape.ts'

/** `source` is Meta's page and `date` its state when it was read; `note` tells what no page says. */
type Source = { file: string; source: string; date: string; note?: string }

/** One call as Meta documents it. `probe` is the query of a call that changes nothing and may be made at any time. */
export type CallContract = Source & { call: string; request: Shape; answer: Shape; probe?: string }

/** The value of one field, or with `list` and `kind` one item of a list in it: a message by its type. */
export type CallbackContract = Source & { callback: string; value: Shape; list?: string; kind?: string }

/** A difference, and the file of the contract that it departs from. */
export type Violation = Difference & { file: string }

const FOLDER = new URL('../../contract/', import.meta.url)

const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) }))

/** Shapes that several files use. */
export const sharedTypes: Types = files.find(({ file }) => file === 'types.json')?.types ?? {}

export const callContracts: CallContract[] = files.filter((file) => 'call' in file)
export const callbackContracts: CallbackContract[] = files.filter((file) => 'callback' in file)

const checks = new WeakMap<object, Check>()

function differences(shape: Shape, owner: object, value: unknown, asked?: ReadonlySet<string>): Difference[] {
  const check = checks.get(owner) ?? compile(shape, sharedTypes)
  checks.set(owner, check)
  return check(value, asked) ?? []
}

const callsByName = Map.groupBy(callContracts, ({ call }) => call)
/** What owns a compiled shape: a contract of a call has two, and its answer belongs to the contract itself. */
const requestOwners = new Map(callContracts.map((contract) => [contract, {}]))

export type Exchange = { call: string; status: number; request: unknown; answer: unknown }

/** Where one exchange is not as documented, or null when no document speaks of the call. */
export function checkExchange({ call, status, request, answer }: Exchange): Violation[] | null {
  const known = callsByName.get(call)
  if (status >= 400) return fewest((callsByName.get('*') ?? []).map((error) => answerOf(error, answer)))
  if (known === undefined) return null
  return fewest(
    known.map((contract) => {
      const found = differences(contract.request, requestOwners.get(contract) ?? contract, request ?? {})
      const fields = (request as { fields?: unknown } | null)?.fields
      const asked = call.startsWith('GET ') && typeof fields === 'string' ? namesIn(fields) : undefined
      return [...violations(contract, 'request', found), ...answerOf(contract, answer, asked)]
    }),
  )
}

function answerOf(contract: CallContract, answer: unknown, asked?: ReadonlySet<string>): Violation[] {
  return violations(contract, 'answer', differences(contract.answer, contract, answer, asked))
}

/** `id,health_status{entities},analytics.start(1).end(2)` names three fields. */
function namesIn(fields: string): ReadonlySet<string> {
  const bare = fields.replace(/\{[^}]*\}|\.[a-z_]+\([^)]*\)/g, '')
  return new Set(bare.split(',').map((name) => name.trim()))
}

const callbacksByField = Map.groupBy(callbackContracts, ({ callback }) => callback)

/** Where the body of a callback is not as documented; a field or a kind of which no document speaks is one violation. */
export function checkCallback(body: unknown): Violation[] {
  const [envelope] = callbacksByField.get('*') ?? []
  if (envelope === undefined) return []
  const found = violations(envelope, '', differences(envelope.value, envelope, body))
  if (found.length > 0) return found
  const { entry } = body as { entry: { changes: { field: string; value: Record<string, unknown> }[] }[] }
  return entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, value }) => {
      const known = callbacksByField.get(field) ?? []
      const [whole] = known.filter(({ list }) => list === undefined)
      if (whole === undefined)
        return [{ file: envelope.file, at: field, expected: 'a recorded field', found: 'another' }]
      const outer = violations(whole, field, differences(whole.value, whole, value))
      const items = known.filter(({ list }) => list !== undefined)
      const lists = new Set(items.map(({ list }) => list as string))
      return [...outer, ...[...lists].flatMap((list) => checkItems(whole, items, list, value[list]))]
    })
}

/** What tells the kinds of a list apart. */
const KIND_MEMBERS: Record<string, string> = { messages: 'type', statuses: 'status', calls: 'event' }

/** Each item of a list by the file of its kind; a file without a kind speaks for all of them. */
function checkItems(whole: CallbackContract, known: CallbackContract[], list: string, items: unknown): Violation[] {
  if (!Array.isArray(items)) return []
  const own = known.filter((contract) => contract.list === list)
  return items.flatMap((item) => {
    const kind: unknown = item?.[KIND_MEMBERS[list] ?? '']
    const contract = own.find((one) => one.kind === kind) ?? own.find((one) => one.kind === undefined)
    const place = `${list}[]`
    if (contract === undefined) {
      return [
        { file: whole.file, at: `${place}.${KIND_MEMBERS[list]}`, expected: 'a recorded kind', found: `'${kind}'` },
      ]
    }
    return violations(contract, place, differences(contract.value, contract, item))
  })
}

function violations({ file }: Source, place: string, found: Difference[]): Violation[] {
  return (place === '' ? found : below(place, found)).map((one) => ({ file, ...one }))
}

/** One call may have several documents, such as a send and a read receipt: the nearest one speaks. */
function fewest(alternatives: Violation[][]): Violation[] {
  return alternatives.reduce((best, one) => (one.length < best.length ? one : best))
}

/** One violation as a sentence for the person who caused it. */
export function describeViolation({ file, at, expected, found }: Violation): string {
  const place = `sandbox/contract/${file}`
  if (expected === 'nothing') return `${place} knows no field ${at}, and a ${found} is there.`
  if (found === 'nothing') return `${place} says that ${at} is always there (${expected}), and it is missing.`
  return `${place} says that ${at} is ${expected}, and it is ${found}.`
}
