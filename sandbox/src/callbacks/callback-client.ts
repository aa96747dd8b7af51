import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { RequestOptions } from 'node:https'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type WatchedCall, watchedCalls } from '../contract/watched.ts'

export type Outcome = { status: number | null; error: string | null; body: string }

const ANSWER_BYTES_MAX = 4096

/** Speaks to receivers: signed deliveries and the verification handshake, over connections that are kept. */
export class CallbackClient {
  readonly #http = new HttpAgent({ keepAlive: true, scheduling: 'lifo' })
  readonly #https: HttpsAgent
  /** Plain http and certificates that nobody signed are taken too. */
  readonly development: boolean

  constructor(development: boolean) {
    this.development = development
    this.#https = new HttpsAgent({ keepAlive: true, scheduling: 'lifo', rejectUnauthorized: !development })
  }

  post(url: string, body: Buffer, signature: string, timeoutMs: number): Promise<Outcome> {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Hub-Signature-256': signature,
      'User-Agent': 'facebookexternalua',
      Accept: '*/*',
    }
    return this.#exchange(url, { method: 'POST', headers }, body, timeoutMs)
  }

  /** The handshake of an address. */
  async get(url: string, timeoutMs: number): Promise<Outcome> {
    const options = { method: 'GET', headers: { 'User-Agent': 'facebookplatform/1.0' } }
    const outcome = await this.#exchange(url, options, null, timeoutMs)
    if (watchedCalls.hasSubscribers && outcome.status === 200) {
      const asked = [...new URL(url).searchParams].filter(([name]) => name.startsWith('hub.'))
      const exchange = { call: 'GET {callback}', status: 200, request: Object.fromEntries(asked), answer: outcome.body }
      watchedCalls.publish(exchange satisfies WatchedCall)
    }
    return outcome
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #exchange(url: string, options: RequestOptions, body: Buffer | null, timeoutMs: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const fail = (error: string) => resolve({ status: null, error, body: '' })
      if (!/^https?:/.test(url) || !URL.canParse(url)) return fail('the callback address is not an http(s) URL')
      const secure = url.startsWith('https:')
      const send = secure ? httpsRequest : httpRequest
      const request = send(url, { ...options, agent: secure ? this.#https : this.#http }, (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (answer.length < ANSWER_BYTES_MAX) answer += chunk
        })
        response.on('error', (error) => fail(error.message))
        response.on('end', () => resolve({ status: response.statusCode ?? null, error: null, body: answer }))
        response.on('close', () => {
          clearTimeout(timer)
          fail('the connection closed in the middle of the answer')
        })
      })
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      request.on('error', (error) => {
        clearTimeout(timer)
        fail(error.message)
      })
      request.end(body ?? undefined)
    })
  }
}
