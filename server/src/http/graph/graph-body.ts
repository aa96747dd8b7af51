import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { readBody } from '../edge/body/read-body.ts'
import type { App } from '../edge/context.ts'

const bodyBytesMax = 256 * 1024

/** JSON and forms, as Meta takes them; anything else is read as JSON, because some tools name no type. */
export function addGraphBodies(graph: App, { config }: Runtime): void {
  const limits = { bytesMax: bodyBytesMax, timeoutMs: config.bodyTimeoutMs }
  const text = async (payload: IncomingMessage) => (await readBody(payload, limits)).toString('utf8')
  graph.removeAllContentTypeParsers()
  graph.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { access_token: token, ...form } = formOf(await text(payload))
      if (typeof token === 'string' && token.includes('|')) return { ...form, access_token: token }
      if (typeof token === 'string' && token !== '') request.formToken = token
      return form
    },
  )
  graph.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    const body = await text(payload)
    return body.trim() === '' ? {} : jsonOf(body)
  })
}

/** A form whose values are JSON where they look like it: Meta reads both alike. */
function formOf(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [name, /^[[{]/.test(value) ? jsonValue(value) : value]),
  )
}

function jsonOf(text: string): Record<string, unknown> {
  const body = jsonValue(text)
  if (!isRecord(body)) throw new AppError('malformed_json', 'The body must be one JSON object.')
  return body
}

const longNumber = /\d{16}/

/** Numbers that do not fit a double keep their digits: an id written as one would otherwise become another. */
function jsonValue(text: string): unknown {
  if (text.includes('\u0000') || text.includes('\\u0000')) {
    throw new AppError('malformed_json', 'The body contains the character U+0000.')
  }
  try {
    return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.')
  }
}

type Raw = { rawJSON(text: string): unknown }

function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined
  return isInexact && /^-?\d+$/.test(context.source ?? '')
    ? (JSON as unknown as Raw).rawJSON(context.source ?? '')
    : value
}
