import { afterAll, expect, test } from 'vitest'
import { idleRuntime } from '../../scripts/documents/idle-runtime.ts'
import { errorsBody } from '../../scripts/documents/pages/errors-body.ts'
import { addressOfOperation, callOf, type Endpoint, operationsOf } from '../../scripts/documents/pages/reference.ts'
import { sdkMethodOf, sdkMethods } from '../../scripts/documents/pages/sdk-calls.ts'
import { Postern } from '../../sdk/src/index.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { Schema, Schemas } from '../../server/src/http/docs/document.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { publishedApi } from '../support/openapi/published-api.ts'

// The setup of a run with programs has rendered the pages already.
if (process.env.TEST_PROGRAMS === undefined) (await import('../../scripts/build-docs.ts')).buildDocs()
const baseUrl = 'https://gateway.example.test/$&'
const rt = { ...idleRuntime(), urls: { base: baseUrl, console: baseUrl } }
const app = await createApp(rt, { readiness: { check: async () => [] }, resources })
await app.ready()
afterAll(() => app.close())
const document = publishedApi()
const operations = operationsOf(document)
const schemas = document.components.schemas as Schemas
const resourcePages = [...new Set(operations.map((one) => addressOfOperation(one).split('#')[0] ?? ''))]
const referencePages = new Map(
  await Promise.all(['/docs/api', ...resourcePages].map(async (at) => [at, (await app.inject(at)).body] as const)),
)
const pageOf = (one: Endpoint) => referencePages.get(addressOfOperation(one).split('#')[0] ?? '') ?? ''

test('the reference has a page for each resource, a section and links for every operation, and no two ids of a page are equal', () => {
  expect(resourcePages.length).toBeGreaterThan(9)
  for (const one of operations) {
    expect(pageOf(one)).toContain(`<section id="${one.operationId}">`)
    expect(pageOf(one)).toContain(`<li><a href="#${one.operationId}">`)
    expect(referencePages.get('/docs/api')).toContain(`<tr id="${one.operationId}">`)
    expect(referencePages.get('/docs/api')).toContain(`<a href="${addressOfOperation(one)}">`)
  }
  const ids = [...referencePages.values()].map((page) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  expect(ids.flat().length).toBeGreaterThan(900)
  for (const own of ids) expect(own.filter((id, index) => own.indexOf(id) !== index)).toEqual([])
})

test('the reference has every field of every request and response, with its description', () => {
  const missing = operations.flatMap((one) => {
    const { operationId, requestBody, responses } = one
    const reference = pageOf(one)
    const bodies = [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
    const start = reference.indexOf(`<section id="${operationId}">`)
    const section = reference.slice(start, reference.indexOf('</section>', start))
    const names = bodies.flatMap(({ schema }) => fieldNames(schema.properties?.data ?? schema))
    return names.filter((name) => !section.includes(`<code>${name}</code></a>`)).map((name) => `${operationId} ${name}`)
  })
  expect(missing).toEqual([])
})

test('every sample that reads a token says where the token comes from', () => {
  const sections = [...referencePages.values()].flatMap((page) => page.split('<section ').slice(1))
  const intro = referencePages.get('/docs/api')
  const withToken = sections.filter((section) => section.includes('TOKEN'))
  expect(intro).toContain('<code>TOKEN</code>')
  expect(withToken).toHaveLength(operations.filter(({ security }) => security).length)
  expect(
    withToken.filter(
      (section) => !section.includes('<a href="/docs/api-authentication#createToken">POST /v1/auth/token</a>'),
    ),
  ).toEqual([])
})

test('the reference links only to ids and pages that exist, and has no script but the copy buttons, and no inline styles', async () => {
  for (const reference of referencePages.values()) {
    const anchors = [...reference.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(anchors.filter((id) => !reference.includes(` id="${id}"`))).toEqual([])
    const pages = [...new Set([...reference.matchAll(/href="(\/[^"#]*)/g)].map(([, path]) => path ?? ''))]
    for (const path of pages.filter((one) => one !== '/'))
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200])
    expect(reference.match(/<script/g)).toHaveLength(1)
    expect(reference).not.toMatch(/<script |style="|javascript:| on\w+="/)
  }
})

test('the page of errors shows what stands between backticks as code', () => {
  expect(errorsBody()).toContain('This endpoint does not support the <code>Content-Type</code>.')
  expect(errorsBody()).not.toContain('`')
})

test('every method the Node samples call exists in the SDK', () => {
  const client = new Postern({ baseUrl: 'http://localhost:1', apiKey: 'ptk_x', apiSecret: 'pts_x' })
  const ids = operations.map(({ operationId }) => operationId)
  for (const { name } of ids.flatMap((id) => sdkMethodOf(id) ?? [])) {
    const [resource = '', method = ''] = name.split('.')
    const owner = client[resource as keyof Postern] as unknown as Record<string, unknown>
    expect([name, typeof owner?.[method]]).toEqual([name, 'function'])
  }
  expect(Object.keys(sdkMethods).filter((id) => !ids.includes(id))).toEqual([])
})

test('samples name a real path, without a parameter left open', () => {
  for (const operation of operations) expect(callOf(operation).path).not.toMatch(/[{}]|%7B/)
})

test('the Postman collection has every operation once, and works from its top with an API key alone', async () => {
  const collection = (await app.inject('/docs/postman.json')).json() as {
    item: {
      item: {
        name: string
        event?: object[]
        request: { method: string; url: { raw: string }; auth?: { type: string } }
      }[]
    }[]
    auth: { type: string }
  }
  const requests = collection.item.flatMap(({ item }) => item)
  const found = requests.map(({ request }) => `${request.method} ${request.url.raw}`)
  const wanted = operations.map(
    ({ method, path }) => `${method.toUpperCase()} {{base_url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
  )
  expect(found.sort()).toEqual(wanted.sort())
  const pathOf = (request: { url: { raw: string } }) => request.url.raw.replace('{{base_url}}', '')
  // They store the token.
  expect(requests.filter(({ event }) => event).map(({ request }) => pathOf(request))).toEqual([
    '/v1/auth/token',
    '/v1/auth/refresh',
  ])
  expect([collection.auth.type, pathOf(requests[0]?.request ?? { url: { raw: '' } })]).toEqual([
    'basic',
    '/v1/auth/token',
  ])
  const own = requests.flatMap(({ request }) => (request.auth ? [[pathOf(request), request.auth.type]] : []))
  expect(own).toEqual([
    ['/v1/auth/token', 'noauth'],
    ['/v1/auth/refresh', 'bearer'],
    ['/v1/auth/revoke', 'bearer'],
  ])
})

test('llms.txt links to every operation of the reference, at the address of the installation', async () => {
  const answer = await app.inject('/llms.txt')
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  for (const one of operations) expect(answer.body).toContain(`${baseUrl}${addressOfOperation(one)})`)
  const links = [...answer.body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !link.startsWith(`${baseUrl}/`))).toEqual([])
})

function fieldNames(given: Schema): string[] {
  const schema = given.$ref ? (schemas[given.$ref.replace('#/components/schemas/', '')] ?? {}) : given
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [name, ...fieldNames(field)])
  const below = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...own, ...below.flatMap(fieldNames)]
}
