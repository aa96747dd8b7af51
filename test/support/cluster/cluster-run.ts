import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Tenant } from '../../../scripts/cluster.ts'
import { checkHistory, type Rules, type Verdict } from '../checker/check-history.ts'
import { createRecorder, type Recorder } from '../checker/history.ts'
import { lostAnswers } from '../lost-answers.ts'
import { scaled } from '../proof.ts'
import { type HostileReceiver, type ReceivedRequest, startHostileReceiver } from '../receiver/hostile-receiver.ts'
import { waitFor } from '../wait-for.ts'
import { type Call, type ClientOptions, type ClusterClient, createClusterClient, type Reply } from './cluster-client.ts'

/** What nodes need in tests, with the time limits of the product. */
export const clusterSettings = {
  POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
  POSTERN_WINDOW_POLICY: 'platform',
  POSTERN_SHUTDOWN_DELAY: '1s',
}

/**
 * Limits short enough that a node can be stopped beyond its leases while a test waits. A receiver that needs 2 s, as on a
 * busy machine, gets its event again.
 */
export const shortLeases = {
  ...clusterSettings,
  POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS: '2000',
  POSTERN_WEBHOOK_RETRY_SCHEDULE: '0s, 200ms, 500ms, 1s, 2s, 5s, 5s, 5s',
  POSTERN_JOB_LEASE_MS: '3000',
  POSTERN_SEND_TIMEOUT_MS: '6000',
}
/** The larger of the settings above and one and a half times the time of an attempt. */
export const leaseMs = 3_000

export const clusterSandbox = {
  scenario: {
    delays: { sent_ms: 0, delivered_ms: 5, read_ms: 10 },
    // Twice the pause after each failure, up to 3.6 s: behind a long fault Meta's own would be longer than any test.
    callbacks: { flush_ms: 20, retry_scale: 0.001 },
    // A new number may write to 250 customers a day, and here every message has its own.
    throttle: false,
  },
}

const sendersPerTenant = 4
/**
 * In a proof, the nodes are as busy as the machine lets them be. In `npm test`, 80 messages a second are under way at
 * each fault just as well, for a third of the processor time.
 */
const usualPauseMs = scaled(1) > 1 ? 20 : 100
/** Nothing arrives for so long: nothing will. A status that found no message yet is looked at again after 60 s at most. */
const restMs = 75_000
const eventTypes = ['message.sent', 'message.delivered', 'message.read']

export type ClusterRun = AsyncDisposable & {
  readonly tenants: readonly Tenant[]
  readonly recorder: Recorder
  /** Asks one of the nodes, by its number. */
  ask(node: number, tenant: Tenant, path: string, call?: Call): Promise<Reply>
  sendOne(tenant: Tenant): Promise<void>
  /** Messages that clients have begun to send. */
  readonly begun: number
  /** Both tenants send, each some messages at a time, spread over the nodes, until told to stop. */
  load(goesOn: () => boolean): Promise<void>
  /** Waits until everything has come to rest, asks the gateway for its view, and judges the history. */
  verdict(rules?: Partial<Rules>): Promise<Verdict>
}

export type RunOptions = Partial<ClientOptions> & {
  /** Of a sender between two messages of the load. */
  pauseMs?: number
  /** The platform accepts one message in so many and loses its answer, each time in another way; else none. */
  lossEvery?: number
}

/** What comes a day later would take the clock of all runs along. */
const losses = lostAnswers.filter(({ telling }) => telling !== 'after a day')

/** Two tenants of their own with a webhook each, and everything that is seen of them. */
export async function startRun(cluster: Cluster, options: RunOptions = {}): Promise<ClusterRun> {
  const { pauseMs = usualPauseMs, lossEvery, ...clientOptions } = options
  const recorder = createRecorder()
  const run = randomBytes(3).toString('hex')
  const tenants = await Promise.all(['red', 'blue'].map((name) => cluster.openTenant(`${name}-${run}`)))
  const receiver = await startHostileReceiver({ inspect: (request) => recordEvent(recorder, request) })
  const client = createClusterClient({
    nodes: cluster.nodes,
    recorder,
    patienceMs: 10_000,
    repeatsMax: 3,
    ...clientOptions,
  })
  const [{ url: anyNode } = { url: '' }] = cluster.nodes
  await Promise.all(tenants.map((tenant) => addWebhook(client, anyNode, tenant, receiver)))
  const usedBefore = await Promise.all(tenants.map((tenant) => quotaUsed(client, anyNode, tenant)))
  let begun = 0
  const silent = new Set<string>()
  const asked = new Map<Tenant, number>()
  const sendOne = (tenant: Tenant): Promise<void> => {
    const nth = begun++
    const id = `${tenant.name}-${String(nth).padStart(6, '0')}`
    const to = openWindow(cluster, tenant, nth)
    const loss = lossEvery && nth % lossEvery === 0 ? losses[(nth / lossEvery) % losses.length] : undefined
    if (loss?.telling === 'never') silent.add(id)
    // A second call for the message would be taken, and seen.
    if (loss) cluster.sandbox.control.addRule({ when: { endpoint: 'messages', to }, count: 1, do: loss.effects })
    return client.send(tenant, id, to, nth)
  }
  return {
    tenants,
    recorder,
    sendOne,
    async ask(node, tenant, path, call) {
      const reply = await client.call(cluster.nodes[node % cluster.nodes.length]?.url ?? '', tenant, path, call)
      // What failed on our side is not charged.
      if (reply.status < 500) asked.set(tenant, (asked.get(tenant) ?? 0) + 1)
      return reply
    },
    get begun() {
      return begun
    },
    async load(goesOn) {
      const sender = async (tenant: Tenant) => {
        while (goesOn()) {
          await sendOne(tenant)
          await delay(pauseMs)
        }
      }
      await Promise.all(tenants.flatMap((tenant) => Array.from({ length: sendersPerTenant }, () => sender(tenant))))
    },
    async verdict(rules = {}) {
      const used = await Promise.all(tenants.map((tenant) => quotaUsed(client, anyNode, tenant)))
      for (const [index, tenant] of tenants.entries()) {
        const [before, now] = [usedBefore[index], used[index]]
        // This question was counted too, as were those of the test. Another hour counts from zero.
        if (before && now && now.resetsAt === before.resetsAt) {
          const value = now.used - before.used - 1 - (asked.get(tenant) ?? 0)
          recorder.record({ kind: 'figure', tenant: tenant.name, name: 'requests', value })
        }
        recordPlatform(recorder, cluster, tenant, silent)
      }
      const complete: Rules = { events: eventTypes, repeatsMax: 0, deadlineMs: 10_000, refusals: [], ...rules }
      await untilAtRest(recorder, complete)
      for (const tenant of tenants) await recordView(recorder, client, anyNode, tenant)
      return checkHistory(recorder.history, complete)
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await receiver.close()
    },
  }
}

async function addWebhook(client: ClusterClient, node: string, tenant: Tenant, receiver: HostileReceiver) {
  const body = { url: `${receiver.url}/${tenant.name}`, events: eventTypes }
  const { status, data } = await client.call(node, tenant, '/v1/webhooks', { body })
  if (status >= 300) throw new Error(`The webhook was refused with ${status}.`)
  await waitFor(async () => {
    const webhook = await client.call(node, tenant, `/v1/webhooks/${data.id}`)
    return webhook.data.verification.status === 'verified'
  })
}

/** A customer of its own for every message: Meta takes one message in six seconds to the same one. */
function openWindow({ sandbox }: Cluster, { numberId }: Tenant, nth: number): string {
  const phone = `+49301${String(nth).padStart(7, '0')}`
  sandbox.control.setCustomer({ phone_number_id: numberId, phone_number: phone, window: 'open' })
  return phone
}

function recordEvent(recorder: Recorder, { path, headers, body }: ReceivedRequest): void {
  const { id, type, data } = JSON.parse(body.toString()) as {
    id: string
    type: string
    data?: { message_id: string; client_reference: string; sequence: number }
  }
  if (!data || !eventTypes.includes(type)) return
  recorder.record({
    kind: 'webhook',
    tenant: path.slice(1),
    id: data.client_reference,
    messageId: data.message_id,
    event: { id, type, sequence: data.sequence, attempt: Number(headers['x-postern-attempt']) },
  })
}

function recordPlatform(recorder: Recorder, { sandbox }: Cluster, tenant: Tenant, silent: ReadonlySet<string>): void {
  const epoch = performance.timeOrigin
  for (let after = ''; ; ) {
    const page = sandbox.control.messages({
      phone_number_id: tenant.numberId,
      direction: 'outbound',
      limit: 10_000,
      after,
    })
    for (const { id, text, accepted_at } of page.data) {
      const seen = { id: String(text), messageId: String(id), silent: silent.has(String(text)) }
      recorder.record({ kind: 'platform', tenant: tenant.name, ...seen }, Date.parse(String(accepted_at)) - epoch)
    }
    if (page.data.length < 10_000) return
    after = String(page.data.at(-1)?.id)
  }
}

/** Behind an overload thousands of events may wait for minutes: as long as some arrive, others are on their way. */
async function untilAtRest(recorder: Recorder, rules: Rules): Promise<void> {
  let left = unfinished(recorder, rules)
  for (let until = performance.now() + restMs; left > 0 && performance.now() < until; ) {
    await delay(100)
    const now = unfinished(recorder, rules)
    if (now < left) until = performance.now() + restMs
    left = now
  }
}

/** How many events of messages at the platform have not arrived yet. */
function unfinished({ history }: Recorder, { events }: Rules): number {
  const arrived = new Set(
    history.flatMap((one) => (one.kind === 'webhook' ? [`${one.messageId} ${one.event.type}`] : [])),
  )
  const told = history.flatMap((one) => (one.kind === 'platform' && !one.silent ? [one.messageId] : []))
  return told.flatMap((messageId) => events.filter((type) => !arrived.has(`${messageId} ${type}`))).length
}

/** What the API says of a tenant: each of its messages, and its analytics. */
async function recordView(recorder: Recorder, client: ClusterClient, node: string, tenant: Tenant): Promise<void> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
    const answer = await client.call(node, tenant, `/v1/chat/messages?direction=outbound&limit=100${page}`)
    const { data, status, code } = answer
    if (status !== 200) throw new Error(`The messages of ${tenant.name} are not listed: ${status} ${code}.`)
    for (const message of data.messages as { client_reference: string; status: string }[]) {
      const { client_reference: id, status: reached } = message
      recorder.record({ kind: 'listed', tenant: tenant.name, id, status: reached })
    }
    cursor = data.pagination.next_cursor
  }
  const { data } = await client.call(node, tenant, '/v1/chat/analytics')
  for (const name of ['sent', 'delivered'] as const) {
    recorder.record({ kind: 'figure', tenant: tenant.name, name, value: data.totals[name] })
  }
}

/** The requests of the hour so far, this one included. */
async function quotaUsed(client: ClusterClient, node: string, tenant: Tenant) {
  const { headers } = await client.call(node, tenant, '/v1/auth/me')
  const used = Number(headers['x-ratelimit-limit']) - Number(headers['x-ratelimit-remaining'])
  return { used, resetsAt: headers['x-ratelimit-reset'] }
}
