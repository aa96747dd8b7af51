import type { FastifyContextConfig, FastifySchema } from 'fastify'

type Declaration = FastifySchema & {
  config: FastifyContextConfig
  operationId: string
  summary: string
  response: object
}

/** Declares the routes of one group in the API document: who may call each of them, and what it takes and answers. */
export function routesOf(tag: string) {
  return <const Route extends Declaration>({ config, ...schema }: Route) => ({
    config,
    schema: { ...schema, tags: [tag] },
  })
}
