import { object } from '../../../contract/schema.ts'
import type { App } from '../context.ts'

/** A parameter in the URL that nobody reads is a mistake to tell, also where a route reads none at all. */
export function closeQueries(app: App): void {
  const nothing = object({})
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/')) route.schema = { querystring: nothing, ...route.schema }
  })
}
