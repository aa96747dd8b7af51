import { createApp } from '../../server/src/http/app.ts'
import { documentOf, type OpenApiDocument } from '../../server/src/http/openapi.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { idleRuntime } from './idle-runtime.ts'

export type ApiDocuments = {
  readonly api: string
  /** Null until the console has routes. */
  readonly console: string | null
}

/** The OpenAPI documents of the very routes that serve: the application is built, but never listens. */
export async function apiDocuments(): Promise<ApiDocuments> {
  const app = await createApp(idleRuntime(), { readiness: { check: async () => [] }, resources })
  try {
    await app.ready()
    const consoleApi = documentOf(app, '/console/api/')
    const hasConsole = Object.keys(consoleApi.paths).length > 0
    return { api: toText(documentOf(app, '/v1/')), console: hasConsole ? toText(consoleApi) : null }
  } finally {
    await app.close()
  }
}

function toText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
