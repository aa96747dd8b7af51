import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import { callOf, type Endpoint, operationsOf } from './reference.ts'

/** A Postman collection (schema 2.1, which Bruno and Insomnia import too) of every operation with its example. */
export function postmanCollection(document: OpenApiDocument): object {
  const operations = tokenFirst(operationsOf(document))
  const tags = [...new Set(operations.map(({ tags: [tag = ''] }) => tag))]
  return {
    info: {
      name: 'Postern',
      description:
        'Set base_url, api_key and api_secret. Every request then works; the few that need an access token use the one that "Create an access token" stores.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{api_key}}', type: 'string' },
        { key: 'password', value: '{{api_secret}}', type: 'string' },
      ],
    },
    variable: [
      { key: 'base_url', value: 'http://localhost:8080' },
      { key: 'api_key', value: '' },
      { key: 'api_secret', value: '' },
      { key: 'token', value: '' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: operations.filter(({ tags: [own] }) => own === tag).map(requestItem),
    })),
  }
}

/** A run from the top has a token before the first request that needs one. */
function tokenFirst(operations: Endpoint[]): Endpoint[] {
  return operations.toSorted(
    (a, b) => Number(b.operationId === 'createToken') - Number(a.operationId === 'createToken'),
  )
}

function requestItem(operation: Endpoint): object {
  const { summary, description, parameters = [], operationId } = operation
  const { method, form, auth, body: example } = callOf(operation)
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((one) => one.in === 'query')
  const isToken = operationId === 'createToken'
  const body = isToken ? { api_key: '{{api_key}}', api_secret: '{{api_secret}}' } : example
  return {
    name: summary,
    ...(isToken || operationId === 'refreshToken'
      ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepToken } }] }
      : {}),
    request: {
      method: method.toUpperCase(),
      ...authOf(operation, auth),
      ...(description ? { description } : {}),
      header: body === undefined || form ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{base_url}}${path}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: query.map((one) => ({ key: one.name, value: '', description: one.description, disabled: true })),
        variable: parameters
          .filter((one) => one.in === 'path')
          .map((one) => ({ key: one.name, value: '', description: one.description })),
      },
      ...bodyOf(body, form),
    },
  }
}

/** The key and its secret of the collection, where the operation accepts them. */
function authOf({ security }: Endpoint, auth: 'token' | 'none'): object {
  if (auth === 'none') return { auth: { type: 'noauth' } }
  if (security?.some((way) => 'apiKey' in way)) return {}
  return { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] } }
}

const keepToken = ["pm.collectionVariables.set('token', pm.response.json().data.access_token)"]

function bodyOf(body: unknown, form: boolean): object {
  if (form) return { body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: '' }] } }
  if (body === undefined) return {}
  return { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }
}
