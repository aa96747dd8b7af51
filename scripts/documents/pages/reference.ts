import { errorTable } from '../../../server/src/contract/errors.ts'
import type { OpenApiDocument, Operation, Parameter } from '../../../server/src/http/docs/document.ts'
import { resolveSchema, type Schema, type Schemas, schemaName } from '../../../server/src/http/docs/schema.ts'
import { escapeHtml } from '../../../server/src/http/page.ts'
import type { Call } from './call.ts'
import { fieldList, typeText } from './field-list.ts'
import { breakable, codeBlock, inline } from './html.ts'
import { samplesOf } from './samples.ts'

/** An operation with the place where it is called. */
export type Endpoint = Operation & { method: string; path: string }

/** Reading order of the groups; a new one comes last. */
const groups = ['Authentication', 'Messages', 'Templates', 'Media', 'Webhooks', 'Events', 'Analytics', 'Listening']

export function operationsOf({ paths }: OpenApiDocument): Endpoint[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const rank = ({ tags: [tag = ''] }: Endpoint) => (groups.indexOf(tag) + groups.length + 1) % (groups.length + 1)
  return operations.sort((a, b) => rank(a) - rank(b))
}

/** The body of the reference page: navigation first, then a section per operation, then the shared schemas. */
export function referenceBody(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const schemas = document.components.schemas ?? {}
  return `<div class="reference">${navigation(operations)}<div class="content">
    <p>Every operation of the API with its fields, examples and errors. For tools there are
    <a href="/openapi.json">the OpenAPI document</a> and <a href="/docs/postman.json">a Postman collection</a>. </p>
    <p>There are two ways to authenticate. Send the access token of <a href="#createToken">POST /v1/auth/token</a> as
    <code>Authorization: Bearer</code>, or the API key and its secret as user name and password of
    <code>Authorization: Basic</code> (<code>curl -u</code>), as the guides do. Refreshing and revoking a token needs the token. The
    samples here read the token from <code>TOKEN</code>, and the address of the gateway from <code>POSTERN_BASE_URL</code>.</p>
    ${operations.map((operation) => operationSection(operation, schemas)).join('')}</div></div>`
}

function navigation(operations: readonly Endpoint[]): string {
  const tags = [...new Set(operations.map(({ tags: [tag = ''] }) => tag))]
  const lists = tags.map((tag) => {
    const own = operations.filter(({ tags }) => tags[0] === tag)
    const links = own.map(({ operationId, summary }) => `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`)
    return `<p>${escapeHtml(tag)}</p><ul>${links.join('')}</ul>`
  })
  return `<nav aria-label="Operations"><details open><summary>Operations</summary>${lists.join('')}</details></nav>`
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
const tokenNote = `<p><code>TOKEN</code> is the <code>access_token</code> of <a href="#createToken">POST /v1/auth/token</a>.</p>`

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
    ${shown.length > 0 ? `<h4>Example</h4>${shown.map((one) => codeBlock(toJson(one), 'Example of the request body')).join('')}` : ''}`
}

function responsePart({ operationId, responses }: Operation, schemas: Schemas): string {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return success
    .map(([status, { description = '', content }]) => {
      const [type = '', media] = Object.entries(content ?? {})[0] ?? []
      const data = media?.schema.properties?.data
      return `<h3>Response ${status}</h3><p>${inline(description)}${data ? '' : ` <code>${escapeHtml(type)}</code>`}</p>
        ${data ? dataPart(data, schemas, operationId) : ''}
        ${media?.example === undefined ? '' : `<h4>Example</h4>${codeBlock(toJson(media.example), 'Example of the response')}`}`
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
  return samplesOf(callOf(operation))
    .map(({ language, code }, index) => {
      const block = codeBlock(code, `${language} sample`)
      return `<details${index === 0 ? ' open' : ''}><summary>${language}</summary>${block}</details>`
    })
    .join('')
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
