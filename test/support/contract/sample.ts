import { sharedTypes } from '../../../sandbox/src/contract/contract.ts'
import type { Shape } from '../../../sandbox/src/contract/shape.ts'

/** Every member of a shape, or those alone that are always there. */
export type Members = 'all' | 'required'

/** A person is named by a phone number or by a user id, each of which may be missing; here the number never is. */
const person = new Set(['from', 'to', 'wa_id', 'recipient_id'])

/** A value as the contract describes it. Texts are digits, so that they pass as ids and times too. */
export function sampleOf(shape: Shape, members: Members): unknown {
  if (typeof shape === 'string') return sampleOfWord(shape, members)
  if (Array.isArray(shape)) return [sampleOf(shape[0], members)]
  const value: Record<string, unknown> = {}
  for (const [written, part] of Object.entries(shape)) {
    const name = written.replace(/[?*]$/, '')
    if (written === '...') Object.assign(value, sampleOf(part, members))
    else if (!written.endsWith('?') || members === 'all' || person.has(name)) value[name] = sampleOf(part, members)
  }
  return value
}

const samples: Record<string, unknown> = {
  string: '1763200000',
  number: 1_763_200_000,
  boolean: true,
  list: [],
  object: {},
  any: {},
  null: null,
}

function sampleOfWord(words: string, members: Members): unknown {
  const type = sharedTypes[words]
  // A type that names itself, such as a component with cards, is sampled without its optional members.
  if (type !== undefined) return sampleOf(type, isRecursive(words) ? 'required' : members)
  const [first = 'any'] = words.split('|')
  return first.startsWith("'") ? first.slice(1, -1) : samples[first]
}

function isRecursive(name: string): boolean {
  return JSON.stringify(sharedTypes[name]).includes(`"${name}"`)
}
