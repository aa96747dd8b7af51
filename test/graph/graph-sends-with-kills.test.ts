import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { freePort, prepareAccount, startGateway } from '../support/kills/killed-gateway.ts'
import { dayMs, type LostAnswer, lostAnswers } from '../support/lost-answers.ts'
import { engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * A client that knows no idempotency key and sends again whenever something went wrong: after 5 s without an answer, a cut
 * connection, a 5xx or a throttle, five times, on PostgreSQL at another node each time. Nodes are killed, the platform accepts
 * and then fails, and a proxy between client and gateway swallows answers.
 */
const sends = scaled(240)
const isLong = scaled(1) > 1
const kills = Math.min(100, scaled(2))
/** Each lost answer keeps a caller for seconds; so many keep the number at its limit. */
const concurrency = isLong ? 128 : 16
/** Each start of a process costs the short version two seconds. */
const nodesOf = { sqlite: 1, postgres: isLong ? 3 : 2 }
const lossEvery = 8
const swallowEvery = 10
const attemptsMax = 6
const patienceMs = 5_000
/** An equal body that comes later after an answer is a new message. On a machine with ten times its work a process starts that slowly. */
const keptMs = 60_000

type Outcome = { ended: boolean; attempts: number; id: string | null; longestPauseMs: number }

describe.each(engines)('clients that repeat on every error, with kill -9 of the gateway, on %s', (engine) => {
  test(
    'send nothing twice, and every message has an end',
    async () => {
      const database = await freshDatabase(engine)
      await using cleanup = new AsyncDisposableStack()
      cleanup.defer(() => database.remove())
      const sandbox = await startSandbox({
        port: 0,
        development: true,
        scenario: {
          delays: { sent_ms: 0, delivered_ms: 5 },
          callbacks: { flush_ms: 500, never_read: true },
          throttle: false,
        },
        messagesMax: sends * 2,
      })
      cleanup.defer(() => sandbox.close())
      const nodes: Node[] = []
      for (let nth = 0; nth < nodesOf[engine]; nth++) {
        const node = await startNode(database, nth)
        cleanup.defer(() => node.gateway.destroy())
        nodes.push(node)
      }
      const [{ env, base }] = nodes as [Node]
      const setup = await prepareAccount(env, sandbox.url)
      cleanup.defer(() => setup.close())
      const proxies = await Promise.all(nodes.map((node) => startSwallowingProxy(node.base)))
      for (const proxy of proxies) cleanup.defer(() => proxy.close())
      const places = async (addresses: string[]) => {
        const token = await setup.connect({ window: 'meta' })
        return addresses.map((address, nth) => ({ base: address, token, up: () => nodes[nth]?.up }))
      }
      const direct = await places(nodes.map((node) => node.base))
      const behind = await places(proxies.map(({ url }) => url))
      const outcomes = new Map<string, Outcome>()
      const lossOf = new Map<string, LostAnswer>()
      let next = 0
      const worker = async () => {
        while (next < sends) {
          const nth = next++
          const reference = `tool-${String(nth).padStart(7, '0')}`
          const to = `+49301${reference.slice(5)}`
          sandbox.control.setCustomer({ phone_number_id: setup.numberId, phone_number: to, window: 'open' })
          const loss = nth % lossEvery === 0 ? lostAnswers[(nth / lossEvery) % lostAnswers.length] : undefined
          if (loss) {
            lossOf.set(reference, loss)
            sandbox.control.addRule({ when: { endpoint: 'messages', to }, count: 1, do: loss.effects })
          }
          const body = { messaging_product: 'whatsapp', to, type: 'text', text: { body: reference } }
          outcomes.set(reference, await sendStubbornly(nth % 2 === 0 ? direct : behind, nth, setup.numberId, body))
        }
      }
      const workers = Promise.all(Array.from({ length: concurrency }, worker))
      for (let kill = 1; kill <= kills; kill++) {
        const at = Math.floor((sends * kill) / (kills + 1))
        await waitFor(() => next >= at, 600_000)
        await pause(randomInt(1, 20)) // a moment nobody chose
        const node = nodes[kill % nodes.length] as Node
        node.gateway.signal('SIGKILL')
        const restarted = node.gateway.ended.then(() => startGateway(node.env))
        node.up = restarted
        node.gateway = await restarted
        await setup.renewToken()
      }
      await workers

      const atPlatform = new Map<string, number>()
      for (const text of textsAt(sandbox)) atPlatform.set(text, (atPlatform.get(text) ?? 0) + 1)
      const isLate = (reference: string) => (outcomes.get(reference)?.longestPauseMs ?? 0) >= keptMs
      const doubled = [...atPlatform].filter(([, count]) => count > 1)
      expect(doubled.filter(([reference]) => !isLate(reference))).toEqual([])
      // A success of a message that was never sent: only the process that died before its call may have left one.
      const told = [...outcomes].filter(([, { ended }]) => ended)
      const unsent = told.filter(([reference]) => !atPlatform.has(reference))
      expect(unsent.filter(([, { id }]) => !id?.startsWith('wamid.PTN'))).toEqual([])
      expect(unsent.length).toBeLessThanOrEqual(kills * concurrency)
      expect(told.length).toBeGreaterThan(sends - kills * concurrency)

      await setup.renewToken()
      sandbox.control.advance(dayMs)
      const isNeverTold = (reference: string) => lossOf.get(reference)?.telling === 'never'
      const waiting = async () => {
        const queued = await queuedTexts(base, setup.token)
        return queued.filter((reference) => atPlatform.has(reference) && !isNeverTold(reference))
      }
      await waitFor(async () => (await waiting()).length === 0, 60_000)
      const attempts = [...outcomes.values()].reduce((sum, one) => sum + one.attempts, 0)
      const swallowed = proxies.reduce((sum, proxy) => sum + proxy.swallowed(), 0)
      const aliases = told.filter(([, { id }]) => id?.startsWith('wamid.PTN')).length
      recordFigure(
        'sends of tools with kills',
        engine,
        `${engine}, nodes ${nodes.length}: ${sends} messages, ${attempts} requests, ${kills} kills, ${swallowed} swallowed answers, ${aliases} aliases; doubled 0 (repeated after more than a minute, and so sent again: ${doubled.length}), without an end 0`,
      )
      expect(attempts).toBeGreaterThan(sends)
      expect(swallowed).toBeGreaterThan(0)
    },
    isLong ? 7_200_000 : 240_000,
  )
})

type Node = {
  env: Record<string, string>
  base: string
  gateway: Awaited<ReturnType<typeof startGateway>>
  up: Promise<unknown>
}

async function startNode({ folder, database }: TestDatabase, nth: number): Promise<Node> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env: Record<string, string> = {
    POSTERN_DATA_DIR: nth === 0 ? folder : `${folder}/node-${nth}`,
    POSTERN_MASTER_KEY: 'd'.repeat(64),
    POSTERN_SANDBOX_LISTEN: 'off',
    POSTERN_LISTEN: `127.0.0.1:${port}`,
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_BASE_URL: base,
    POSTERN_SEND_SETTLE_WAIT_MS: '1000',
    POSTERN_REQUEST_LOG: 'off',
    POSTERN_LOG_LEVEL: 'error',
    ...(database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}),
  }
  return { env, base, gateway: await startGateway(env), up: Promise.resolve() }
}

type Place = { base: string; token: string; up(): Promise<unknown> | undefined }

async function sendStubbornly(places: Place[], nth: number, number: string, body: object): Promise<Outcome> {
  let longestPauseMs = 0
  let lastBeganAt = performance.now()
  for (let attempts = 1; ; attempts++) {
    const { base, token, up } = places[(nth + attempts) % places.length] as Place
    await up()
    const beganAt = performance.now()
    const id = await sendOnce(`${base}/graph/v22.0/${number}/messages`, token, body)
    // The answer before may be as old as its request.
    longestPauseMs = Math.max(longestPauseMs, performance.now() - lastBeganAt)
    lastBeganAt = beganAt
    if (id !== null || attempts === attemptsMax) return { ended: id !== null, attempts, id, longestPauseMs }
  }
}

/** The id of the message; null for everything after which this client comes again. */
async function sendOnce(url: string, token: string, body: object): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    const answer = (await response.json()) as { messages?: { id: string }[]; error?: { code: number } }
    if (response.status >= 500 || response.status === 429) {
      await pause(200)
      return null
    }
    if (response.status !== 200) throw new Refused(JSON.stringify(answer.error))
    return answer.messages?.[0]?.id ?? null
  } catch (error) {
    if (error instanceof Refused) throw error
    return null
  }
}

class Refused extends Error {}

/** Hands requests on, and cuts the connection in place of every tenth answer. */
async function startSwallowingProxy(target: string) {
  let requests = 0
  let swallowed = 0
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = request
    const sent = await buffer(request)
    const { authorization = '', 'content-type': type = '' } = headers
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: { authorization, 'content-type': type },
      ...(sent.length > 0 && { body: sent }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (++requests % swallowEvery === 0) {
      swallowed++
      return void request.socket.destroy()
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
  }
  const server: Server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowed: () => swallowed,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function textsAt(sandbox: Sandbox): string[] {
  const texts: string[] = []
  for (let after = ''; ; ) {
    const { data } = sandbox.control.messages({ direction: 'outbound', limit: 10_000, after })
    texts.push(...data.map(({ text }) => String(text)))
    if (data.length < 10_000) return texts
    after = String(data.at(-1)?.id)
  }
}

/** The words of all messages that wait for their outcome. */
async function queuedTexts(base: string, token: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = `${base}/v1/chat/messages?status=queued&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as {
      data: { messages: { content: { text: string } | null }[]; pagination: { next_cursor: string | null } }
    }
    found.push(...data.messages.map(({ content }) => content?.text ?? ''))
    cursor = data.pagination.next_cursor
  }
  return found
}
