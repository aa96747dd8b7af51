import type { FastifySchema } from 'fastify'
import { ErrorAnswer, errorStatuses } from '../../../contract/envelope.ts'
import { object, ref } from '../../../contract/schema.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { App } from '../context.ts'

/**
 * Every route of /v1 documents the whole closed table of refusals; a route names only what it answers on success. A
 * parameter in the URL that nobody reads is a mistake to tell, also where a route reads none at all.
 */
export function completeV1Schemas(app: App): void {
  const nothing = object({})
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/')) route.schema = withRefusals({ querystring: nothing, ...route.schema })
  })
}

export function withRefusals(schema: FastifySchema = {}): FastifySchema {
  const refusals = Object.fromEntries(errorStatuses.map((status) => [status, ref(ErrorAnswer)]))
  return { ...schema, response: { ...refusals, ...(isRecord(schema.response) ? schema.response : {}) } }
}
