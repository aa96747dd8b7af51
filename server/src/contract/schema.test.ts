import { expect, test } from 'vitest'
import { ErrorAnswer } from './envelope.ts'
import { named, namedSchemas, object } from './schema.ts'

test('a name belongs to one schema', () => {
  const { $id } = ErrorAnswer as { $id?: string }
  const name = String($id)
  expect(() => named(name, object({}))).toThrow(`Two schemas are named ${name}.`)
  expect(namedSchemas()).toContain(ErrorAnswer)
})
