import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../server/src/contract/errors.ts'
import { noExample } from '../../server/src/http/docs/complete-operations.ts'
import type { Schema, Schemas } from '../../server/src/http/docs/document.ts'
import { publishedApi } from '../support/openapi/published-api.ts'

type Media = Record<string, { schema: Schema; example?: unknown }>
type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; description?: string }[]
  requestBody?: { content: Media }
  responses: Record<string, { $ref?: string; description?: string; content?: Media }>
  'x-errors': string[]
  'x-counts-against-plan': boolean
}

const document = publishedApi()

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as unknown as Operation[])
const schemas = document.components.schemas as Schemas
const bodies = operations.flatMap(({ operationId, requestBody, responses }) => [
  ...mediaOf(`${operationId} request`, requestBody?.content),
  ...Object.entries(responses).flatMap(([status, { content }]) => mediaOf(`${operationId} ${status}`, content)),
])

describe('the OpenAPI document of /v1', () => {
  test('describes every parameter, schema and field', () => {
    const silent = [
      ...operations.flatMap(({ operationId, parameters = [] }) =>
        parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ?${name}`),
      ),
      ...Object.entries(schemas).flatMap(([name, schema]) => [
        ...(schema.description ? [] : [name]),
        ...undescribed(schema, name),
      ]),
      ...bodies.flatMap(({ name, schema }) => undescribed(schema, name)),
    ]
    expect(silent).toEqual([])
  })

  test('describes every response in words other than the summary of its operation', () => {
    const repeated = operations.flatMap(({ operationId, summary, responses }) =>
      Object.entries(responses)
        .filter(([, { $ref, description }]) => !$ref && (!description || description === summary))
        .map(([status]) => `${operationId} ${status}`),
    )
    expect(repeated).toEqual([])
  })

  test('never speaks of a platform or a business chat channel where it means Meta or WhatsApp', () => {
    const texts = [...JSON.stringify(document).matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)]
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.map(([, text]) => text).filter((text) => /the platform|chat channel/i.test(text ?? ''))).toEqual([])
  })

  test('has an example for every JSON body, which its schema accepts', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const json = bodies.filter(({ type }) => type === 'application/json')
    expect(json.length).toBeGreaterThan(50)
    const wrong = json.flatMap(({ name, schema, example }) => {
      if (example === undefined || JSON.stringify(example).includes(`"${noExample}"`))
        return `${name}: ${JSON.stringify(example)}`
      const valid = ajv.validate({ ...schema, components: document.components }, example)
      return valid ? [] : `${name}: ${ajv.errorsText()}`
    })
    expect(wrong).toEqual([])
  })

  test('names for every operation the errors that it can answer with, and every error of /v1 somewhere', () => {
    const named = new Set(operations.flatMap((operation) => operation['x-errors']))
    // Codes that only the console, the command line or the unknown path answers with.
    const elsewhere = ['api_key_revoked', 'message_not_resendable', 'setup_link_invalid']
    elsewhere.push('insufficient_role', 'recent_sign_in_required', 'last_owner', 'sandbox_not_available')
    elsewhere.push('endpoint_not_found', 'member_not_found', 'session_not_found')
    elsewhere.push('two_factor_required', 'two_factor_code_invalid', 'two_factor_setup_required')
    elsewhere.push('two_factor_already_on', 'two_factor_not_on', 'account_not_found', 'account_switched')
    elsewhere.push('channel_not_found', 'channel_pin_rejected')
    elsewhere.push('signup_not_available', 'signup_not_found', 'signup_rejected')
    elsewhere.push('connection_not_found', 'connection_limit_reached', 'connection_secret_not_prepared')
    elsewhere.push('connection_callback_missing', 'connection_handshake_failed')
    elsewhere.push('rate_card_invalid', 'rate_card_not_found', 'operator_only_here')
    elsewhere.push('password_sign_in_off', 'sign_in_provider_unavailable')
    // Of a message that a customer sent: its record has it, and no call.
    // The same of a message that waited for too long.
    elsewhere.push('customer_media_unavailable', 'message_expired')
    expect(errorCodes.filter((code) => !named.has(code)).sort()).toEqual(elsewhere.sort())
  })

  test('says of every operation whether it counts against the plan', () => {
    const free = operations.filter((operation) => operation['x-counts-against-plan'] === false)
    expect(free.map(({ operationId }) => operationId).sort()).toEqual(
      ['createToken', 'listenToEvents', 'refreshToken', 'reportForwarded', 'revokeToken'].sort(),
    )
  })
})

function mediaOf(name: string, content: Media = {}) {
  return Object.entries(content).map(([type, media]) => ({ name, type, ...media }))
}

/** Paths of the fields below a schema that say nothing; a reference says what its schema says. */
function undescribed(schema: Schema, path: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description || field.$ref ? [] : [`${path}.${name}`]),
    ...undescribed(field, `${path}.${name}`),
  ])
  const below = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...fields, ...below.flatMap((one) => undescribed(one, path))]
}
