import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { checkCallback, checkExchange, nameOfCall } from '../../sandbox/src/contract/contract.ts'
import type { Sandbox } from '../../sandbox/src/sandbox.ts'

export type ContractProxy = {
  /** Where a client finds the platform. */
  url: string
  /** Every way in which an exchange was not as recorded, each once. */
  differences: string[]
  /** The calls and callback fields that were held against the contract. */
  checked: Set<string>
  /** Callbacks that a test makes wrong on purpose are passed on without a look. */
  looksAtCallbacks: boolean
  close(): Promise<void>
}

/**
 * Stands between a client and the sandbox, in both directions: callback addresses are replaced by one of its own, so that
 * callbacks pass it too. Nothing but those addresses is changed, and a broken connection breaks on the other side as well.
 */
export async function startContractProxy(sandbox: Sandbox): Promise<ContractProxy> {
  const receivers: string[] = []
  const proxy: ContractProxy = {
    url: '',
    differences: [],
    checked: new Set(),
    looksAtCallbacks: true,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const note = (name: string, found: ReturnType<typeof checkExchange>) => {
    proxy.checked.add(name)
    for (const { at, expected, found: kind } of found ?? [{ at: '', expected: 'a recorded contract', found: 'none' }]) {
      const line = `${name}: ${at} is ${kind}, recorded is ${expected}`
      if (!proxy.differences.includes(line)) proxy.differences.push(line)
    }
  }

  const server = createServer(async (req, res) => {
    const target = new URL(req.url ?? '/', proxy.url)
    const body = await buffer(req).catch(() => null)
    if (body === null) return
    const [, place, index] = target.pathname.split('/')
    if (place === '_callback') {
      const receiver = new URL(receivers[Number(index)] ?? '')
      if (req.method === 'POST' && proxy.looksAtCallbacks) noteCallback(JSON.parse(body.toString()), note)
      for (const [name, value] of target.searchParams) receiver.searchParams.set(name, value)
      forward(req, res, receiver, body, { ...req.headers, host: receiver.host })
      return
    }
    const upstream = new URL(target.pathname + target.search, sandbox.url)
    // The sandbox writes links to media with the host it was asked by: it is left as it is.
    const sent = place === '_sandbox' ? body : hideReceivers(body, proxy.url, receivers)
    forward(
      req,
      res,
      upstream,
      sent,
      { ...req.headers, 'content-length': String(sent.length) },
      async (answer) => {
        if (place === '_sandbox' || place === 'whatsapp_business') return
        const said = parsed(answer.body)
        if (said === undefined) return
        const call = nameOfCall(req.method ?? '', target.pathname, (id) => kindOf(sandbox, id, req.method, said))
        const asked = await requestOf(req.headers, body)
        note(call, checkExchange({ call, status: answer.status, request: asked, answer: said }))
      },
      (text) => receivers.reduce((all, url, at) => all.replaceAll(`${proxy.url}/_callback/${at}"`, `${url}"`), text),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

type Answer = { status: number; body: Buffer }

/** Streams where nothing has to be put back into the answer: a slow or broken answer stays slow or broken. */
function forward(
  req: IncomingMessage,
  res: ServerResponse,
  to: URL,
  body: Buffer,
  headers: IncomingHttpHeaders,
  look: (answer: Answer) => Promise<void> = async () => {},
  restore?: (text: string) => string,
): void {
  const { 'transfer-encoding': _, ...sent } = headers
  const upstream = request(to, { method: req.method, headers: sent, agent: false }, (answer) => {
    const chunks: Buffer[] = []
    const status = answer.statusCode ?? 502
    const rewrites = restore !== undefined && /subscri|_configuration/.test(to.pathname + to.search)
    if (!rewrites) res.writeHead(status, answer.headers)
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (!rewrites) res.write(chunk)
    })
    answer.on('error', () => res.destroy())
    answer.on('end', async () => {
      const whole = Buffer.concat(chunks)
      await look({ status, body: whole })
      if (!rewrites) return res.end()
      const { 'content-length': _length, ...kept } = answer.headers
      res.writeHead(status, kept).end(restore(whole.toString()))
    })
  })
  upstream.on('error', () => res.socket?.resetAndDestroy())
  res.on('close', () => upstream.destroy())
  upstream.end(body)
}

function noteCallback(body: unknown, note: (name: string, found: ReturnType<typeof checkCallback>) => void): void {
  const { entry } = body as { entry?: { changes?: { field?: string }[] }[] }
  for (const { field } of entry?.flatMap(({ changes }) => changes ?? []) ?? []) note(`callback ${field}`, [])
  note('callback', checkCallback(body))
}

/** `"callback_url"` and `"override_callback_uri"` of a JSON body point to the proxy from now on. */
function hideReceivers(body: Buffer, proxyUrl: string, receivers: string[]): Buffer {
  const text = body.toString('latin1')
  if (!text.startsWith('{') || !text.includes('callback_ur')) return body
  const hidden = text.replace(
    /("(?:callback_url|override_callback_uri)":\s*")(http[^"]+)"/g,
    (_, key: string, url: string) => {
      const known = receivers.indexOf(url)
      const at = known === -1 ? receivers.push(url) - 1 : known
      return `${key}${proxyUrl}/_callback/${at}"`
    },
  )
  return Buffer.from(hidden, 'latin1')
}

/** The sandbox knows its numbers; of the other nodes the answer says what they are. */
function kindOf(sandbox: Sandbox, id: string, method: string | undefined, answer: unknown): string | undefined {
  const numbers = sandbox.numbers
  if (numbers.some((number) => number.phone_number_id === id)) return 'phone_number'
  if (numbers.some((number) => number.waba_id === id)) return 'waba'
  if (numbers.some((number) => number.app_id === id)) return 'app'
  if (!/^\d+$/.test(id)) return undefined
  const isMedia = method === 'DELETE' || (method === 'GET' && JSON.stringify(answer).includes('"mime_type"'))
  return isMedia ? 'media' : 'template'
}

async function requestOf(headers: IncomingHttpHeaders, body: Buffer): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return parsed(body)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries(form)
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
