import { errorTable } from '../../../server/src/contract/errors.ts'
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolveSchema,
  type Schema,
  type Schemas,
  schemaName,
} from '../../../server/src/http/docs/document.ts'
import { escapeHtml } from '../../../server/src/http/page.ts'
import type { Call } from './call.ts'
import { fieldList, typeText } from './field-list.ts'
import { breakable, codeBlock, inline, languageTabs } from './html.ts'
import { samplesOf } from './samples.ts'

/** An operation with the place where it is called. */
export type Endpoint = Operation & { method: string; path: string }

/** Reading order of the groups; a new one comes last. */
const groups = [
  'Authentication',
  'Messages',
  'Templates',
  'Media',
  'Webhooks',
  'Events',
  'Customers',
  'Conversations',
  'Analytics',
]
/** What a newcomer calls first stands first in its group; the rest is in the order of paths. */
const usedFirst = [
  ...['createToken', 'sendText', 'sendTemplate', 'sendMedia', 'sendInteractive', 'getMessage', 'listMessages'],
  ...['listTemplates', 'createTemplate', 'uploadMedia', 'createWebhook', 'listWebhooks'],
]

export function operationsOf({ paths }: OpenApiDocument): Endpoint[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const rank = (known: readonly string[], name: string) => (known.indexOf(name) + known.length + 1) % (known.length + 1)
  return operations.sort(
    (a, b) =>
      rank(groups, a.tags[0] ?? '') - rank(groups, b.tags[0] ?? '') ||
      rank(usedFirst, a.operationId) - rank(usedFirst, b.operationId),
  )
}

export type ReferencePage = { address: string; title: string; body: string }

/** One page for each resource, in the order of use, and before them the page that leads to every operation. */
export function referencePages(document: OpenApiDocument): ReferencePage[] {
  const operations = operationsOf(document)
  const schemas = document.components.schemas ?? {}
  const pages = [...byResource(operations)].map(([resource, own]) => ({
    address: addressOf(resource),
    title: resource,
    body: `<div class="reference">${navigation(operations, resource)}<div class="content">
      ${own.map((operation) => operationSection(operation, schemas)).join('')}</div></div>`,
  }))
  return [{ address: '/docs/api', title: 'API reference', body: overview(operations) }, ...pages]
}

function byResource(operations: readonly Endpoint[]): Map<string, Endpoint[]> {
  return Map.groupBy(operations, ({ tags: [tag = ''] }) => tag)
}

function addressOf(resource: string): string {
  return `/docs/api-${resource.toLowerCase().replaceAll(' ', '-')}`
}

/** Where an operation is described. */
export function addressOfOperation({ tags: [tag = ''], operationId }: Endpoint): string {
  return `${addressOf(tag)}#${operationId}`
}

/** Every operation has its place here too: `/docs/api#sendText` is what errors, guides and people link to. */
function overview(operations: readonly Endpoint[]): string {
  const lists = [...byResource(operations)].map(([resource, own]) => {
    const rows = own.map(
      (
        operation,
      ) => `<tr id="${operation.operationId}"><td><span class="method">${operation.method.toUpperCase()}</span></td>
        <td><a href="${addressOfOperation(operation)}"><code>${breakable(operation.path)}</code></a></td>
        <td>${escapeHtml(operation.summary)}</td></tr>`,
    )
    return `<h2><a href="${addressOf(resource)}">${escapeHtml(resource)}</a></h2><table tabindex="0"><tbody>${rows.join('')}</tbody></table>`
  })
  return `<div class="reference">${navigation(operations, null)}<div class="content">
    <p>Every operation of the API with its fields, examples and errors. For tools there are
    <a href="/openapi.json">the OpenAPI document</a> and <a href="/docs/postman.json">a Postman collection</a>.</p>
    <p>There are two ways to authenticate. Send the API key and its secret as user name and password of
    <code>Authorization: Basic</code> (<code>curl -u "$POSTERN_API_KEY:$POSTERN_API_SECRET"</code>), as the guides do, or the access token
    of <a href="/docs/api-authentication#createToken">POST /v1/auth/token</a> as <code>Authorization: Bearer</code>. Refreshing and
    revoking a token needs the token. The samples read the token from <code>TOKEN</code>, and the address of the gateway from
    <code>POSTERN_BASE_URL</code>.</p>${lists.join('')}</div></div>`
}

/** The operations of the resource that is read, and the way to the others. */
function navigation(operations: readonly Endpoint[], current: string | null): string {
  const lists = [...byResource(operations)].map(([resource, own]) => {
    const here = resource === current ? ' aria-current="page"' : ''
    const links = own.map(({ operationId, summary }) => `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`)
    const below = resource === current ? `<ul>${links.join('')}</ul>` : ''
    return `<p><a href="${addressOf(resource)}"${here}>${escapeHtml(resource)}</a></p>${below}`
  })
  return `<nav aria-label="API reference"><details open><summary>API reference</summary>${lists.join('')}</details></nav>`
}

function operationSection(operation: Endpoint, schemas: Schemas): string {
  const { operationId: id, method, path, summary, description } = operation
  return `<section id="${id}"><h2><a href="#${id}">${escapeHtml(summary)}</a></h2>
    <p class="endpoint"><span class="method">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
    <ul class="facts">${factsOf(operation)
      .map((fact) => `<li>${fact}</li>`)
      .join('')}</ul>
    ${description ? `<p>${inline(description)}</p>` : ''}
    ${parameterList('path', operation, schemas)}
    ${parameterList('query', operation, schemas)}
    ${parameterList('header', operation, schemas)}
    ${requestPart(operation, schemas)}
    <h3>Samples</h3>${operation.security ? tokenNote : ''}${samplesPart(operation)}
    ${responsePart(operation, schemas)}
    ${errorsPart(operation)}</section>`
}

/** Readers come here from links and searches, past the first lines of the page. */
const tokenNote = `<p><code>TOKEN</code> is the <code>access_token</code> of <a href="/docs/api-authentication#createToken">POST /v1/auth/token</a>. With the API key
  alone, send <code>-u "$POSTERN_API_KEY:$POSTERN_API_SECRET"</code> (Basic) in place of that header.</p>`

function factsOf(operation: Operation): string[] {
  const scope = operation['x-scope']
  const access = operation.security ? 'Needs authentication' : 'Needs no authentication'
  return [
    scope ? `Scope <code>${escapeHtml(scope)}</code>` : access,
    operation['x-counts-against-plan'] ? 'Counts against the plan' : 'Does not count against the plan',
  ]
}

const titles = { path: 'Path', query: 'Query', header: 'Headers' } as const

function parameterList(
  place: keyof typeof titles,
  { operationId, parameters = [] }: Operation,
  schemas: Schemas,
): string {
  const own = parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return ''
  const properties = Object.fromEntries(
    own.map(({ name, description, schema }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  )
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name)
  return `<h3>${titles[place]}</h3>${fieldList({ properties, required }, schemas, `${operationId}.${place}`)}`
}

function requestPart({ operationId, requestBody }: Operation, schemas: Schemas): string {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!media) return ''
  const { description = '', examples } = resolveSchema(media.schema, schemas)
  const shown = examples ?? (media.example === undefined ? [] : [media.example])
  return `<h3>Request body</h3><p>${inline(description)} <code>${type}</code>${requestBody?.required ? '' : ', may be left out'}.</p>
    ${fieldList(media.schema, schemas, `${operationId}.body`)}
    ${shown.length > 0 ? `<h4>Example</h4>${shown.map((one) => codeBlock(toJson(one), 'Example of the request body', 'json')).join('')}` : ''}`
}

function responsePart({ operationId, responses }: Operation, schemas: Schemas): string {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return success
    .map(([status, { description = '', content }]) => {
      const [type = '', media] = Object.entries(content ?? {})[0] ?? []
      const data = media?.schema.properties?.data
      return `<h3>Response ${status}</h3><p>${inline(description)}${data ? '' : ` <code>${escapeHtml(type)}</code>`}</p>
        ${data ? dataPart(data, schemas, operationId) : ''}
        ${media?.example === undefined ? '' : `<h4>Example</h4>${codeBlock(toJson(media.example), 'Example of the response', 'json')}`}`
    })
    .join('')
}

/** Sends have two forms of response; each has its own list. */
function dataPart(data: Schema, schemas: Schemas, id: string): string {
  const forms = data.anyOf ?? [data]
  return forms
    .map((form, index) => {
      const name = form.$ref ? schemaName(form.$ref) : typeText(form, schemas)
      const { description = '' } = resolveSchema(form, schemas)
      const title = forms.length > 1 ? `<p class="form">${escapeHtml(name)}: ${inline(description)}</p>` : ''
      return title + fieldList(form, schemas, `${id}.data${index === 0 ? '' : index + 1}`)
    })
    .join('')
}

function errorsPart(operation: Operation): string {
  const rows = (operation['x-errors'] ?? []).map((code) => {
    const { status, title } = errorTable[code]
    return `<li><a href="/docs/errors#${code}"><code>${breakable(code)}</code></a> <span class="type">${status}</span> ${inline(title)}</li>`
  })
  return `<h3>Errors</h3><ul class="errors">${rows.join('')}</ul>`
}

function samplesPart(operation: Endpoint): string {
  return languageTabs(samplesOf(callOf(operation)))
}

/** The call of the example: parameters of the path have their example values. */
export function callOf(operation: Endpoint): Call {
  const { operationId, method, parameters = [], requestBody, security } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const exampleValue = ({ example, name }: Parameter) => String(example ?? `{${name}}`)
  const path = inPath.reduce(
    (text, one) => text.replace(`{${one.name}}`, encodeURIComponent(exampleValue(one))),
    operation.path,
  )
  return {
    operationId,
    method,
    path,
    // The order of the path, which is the order of the SDK's arguments.
    pathValues: [...operation.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
      inPath.filter((one) => one.name === name).map(exampleValue),
    ),
    body: requestBody?.content['application/json']?.example,
    form: requestBody?.content['multipart/form-data'] !== undefined,
    auth: security ? 'token' : 'none',
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
