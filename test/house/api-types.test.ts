import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiTypes, composed } from '../../scripts/documents/api-types.ts'
import { differences, plainForm } from '../../scripts/release/same-api.ts'

const root = resolve(import.meta.dirname, '../..')

describe.each(['openapi', 'console'])('the types of docs/api/%s.json', (name) => {
  const document = JSON.parse(readFileSync(resolve(root, `docs/api/${name}.json`), 'utf8'))
  const { schemas } = document.components
  const short = composed(schemas)

  test('name a record once: its list item and its long form are made of it', () => {
    const { allOf = [] } = short.TemplateWithHistory ?? {}
    expect(allOf[0]).toEqual({ $ref: '#/components/schemas/ListedTemplate' })
    expect(Object.keys((allOf[1] as { properties: object }).properties)).toEqual(['history'])
  })

  test('say of every field what the document says', () => {
    const inFull = (all: object) =>
      plainForm({ ...document, paths: {}, components: { ...document.components, schemas: all } })
    // The order of required fields means nothing, and a part is as closed as the whole.
    const plain = (all: object) =>
      JSON.parse(JSON.stringify(inFull(all)), (key, value) =>
        key === 'required' && Array.isArray(value) ? value.sort() : value,
      )
    expect(differences(plain(short), plain(schemas))).toEqual([])
    expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(schemas).length)
  })
})

test('a difference is found, and only where it is', () => {
  const schemas = { A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
  const written = { schemas, one: { $ref: '#/schemas/A' } }
  const composedOne = { allOf: [{ $ref: '#/schemas/A' }, { type: 'object', properties: {}, required: [] }] }
  expect(differences(plainForm(written), plainForm({ schemas, one: composedOne }))).toEqual([])
  const other = { schemas, one: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } }
  expect(differences(plainForm(written), plainForm(other))).toEqual(['/one/properties/a/type'])
})

test('a comment is one line with its example, and a body that others are like is named', async () => {
  const examples = ['12']
  const properties = {
    at: { type: 'string', format: 'date-time', description: 'When.' },
    sum: { type: 'string', description: 'How much.', examples },
  }
  const success = { type: 'boolean', enum: [true], description: 'Always true; false in an error.' }
  const data = { $ref: '#/components/schemas/Cost' }
  const envelope = { type: 'object', properties: { success, data }, required: ['success', 'data'] }
  const answered = { description: 'A cost.', content: { 'application/json': { schema: envelope } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Costs', version: '1' },
    paths: { '/costs': { get: { operationId: 'getCost', responses: { 200: answered } } } },
    components: { schemas: { Cost: { type: 'object', description: 'What it costs.', properties, required: ['at'] } } },
  }
  const lines = (await apiTypes(JSON.stringify(document), 'costs.json', { paths: false }))
    .split('\n')
    .map((line) => line.trim())
  expect(lines).toEqual(
    expect.arrayContaining([
      '/** What it costs. */',
      '/** When. (date-time) */',
      'at: string;',
      '/** How much. Example: `12` */',
      'sum?: string;',
      'responses: { 200: Answer<components["schemas"]["Cost"]>; };',
    ]),
  )
})
