import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { schemaBucket } from './validation.ts'

test('everybody gets the same schemas until another is added, which those who have them do not see', () => {
  const bucket = schemaBucket()
  bucket.add({ $id: 'One' })
  const before = bucket.getSchemas()
  expect(bucket.getSchemas()).toBe(before)
  bucket.add({ $id: 'Two' })
  expect(bucket.getSchema('Two')).toEqual({ $id: 'Two' })
  expect(Object.keys(bucket.getSchemas())).toEqual(['One', 'Two'])
  expect(Object.keys(before)).toEqual(['One'])
})

test('a route refers to the schemas of its app and of its own scope, and the app to none of the scope', async () => {
  const app = Fastify({ schemaController: { bucket: schemaBucket } })
  app.addSchema({ $id: 'Name', type: 'string', maxLength: 3 })
  const body = (id: string) => ({ schema: { body: { $ref: `${id}#` } } })
  app.post('/name', body('Name'), async () => 'taken')
  await app.register(async (scope) => {
    scope.addSchema({ $id: 'Age', type: 'integer' })
    scope.post('/scope/name', body('Name'), async () => 'taken')
    scope.post('/scope/age', body('Age'), async () => 'taken')
  })
  const statusOf = async (url: string, payload: unknown) => {
    const headers = { 'content-type': 'application/json' }
    return (await app.inject({ method: 'POST', url, headers, payload: JSON.stringify(payload) })).statusCode
  }
  for (const url of ['/name', '/scope/name'])
    expect([await statusOf(url, 'Ana'), await statusOf(url, 'Anna')]).toEqual([200, 400])
  expect([await statusOf('/scope/age', 7), await statusOf('/scope/age', 'old')]).toEqual([200, 400])
  expect(Object.keys(app.getSchemas())).toEqual(['Name'])
  await app.close()
})
