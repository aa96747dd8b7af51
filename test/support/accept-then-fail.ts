import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RunningSandbox, startOwnSandbox } from '../../cli/src/own-sandbox.ts'
import type { Config } from '../../server/src/config/config.ts'

/** What the platform says about a message that it has accepted: a code with its HTTP status, a bare status, or nothing. */
export type FaultAfterAccept = { code: number; status: number } | { status: number } | 'cut'

export type FailingPlatform = {
  /** By the recipient of the post, as it stands in the body. */
  readonly faults: Map<string, FaultAfterAccept>
  /** Recipients of all posts of messages, in order; each with what the platform decided before it failed, and as it arrived. */
  readonly posts: { to: string; accepted: boolean; body: Record<string, unknown>; text: string }[]
  start(config: Config): Promise<RunningSandbox | null>
}

/** The sandbox behind a proxy that lets it accept a message, statuses and all, and then spoils its response. */
export function aFailingPlatform(): FailingPlatform {
  const faults: FailingPlatform['faults'] = new Map()
  const posts: FailingPlatform['posts'] = []

  async function pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url = '/' } = request
    const headers = new Headers(Object.entries(request.headers).filter(isPassedOn))
    const init = { method, headers, redirect: 'manual' as const }
    const passed = await fetch(`${target}${url}`, body.length === 0 ? init : { ...init, body })
    const text = Buffer.from(await passed.arrayBuffer())
    const fault = method === 'POST' && /\/messages(\?|$)/.test(url) ? faultOf(body, passed.ok) : undefined
    if (fault === 'cut') return void request.socket.destroy()
    response.statusCode = fault?.status ?? passed.status
    response.setHeader('content-type', passed.headers.get('content-type') ?? 'application/json')
    if (!fault) return void response.end(text)
    response.end('code' in fault ? JSON.stringify({ error: { code: fault.code, message: 'Failed.' } }) : '')
  }

  function faultOf(body: Buffer, accepted: boolean): FaultAfterAccept | undefined {
    const text = body.toString('utf8')
    const message = JSON.parse(text) as { to?: string; recipient?: string } & Record<string, unknown>
    const to = message.to ?? message.recipient
    if (to === undefined) return undefined
    posts.push({ to, accepted, body: message, text })
    return accepted ? faults.get(to) : undefined
  }

  return {
    faults,
    posts,
    async start(config) {
      const sandbox = await startOwnSandbox(config)
      if (!sandbox) return null
      const server = createServer((request, response) => {
        pass(sandbox.forService.url, request, response).catch(() => request.socket.destroy())
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return {
        forService: { ...sandbox.forService, url },
        async close() {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
          await sandbox.close()
        },
      }
    },
  }
}

function isPassedOn(header: [string, string | string[] | undefined]): header is [string, string] {
  return typeof header[1] === 'string' && !['host', 'connection', 'content-length'].includes(header[0])
}
