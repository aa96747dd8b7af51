import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../../../test/support/any-character.ts'
import { recordFigure, scaled } from '../../../../../test/support/proof.ts'
import { parseCallback } from './cloud-callbacks.ts'

const bodies = scaled(1_000)
const timeoutMs = 30_000 + 2 * bodies
const settings = { numRuns: bodies, seed: 20_261_115 }

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const metadata = { display_phone_number: '15550783881', phone_number_id: '1065' }
const contacts = [{ profile: { name: 'Ann' }, wa_id: '15550001111', user_id: 'US.1349' }]

const message: Json = {
  from: '15550001111',
  from_user_id: 'US.1349',
  id: 'wamid.SEED',
  timestamp: '1750030073',
  type: 'interactive',
  interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Row' } },
  text: { body: 'hello' },
  image: { id: '5', mime_type: 'image/jpeg', sha256: 'x', caption: 'c' },
  context: { from: '1', id: 'wamid.OUT', forwarded: true },
  referral: { source_type: 'ad', body: 'b' },
  errors: [{ code: 131051, title: 't', error_data: { details: 'd' } }],
}

const status: Json = {
  id: 'wamid.OUT',
  status: 'failed',
  timestamp: '1750030073',
  recipient_id: '15550001111',
  biz_opaque_callback_data: 'our-id-1',
  pricing: { billable: true, type: 'regular', category: 'utility' },
  errors: [{ code: 131026, title: 't', error_data: { details: 'd' } }],
}

const template: Json = {
  event: 'APPROVED',
  message_template_id: 594425479261596,
  message_template_name: 'order_ready',
  message_template_language: 'en_US',
  other_info: { title: 'FIRST_PAUSE' },
}

/** Words the parsers look for, so that a mutation often lands on a path that matters. */
const word = fc.constantFrom(
  'text',
  'image',
  'system',
  'contacts',
  'sticker',
  'failed',
  'read',
  '__proto__',
  'errors',
  '',
)
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), word, fc.constantFrom(-1, 0, 1e20, 2 ** 53))

/** A place in a tree, as a list of choices. */
const path = fc.array(fc.nat(20), { maxLength: 6 })

/** `seed` with the value at `steps` replaced, or removed, or doubled. */
function mutate(seed: Json, steps: number[], value: unknown, how: 'replace' | 'remove' | 'double'): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof seed !== 'object' || seed === null) return how === 'double' ? [seed, seed] : value
  const entries = Object.entries(seed)
  const chosen = entries[step % Math.max(1, entries.length)]
  if (!chosen) return value
  const changed = entries.flatMap(([key, child]): [string, unknown][] => {
    if (key !== chosen[0]) return [[key, child]]
    return rest.length === 0 && how === 'remove' ? [] : [[key, mutate(child, rest, value, how)]]
  })
  return Array.isArray(seed) ? changed.map(([, child]) => child) : Object.fromEntries(changed)
}

const mutation = fc.tuple(path, anything, fc.constantFrom('replace', 'remove', 'double'))

function good(index: number) {
  return { from: '15550001111', id: `wamid.GOOD${index}`, type: 'text', text: { body: 'hi' } }
}

function entry(field: unknown, value: unknown): unknown {
  return { id: '9001', time: 1739321024, changes: [{ field, value }] }
}

function keysOf(text: string): Set<string> {
  return new Set(parseCallback(text).map((item) => item.dedupeKey))
}

describe('Any callback body', () => {
  test(
    'gives items that can be stored, whatever single thing in it is changed',
    () => {
      const seed: Json = {
        object: 'whatsapp_business_account',
        entry: [
          entry('messages', { metadata, contacts, messages: [message], statuses: [status] }) as Json,
          entry('message_template_status_update', template) as Json,
        ],
      }
      fc.assert(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
          const mutated = mutations.reduce<unknown>(
            (tree, [steps, value, how]) => mutate(tree as Json, steps, value, how),
            seed,
          )
          const items = parseCallback(JSON.stringify(mutated) ?? '')
          for (const item of items) {
            expect(item.dedupeKey.length).toBeLessThanOrEqual(300)
            expect(JSON.stringify(item)).not.toMatch(/\\u0000|\\ud[89a-f]/)
          }
          expect(parseCallback(JSON.stringify(mutated) ?? '')).toEqual(items)
        }),
        settings,
      )
    },
    timeoutMs,
  )

  test(
    'keeps every valid neighbour of items that were changed',
    () => {
      fc.assert(
        fc.property(mutation, mutation, mutation, fc.nat(3), (one, two, three, place) => {
          const odd = [mutate(message, ...one), mutate(status, ...two), mutate(template, ...three)]
          const messages: unknown[] = [0, 1, 2].map(good)
          messages.splice(place, 0, odd[0])
          const statuses = [{ id: 'wamid.GOOD', status: 'sent' }, odd[1], { id: 'wamid.GOOD', status: 'read' }]
          const text = JSON.stringify({
            object: 'whatsapp_business_account',
            entry: [
              odd[2],
              entry('messages', { metadata, contacts, messages, statuses, errors: odd }),
              entry('message_template_status_update', odd[2]),
              entry('messages', { messages: [good(9)] }),
            ],
          })
          const keys = keysOf(text)
          const wanted = [0, 1, 2, 9].map((index) => `message:wamid.GOOD${index}`)
          wanted.push('status:wamid.GOOD:sent::', 'status:wamid.GOOD:read::')
          expect(wanted.filter((key) => !keys.has(key))).toEqual([])
        }),
        settings,
      )
      recordFigure('callback fuzz', 'bodies with six valid items among changed ones, none lost', bodies)
    },
    timeoutMs,
  )

  test(
    'gives items even when it is no JSON at all',
    () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
          expect(Array.isArray(parseCallback(text))).toBe(true)
        }),
        settings,
      )
      recordFigure('callback fuzz', 'bodies of any text, none of which broke the parser', bodies)
    },
    timeoutMs,
  )
})
