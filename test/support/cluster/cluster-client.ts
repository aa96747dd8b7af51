import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Tenant } from '../../../scripts/cluster.ts'
import type { Recorder } from '../checker/history.ts'

export type Reply = {
  status: number
  code: string | null
  /** Of a refusal: why. */
  reason: string | null
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: answers are what tests look into
  data: any
}
export type Caller = Pick<Tenant, 'apiKey' | 'apiSecret'>
export type Call = { method?: string; body?: unknown; headers?: Record<string, string> }

export type ClusterClient = {
  call(nodeUrl: string, caller: Caller, path: string, call?: Call): Promise<Reply>
  /** Sends a text through one node after the other until it is settled; every step goes into the history. */
  send(tenant: Tenant, id: string, to: string, from?: number): Promise<void>
  close(): Promise<void>
}

export type ClientOptions = {
  nodes: readonly { readonly url: string }[]
  recorder: Recorder
  /** A client that waits longer than the gateway promises to need gives up and repeats. */
  patienceMs: number
  /** To each node; 64 unless given. */
  connections?: number
  /** How often a request is repeated whose answer was lost or says to repeat it. */
  repeatsMax: number
}

/** Kept connections, as every client library has them: what a node does with these when it stops is part of the test. */
export function createClusterClient(options: ClientOptions): ClusterClient {
  const { nodes, recorder, patienceMs, repeatsMax, connections = 64 } = options
  const dispatcher = new Agent({ connections, pipelining: 1 })
  return {
    call,
    close: () => dispatcher.destroy(),
    async send(tenant, id, to, from = 0) {
      const subject = { tenant: tenant.name, id }
      const body = { to, message: id, client_reference: id }
      let repeats = 0
      for (let attempt = 0; ; attempt++) {
        recorder.record({ kind: 'request', ...subject, attempt })
        try {
          const url = nodes[(from + attempt) % nodes.length]?.url ?? ''
          const headers = { 'idempotency-key': id }
          const reply = await call(url, tenant, '/v1/chat/messages/send', { body, headers })
          const messageId = (reply.data?.message_id as string | undefined) ?? null
          const { status, code, reason } = reply
          recorder.record({ kind: 'answer', ...subject, attempt, status, code, reason, messageId })
          if (!saysRepeat.includes(code ?? '') || ++repeats > repeatsMax) return
          await delay(50)
        } catch (error) {
          const refused = (error as { code?: string }).code === 'ECONNREFUSED'
          recorder.record({ kind: refused ? 'refused' : 'broken', ...subject, attempt })
          if (refused) await delay(20)
          else if (++repeats > repeatsMax) return
        }
      }
    },
  }

  async function call(
    nodeUrl: string,
    { apiKey, apiSecret }: Caller,
    path: string,
    options: Call = {},
  ): Promise<Reply> {
    const { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = options
    const response = await request(`${nodeUrl}${path}`, {
      method: method as 'GET',
      dispatcher,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
      headers: {
        authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.body.text()
    const parsed = text === '' ? {} : JSON.parse(text)
    return {
      status: response.statusCode,
      code: parsed.error?.code ?? null,
      reason: parsed.error?.message ?? null,
      headers: response.headers,
      data: parsed.data,
    }
  }
}

const saysRepeat = ['idempotency_in_progress', 'service_unavailable', 'upstream_unavailable']
