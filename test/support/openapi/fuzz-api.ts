import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EngineName } from '../postgres/databases.ts'
import { scaled } from '../proof.ts'
import type { HttpAnswer } from './openapi-client.ts'
import { createJudge } from './openapi-judge.ts'
import { type Operation, operationsOf, resolverOf } from './openapi-operations.ts'
import { type ApiRequest, brokenRequests, validRequests } from './openapi-requests.ts'
import { aFuzzWorld, type FuzzWorld, type Known } from './openapi-world.ts'
import { publishedApi } from './published-api.ts'
import type { Schema, SchemaContext } from './schema-arbitrary.ts'

// The same requests in every run: a failure on one machine is a failure on all.
const seed = 20_261_115
const runs = scaled(10)
const timeoutMs = 60_000 + runs * 1_000

// That it is the one of the routes is the first test below.
const document = publishedApi()
const operations = operationsOf(document)
const judge = createJudge(document)

/** The tests of one engine: a file for each, so that they run side by side. */
export function fuzzApi(engine: EngineName): void {
  describe(`the API behaves as its document says, on ${engine}`, () => {
    let world: FuzzWorld
    let known: Known
    let usedUp: readonly string[] | undefined
    const succeeded = new Set<string>()
    // What the edge refuses reaches no store: on one engine it is seen for both.
    const endsAtStore = engine !== 'sqlite'

    beforeAll(async () => {
      world = await aFuzzWorld(engine)
    })
    afterAll(() => world.stop())

    const context: SchemaContext = {
      resolve: resolverOf(document),
      valuesFor: (name, plain) => {
        const ours = fc.nat().map((index) => known[name]?.[index % known[name].length])
        // No test may leave the machine, so addresses are never made up freely.
        if (addressNames.includes(name)) return name === 'url' ? fc.oneof(ours, nowhere) : nowhere
        return knownNames.includes(name) ? fc.oneof({ arbitrary: ours, weight: 2 }, plain) : plain
      },
    }

    async function check(operation: Operation, request: ApiRequest, valid: boolean): Promise<void> {
      expect(judge.isValid(operation, request)).toBe(valid)
      const answer = await world.send(operation, request)
      if (answer.status < 300) succeeded.add(operation.id)
      const reasons = answer.status < 500 ? [] : world.logLines.filter((line) => line.includes(requestIdOf(answer)))
      expect([...judge.complaints(operation, request, answer), ...reasons]).toEqual([])
    }

    const checkAll = (operation: Operation, requests: Arbitrary<ApiRequest>, valid: boolean) =>
      fc.assert(
        fc.asyncProperty(requests, (request) => check(operation, request, valid)),
        { seed: valid ? seed : seed + 1, numRuns: runs },
      )

    test('the document that is served is the one looked at here', async () => {
      expect((await world.get('/openapi.json')).body).toEqual(document)
    })

    describe.each(operations)('$method $path', (operation) => {
      beforeAll(async () => {
        known = await world.seed(operationNamed('uploadMedia'), usedUp)
        usedUp = usedUpBy(operation)
      })

      test('takes what its schema allows, and answers as documented', { timeout: timeoutMs }, () =>
        checkAll(operation, validRequests(operation, context), true),
      )

      if (endsAtStore) return
      test('refuses what its schema forbids with 400', { timeout: timeoutMs }, () => {
        const requests = brokenRequests(operation, context, (request) => judge.isValid(operation, request))
        return checkAll(operation, requests, false)
      })
    })

    if (!endsAtStore) refusesDamage(() => world)

    test('no message was sent twice, though Meta accepted some and answered with an error', async () => {
      await world.sendTemplates(40)
      const accepted = await world.accepted()
      expect(accepted.length).toBeGreaterThan(30)
      expect(accepted.filter((id, index) => accepted.indexOf(id) !== index)).toEqual([])
    })

    test('every operation was seen to succeed, so that nothing was tried only where it is refused', async () => {
      const unlucky = operations.filter(({ id }) => !succeeded.has(id))
      for (const operation of unlucky) {
        known = await world.seed(operationNamed('uploadMedia'))
        for (const request of fc.sample(validRequests(operation, context), { seed, numRuns: 100 })) {
          if (!succeeded.has(operation.id)) await check(operation, request, true)
        }
      }
      expect(operations.map(({ id }) => id).filter((id) => !succeeded.has(id))).toEqual([])
    })
  })
}

/** Bytes and addresses that end at the parser. */
function refusesDamage(worldOf: () => FuzzWorld): void {
  const withJson = operations.filter(({ body }) => body?.mediaType === 'application/json')

  test.each(withJson)('$method $path refuses JSON that two readers could understand differently', async (operation) => {
    for (const [name, body] of Object.entries(damagedBodies)) {
      const request: ApiRequest = { path: sample(operation, 'path'), query: {}, header: {} }
      const answer = await worldOf().sendBytes(operation, request, body)
      expect.soft([name, answer.status, codeOf(answer)]).toEqual([name, 400, 'malformed_json'])
    }
  })

  test.each(operations)('$method $path refuses U+0000 in its address', async (operation) => {
    const texts = operation.parameters.filter(({ in: place, schema }) => place !== 'header' && isText(schema))
    const other = { path: sample(operation, 'path'), query: {}, header: {} }
    for (const { name, in: place } of [...texts, { name: 'no_such_field', in: 'query' } as const]) {
      const request: ApiRequest = {
        ...other,
        [place]: { ...(place === 'path' ? other.path : {}), [name]: 'a\u0000b' },
      }
      const answer = await worldOf().send(operation, request)
      expect.soft([name, answer.status, codeOf(answer)]).toEqual([name, 400, 'malformed_request'])
    }
  })
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** PostgreSQL cannot store the first, SQLite can; parsers keep the first or the last of two equal keys. */
const damagedBodies: Record<string, string | Buffer> = {
  'U+0000': '{"to":"a\\u0000b"}',
  'U+0000 in a key': '{"a\\u0000b":1}',
  'an unpaired surrogate': '{"to":"\\ud800"}',
  'a reversed pair': '{"to":"\\udc00\\ud800"}',
  'an unpaired surrogate in a key': '{"\\udfff":1}',
  'a key twice': '{"to":"a","to":"b"}',
  'a key twice, once escaped': '{"to":"a","t\\u006f":"b"}',
  'a key twice far inside': '{"a":[{"b":1,"b":2}]}',
  '17 levels': deep(17),
  'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
  'more than one value': '{}{}',
  'an array': '[]',
  null: 'null',
  'an open end': '{"to":',
}

function sample({ parameters }: Operation, place: 'path'): Record<string, unknown> {
  return Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name }) => [name, 'unknown']))
}

function isText({ type, enum: words }: Schema): boolean {
  return type === 'string' && words === undefined
}

function requestIdOf({ headers }: HttpAnswer): string {
  return headers['x-request-id'] ?? 'none'
}

function codeOf({ body }: HttpAnswer): string | undefined {
  return (body as { error?: { code: string } }).error?.code
}

/** The ids of what an operation may change or remove: what it names in its address, and what it acts on without a name. */
function usedUpBy({ id, method, parameters }: Operation): readonly string[] {
  if (method === 'GET') return []
  const named = parameters.flatMap(({ name, in: place }) => (place === 'path' ? [name] : []))
  return [...named, ...(usedUpUnnamed[id] ?? [])]
}

const usedUpUnnamed: Readonly<Record<string, readonly string[]>> = {
  cancelMessages: ['message_id'],
  reportForwarded: ['receipt'],
}

/** Fields that take a value of this world twice as often as any their schema allows. */
const knownNames = [
  'customer_id',
  'api_key',
  'api_secret',
  'broadcast_id',
  'budget_id',
  'delivery_id',
  'file',
  'link_id',
  'media_id',
  'message_id',
  'receipt',
  'reply_to',
  'results',
  'saved_reply_id',
  'template',
  'template_id',
  'upload_id',
  'webhook_id',
]
const addressNames = ['url', 'link']
const nowhere = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.invalid\/[a-z]{0,8}$/)

function operationNamed(name: string): Operation {
  const found = operations.find(({ id }) => id === name)
  if (!found) throw new Error(`There is no operation ${name}.`)
  return found
}
