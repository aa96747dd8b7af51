import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ApiDocument, breakingChanges } from '../../scripts/release/compare-api.ts'

/** As much of the document as these tests change. */
type Schema = { type: unknown; enum: string[]; required: string[]; properties: Record<string, Partial<Schema>> }
type Parameter = { name: string; in: string; schema: object }
type Document = {
  paths: Record<string, Record<string, { parameters: Parameter[] }>>
  components: { schemas: Record<string, Schema> }
}

const file = join(import.meta.dirname, '../../docs/api/openapi.json')
const read = <T>() => JSON.parse(readFileSync(file, 'utf8')) as T

/** Today's document, changed. */
function changed(change: (document: Document) => void): string[] {
  const newer = read<Document & ApiDocument>()
  change(newer)
  return breakingChanges(read<ApiDocument>(), newer)
}

function schemaOf({ components }: Document, name: string): Schema {
  return present(components.schemas[name], name)
}

function fieldOf(document: Document, schema: string, name: string): Partial<Schema> {
  return present(schemaOf(document, schema).properties[name], name)
}

function eventsOf({ paths }: Document) {
  return present(paths['/v1/events']?.get, 'GET /v1/events')
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The document has no ${name}.`)
  return value
}

const send = '/v1/chat/messages/send'

test('the comparison finds nothing to complain about in additions', () => {
  const changes = changed((document) => {
    document.paths['/v1/new'] = present(document.paths[send], send)
    eventsOf(document).parameters.push({ name: 'fresh', in: 'query', schema: { type: 'string' } })
    schemaOf(document, 'SendText').properties.fresh = { type: 'string' }
    schemaOf(document, 'MediaFile').properties.fresh = { type: 'string' }
    present(fieldOf(document, 'SendMedia', 'type').enum, 'enum').push('sticker')
  })
  expect(changes).toEqual([])
})

test.each<[string, string, Parameters<typeof changed>[0]]>([
  ['an operation that is gone', `POST ${send} is gone`, ({ paths }) => delete paths[send]],
  [
    'a parameter that is gone',
    "GET /v1/events: the parameter 'since' is gone",
    (document) => {
      const events = eventsOf(document)
      events.parameters = events.parameters.filter(({ name }) => name !== 'since')
    },
  ],
  [
    'a field that is required now',
    `POST ${send} body.client_reference is required now`,
    (document) => schemaOf(document, 'SendText').required.push('client_reference'),
  ],
  [
    'a field that is no longer taken',
    `POST ${send} body.reply_to is gone`,
    (document) => delete schemaOf(document, 'SendText').properties.reply_to,
  ],
  [
    'a value that is no longer taken',
    'POST /v1/chat/messages/media body.type: the value video is no longer taken',
    (document) => fieldOf(document, 'SendMedia', 'type').enum?.pop(),
  ],
  [
    'a type that is no longer taken',
    `POST ${send} body.reply_to: the type null is no longer taken`,
    (document) => Object.assign(fieldOf(document, 'SendText', 'reply_to'), { type: 'string' }),
  ],
  [
    'a field of an answer that is gone',
    'GET /v1/chat/media/{media_id} 200.data.sha256 is gone',
    (document) => delete schemaOf(document, 'MediaFile').properties.sha256,
  ],
])('the comparison finds %s', (_, sentence, change) => {
  expect(changed(change)).toContain(sentence)
})
