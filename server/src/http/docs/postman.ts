import type { OpenApiDocument } from './document.ts'
import { callOf, type Endpoint, operationsOf } from './reference.ts'

/** A Postman collection (schema 2.1, which Bruno and Insomnia import too) of every operation with its example. */
export function postmanCollection(document: OpenApiDocument): object {
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ tags: [tag = ''] }) => tag))]
  return {
    info: {
      name: 'Postern',
      description: 'Set base_url, api_key and api_secret, then run "Exchange an API key" once: it stores the token.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
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

function requestItem(operation: Endpoint): object {
  const { summary, description, parameters = [], operationId } = operation
  const { method, form, auth, body: example } = callOf(operation)
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((one) => one.in === 'query')
  const isToken = operationId === 'createToken'
  const body = isToken ? { api_key: '{{api_key}}', api_secret: '{{api_secret}}' } : example
  return {
    name: summary,
    ...(isToken ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepToken } }] } : {}),
    request: {
      method: method.toUpperCase(),
      ...(auth === 'none' ? { auth: { type: 'noauth' } } : {}),
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

const keepToken = ["pm.collectionVariables.set('token', pm.response.json().data.access_token)"]

function bodyOf(body: unknown, form: boolean): object {
  if (form) return { body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: '' }] } }
  if (body === undefined) return {}
  return { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }
}
