import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { composed } from '../../scripts/documents/api-types.ts'
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
