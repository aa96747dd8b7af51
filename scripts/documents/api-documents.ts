import { createApp } from '../../server/src/http/app.ts'
import { documentOf } from '../../server/src/http/openapi.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { idleRuntime } from './idle-runtime.ts'
import { postmanCollection } from './pages/postman.ts'

export type ApiDocuments = {
  readonly api: string
  /** The same operations as a Postman collection. */
  readonly postman: string
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
    const api = documentOf(app, '/v1/')
    const postman = toText(postmanCollection(api))
    return { api: toText(api), postman, console: hasConsole ? toText(consoleApi) : null }
  } finally {
    await app.close()
  }
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
