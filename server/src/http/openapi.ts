import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyContextConfig } from 'fastify'
import { IdempotencyHeaders, refusals } from '../contract/envelope.ts'
import { isRecord } from '../lib/is-record.ts'
import { version } from '../version.ts'
import { completeOperations } from './docs/complete-operations.ts'
import type { OpenApiDocument, Response, Schema, Schemas } from './docs/document.ts'
import type { App } from './edge/context.ts'

type RouteSchema = { params?: { properties?: Record<string, unknown> } }

/** The document is made from the schemas the server validates with; it cannot say anything else than the server does. */
export async function addOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: outline,
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `def-${index}`) },
    transform: ({ schema, url, route: { config = {} } }) => ({
      url: config.documentedUrl ?? url,
      schema: {
        ...namedWildcard((schema ?? {}) as RouteSchema, config.documentedUrl),
        ...factsOf(config),
      } as never,
    }),
  })
  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    // Routes do not change after the start; building the document takes some 100 ms.
    document ??= JSON.stringify(documentOf(app, '/v1/'))
    reply.header('cache-control', 'no-cache').header('access-control-allow-origin', '*')
    return reply.type('application/json; charset=utf-8').send(document)
  })
}

const outline: NonNullable<FastifyDynamicSwaggerOptions['openapi']> = {
  openapi: '3.1.0',
  info: {
    title: 'Postern',
    version: 'v1',
    description:
      'A gateway to the WhatsApp Business Cloud API: tokens, messages, templates, media, webhooks, events and analytics. Authenticate with an access token (Bearer), or with API key and secret (Basic).',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    'x-server-version': version,
  } as never,
  servers: [{ url: '/' }],
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'The sign-in of the console.' },
      accessToken: { type: 'http', scheme: 'bearer', description: 'The access token of POST /v1/auth/token.' },
      apiKey: {
        type: 'http',
        scheme: 'basic',
        description: 'API key and secret as user name and password, instead of a token. For servers, never for pages.',
      },
    },
  },
}

/** The parts of an operation that follow from its access rule. */
function factsOf({ access = 'public', bearerOnly, idempotent, counted = true, deprecated }: FastifyContextConfig) {
  return {
    ...(idempotent ? { headers: IdempotencyHeaders } : {}),
    ...(access === 'public' ? {} : { security: [{ accessToken: [] }, ...(bearerOnly ? [] : [{ apiKey: [] }])] }),
    'x-counts-against-plan': access !== 'public' && counted,
    ...(deprecated ? { deprecated: true } : {}),
    ...(typeof access === 'object' ? { 'x-scope': access.scope } : {}),
  }
}

/** The part of the document whose paths begin with `prefix`, with only the schemas it uses. */
export function documentOf(app: App, prefix: string): OpenApiDocument {
  const whole = withoutHints(app.swagger())
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .filter(([path]) => path.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, methods]) => [path, inOrder(methods)]),
  )
  const used = usedSchemas(paths, whole.components.schemas ?? {})
  const part = { ...whole, paths, components: { ...whole.components, schemas: used } }
  return completeOperations(withNamedRefusals(withOptionalBodies(part)))
}

/** Whatever the order in which routes are added. */
function inOrder<Operation>(methods: Record<string, Operation>): Record<string, Operation> {
  const order = ['get', 'post', 'put', 'patch', 'delete']
  return Object.fromEntries(Object.entries(methods).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))
}

/** The router's `*` has a name in the documented path. */
function namedWildcard(schema: RouteSchema, documentedUrl = ''): object {
  const { '*': wildcard, ...others } = schema.params?.properties ?? {}
  const name = /\{(\w+)\}/.exec(documentedUrl)?.[1]
  if (wildcard === undefined || name === undefined) return schema
  return { ...schema, params: { type: 'object', properties: { ...others, [name]: wildcard } } }
}

/** `null` in a route's schema stands for an absent body; the literal `null` is never a body. */
function withOptionalBodies(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  for (const { requestBody } of operations) {
    for (const media of Object.values(requestBody?.content ?? {})) {
      const [body, absent] = media.schema.anyOf ?? []
      if (!requestBody || !body || absent?.type !== 'null') continue
      media.schema = body
      const { required = [] } = resolved(document, body) ?? body
      requestBody.required = required.length > 0
    }
  }
  return document
}

/** Operations refer to one response per status instead of repeating it; the fields are those of `ErrorAnswer`. */
function withNamedRefusals(document: OpenApiDocument): OpenApiDocument {
  const responses: Record<string, Response> = {}
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const own = operation.responses
    for (const [status, { name, description }] of Object.entries(refusals)) {
      const refusal = own[status]
      if (refusal === undefined) continue
      responses[name] = { ...refusal, description }
      own[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return { ...document, components: { ...document.components, responses } }
}

function resolved({ components }: OpenApiDocument, { $ref = '' }: Schema): Schema | undefined {
  return components.schemas?.[$ref.replace('#/components/schemas/', '')]
}

function usedSchemas(paths: unknown, schemas: Schemas): Schemas {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name] ?? {})
    }
  }
  visit(paths)
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name] ?? {}]))
}

/** Notes to the validator are no part of the contract; a discriminator could only choose between named schemas. */
const hints = ['x-problem', 'x-secret', '$id', 'discriminator']

function withoutHints(document: object): OpenApiDocument {
  return JSON.parse(JSON.stringify(document, (key, value) => (hints.includes(key) ? undefined : described(value))))
}

/** A value that a verb reads and the validator lets pass is shown as the named schema that describes it. */
function described(value: unknown): unknown {
  if (!isRecord(value) || !('x-described-by' in value)) return value
  return { $ref: `#/components/schemas/${String(value['x-described-by'])}` }
}
