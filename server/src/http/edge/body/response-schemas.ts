import type { FastifySchema } from 'fastify'
import { ErrorAnswer, errorStatuses } from '../../../contract/envelope.ts'
import { ref } from '../../../contract/schema.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { App } from '../context.ts'

/** Every route of /v1 documents the whole closed table of refusals; a route names only what it answers on success. */
export function documentV1Answers(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return
    route.schema = withRefusals(route.schema)
  })
}

export function withRefusals(schema: FastifySchema = {}): FastifySchema {
  const refusals = Object.fromEntries(errorStatuses.map((status) => [status, ref(ErrorAnswer)]))
  return { ...schema, response: { ...refusals, ...(isRecord(schema.response) ? schema.response : {}) } }
}
