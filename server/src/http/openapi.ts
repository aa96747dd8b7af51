import swagger from '@fastify/swagger'
import type { Runtime } from '../runtime.ts'
import { version } from '../version.ts'
import type { App } from './context.ts'

export type OpenApiDocument = {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: { schemas?: Record<string, unknown>; securitySchemes?: Record<string, unknown> }
  [key: string]: unknown
}

/** The document is made from the schemas the server validates with; it cannot say anything else than the server does. */
export async function addOpenApi(app: App, _rt: Runtime): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Postern',
        version: 'v1',
        description:
          'A gateway to a business chat channel: tokens, messages, templates, media, webhooks, events and analytics.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        'x-server-version': version,
      } as never,
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', description: 'The access token of POST /v1/auth/token.' },
        },
      },
    },
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `def-${index}`) },
    transform: ({ schema, url, route }) => {
      const config = (route.config ?? {}) as {
        documentedUrl?: string
        access?: { scope?: string } | 'token' | 'public'
      }
      const access = config.access ?? 'public'
      const scope = typeof access === 'object' ? access.scope : undefined
      return {
        url: config.documentedUrl ?? url,
        schema: {
          ...(schema as object),
          ...(access === 'public' ? {} : { security: [{ accessToken: [] }] }),
          ...(scope === undefined ? {} : { 'x-scope': scope }),
        } as never,
      }
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache').header('access-control-allow-origin', '*')
    return documentOf(app, '/v1/')
  })
}

/** The part of the document whose paths begin with `prefix`, with only the schemas it uses. */
export function documentOf(app: App, prefix: string): OpenApiDocument {
  const whole = app.swagger() as unknown as OpenApiDocument
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .filter(([path]) => path.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const used = usedSchemas(paths, whole.components.schemas ?? {})
  return withoutHints({ ...whole, paths, components: { ...whole.components, schemas: used } })
}

function usedSchemas(paths: unknown, schemas: Record<string, unknown>): Record<string, unknown> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name] ?? {})
    }
  }
  visit(paths)
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name]]))
}

/** Our notes to the validator are not part of the contract. */
function withoutHints(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (key, value) => (key === 'x-problem' || key === '$id' ? undefined : value))
  return JSON.parse(text) as OpenApiDocument
}
