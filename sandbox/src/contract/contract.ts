import { readdirSync, readFileSync } from 'node:fs'
import { type Difference, differences, type Shape, type Types } from './shape.ts'

type Source = { name: string; source: string; read: string; types?: Types }

/** One call as Meta documents it. `probe` is the query of a call that changes nothing and may be made at any time. */
export type CallContract = Source & { call: string; request?: Shape; answer: Shape; probe?: string }
export type CallbackContract = Source & { callback: string; value: Shape }

const FOLDER = new URL('../../contract/', import.meta.url)

const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: file.replace('.json', ''), ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) }))

export const callContracts: CallContract[] = files.filter((file) => 'call' in file)
export const callbackContracts: CallbackContract[] = files.filter((file) => 'callback' in file)

/** What a node is, by its id: `phone_number`, `waba`, `app`, `template` or `media`. */
export type KindOf = (id: string) => string | undefined

/** `POST /v26.0/1065…/messages` is the call `POST /{phone_number}/messages`. */
export function nameOfCall(method: string, path: string, kindOf: KindOf): string {
  const [first = '', ...edge] = path
    .replace(/^\/v\d+\.\d+(?=\/)/, '')
    .split('/')
    .slice(1)
  const kind = first.startsWith('upload:') ? 'upload' : kindOf(decodeURIComponent(first))
  return `${method} /${[kind === undefined ? first : `{${kind}}`, ...edge].join('/')}`
}

export type Exchange = { call: string; status: number; request: unknown; answer: unknown }

/** Where one exchange is not as documented, or null when no document speaks of the call. */
export function checkExchange({ call, status, request, answer }: Exchange): Difference[] | null {
  const known = callContracts.filter((contract) => contract.call === call)
  if (known.length === 0) return null
  if (status >= 400) {
    const [error] = callContracts.filter((contract) => contract.call === '*')
    return error === undefined ? null : named('answer', differences(error.answer, answer, error.types))
  }
  return fewest(
    known.map((contract) => [
      ...(contract.request === undefined
        ? []
        : named('request', differences(contract.request, request ?? {}, contract.types))),
      ...named('answer', differences(contract.answer, answer, contract.types)),
    ]),
  )
}

/** Where the body of a callback is not as documented; a field of which no document speaks is one difference. */
export function checkCallback(body: unknown): Difference[] {
  const [envelope] = callbackContracts.filter((contract) => contract.callback === '*')
  const found = envelope === undefined ? [] : differences(envelope.value, body)
  if (found.length > 0) return found
  const { entry } = body as { entry: { changes: { field: string; value: unknown }[] }[] }
  return entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, value }) => {
      const known = callbackContracts.filter((contract) => contract.callback === field)
      if (known.length === 0) return [{ at: field, expected: 'nothing', found: 'object' }]
      return named(field, fewest(known.map((contract) => differences(contract.value, value, contract.types))))
    })
}

function named(part: string, found: Difference[]): Difference[] {
  return found.map((one) => ({ ...one, at: one.at === '' ? part : `${part}.${one.at}` }))
}

/** One call may have several documents, such as a send and a read receipt: the nearest one speaks. */
function fewest(alternatives: Difference[][]): Difference[] {
  return alternatives.reduce((best, one) => (one.length < best.length ? one : best))
}
