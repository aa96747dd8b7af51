import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { FastifySchema } from 'fastify'
import { ErrorAnswer, errorStatuses } from '../../../contract/envelope.ts'
import { object, ref } from '../../../contract/schema.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { App } from '../context.ts'

type Serialize = (data: unknown) => string
type RouteSchema = { schema?: unknown }

// Kept for all apps of the process.
const made = new Map<string, Serialize>()

/**
 * Answers are written by code made from their schema, which strips what is not declared. Making that code for every
 * status of every route with every named schema costs seconds at start; so it is made at the first use, once per
 * schema, and with the named schemas it refers to alone.
 */
export function buildSerializer(named: unknown) {
  return ({ schema }: RouteSchema): Serialize => {
    let serialize: Serialize | undefined
    return (data) => {
      serialize ??= make(JSON.stringify(schema), named as Record<string, Schema>)
      return serialize(data)
    }
  }
}

function make(text: string, named: Record<string, Schema>): Serialize {
  const schemas = referred(text, named)
  const key = `${text}${JSON.stringify(schemas)}`
  const schema: Schema = JSON.parse(text)
  const serialize = made.get(key) ?? fastJsonStringify(schema, { schema: schemas })
  made.set(key, serialize)
  return serialize
}

/** The named schemas that a text refers to, and those they refer to. */
function referred(text: string, named: Record<string, Schema>): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const visit = (part: string): void => {
    for (const [, name = ''] of part.matchAll(/"\$ref":"([^"#]+)#"/g)) {
      const schema = named[name]
      if (!schema || name in found) continue
      found[name] = schema
      visit(JSON.stringify(schema))
    }
  }
  visit(text)
  return found
}

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
