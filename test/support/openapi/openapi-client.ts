import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { json, text } from 'node:stream/consumers'
import type { Operation } from './openapi-operations.ts'
import type { ApiRequest } from './openapi-requests.ts'

export type HttpAnswer = { status: number; headers: Record<string, string>; body: unknown }
export type Client = {
  send(operation: Operation, request: ApiRequest, token: string): Promise<HttpAnswer>
  /** With these bytes as its JSON body, which no client library would send. */
  sendBytes(operation: Operation, request: ApiRequest, token: string, body: string | Buffer): Promise<HttpAnswer>
  close(): void
}
type RawRequest = { method: string; path: string; headers: Record<string, string>; body?: string | Buffer }

/** Over real sockets, and without fetch: that would tidy up paths before anyone sees them. */
export function createClient(baseUrl: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const sendRaw = async ({ method, path, headers, body }: RawRequest): Promise<HttpAnswer> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const { hostname, port } = new URL(baseUrl)
      const outgoing = httpRequest({ agent, hostname, port, method, path, headers: { ...headers, ...length } })
      outgoing.on('response', resolve).on('error', reject).end(body)
    })
    const type = response.headers['content-type'] ?? ''
    const isJson = type.startsWith('application/json')
    // A stream of events never ends by itself.
    if (type.startsWith('text/event-stream')) response.destroy()
    const isStream = response.destroyed
    return {
      status: response.statusCode ?? 0,
      headers: response.headers as Record<string, string>,
      body: isStream ? '' : await (isJson ? json(response) : text(response)),
    }
  }
  return {
    sendBytes: (operation, request, token, body) => {
      const raw = toRaw(operation, request, token)
      return sendRaw({ ...raw, headers: { ...raw.headers, 'content-type': 'application/json' }, body })
    },
    send: (operation, request, token) => sendRaw(toRaw(operation, request, token)),
    close: () => agent.destroy(),
  }
}

function toRaw({ method, path, body }: Operation, request: ApiRequest, token: string): RawRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request.path[name])))
  const query = new URLSearchParams(
    Object.entries(request.query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)] as [string, string]),
    ),
  )
  const headers = { authorization: `Bearer ${token}`, ...(request.header as Record<string, string>) }
  const target = `${filled}${query.size > 0 ? `?${query}` : ''}`
  if (request.body === undefined) return { method, path: target, headers }
  const content = body?.mediaType === 'multipart/form-data' ? toForm(request.body) : toJson(request.body)
  return { method, path: target, headers: { ...headers, 'content-type': content.type }, body: content.bytes }
}

function toJson(value: unknown) {
  return { type: 'application/json', bytes: JSON.stringify(value) }
}

const boundary = 'edge-of-a-part'

/** The field `file` goes as a file, everything else as text. */
function toForm(value: unknown) {
  const parts = Object.entries(value as Record<string, unknown>).map(([name, field]) => {
    const head = name === 'file' ? '; filename="upload"\r\nContent-Type: application/octet-stream' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${String(field)}\r\n`
  })
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: `${parts.join('')}--${boundary}--\r\n` }
}
