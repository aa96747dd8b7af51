import { describe, expect, test } from 'vitest'
import type { Tenant } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { aCluster, recordVerdict, sendDuring } from '../support/cluster/cluster-proof.ts'
import { clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

/** Each round restarts every node. */
const rounds = scaled(1)
const timeout = processTimeoutMs * rounds

describe('three nodes on one PostgreSQL', { timeout }, () => {
  const nodes = aCluster(clusterSettings)

  test('restart one after the other, and clients that repeat what was refused or cut off notice nothing', async () => {
    const { cluster } = nodes
    await using run = await startRun(cluster)
    await sendDuring(run, async () => {
      for (let round = 0; round < rounds; round++) for (const node of cluster.nodes) await node.restart()
    })
    const verdict = await run.verdict()
    expect(verdict.findings).toEqual([])
    // A request may cross the close of its idle connection. No node has read it: its repeat is answered as the first.
    expect(verdict.counts).toMatchObject({ accepted: run.begun, refused: {}, repeats: 0 })
    recordVerdict('rolling restart', rounds * cluster.nodes.length, verdict)
  })

  test('follow a change made on another at the next request', async () => {
    await using run = await startRun(nodes.cluster)
    const [tenant] = run.tenants as [Tenant]
    const ask = (node: number, path: string, call = {}) => run.ask(node, tenant, path, call)
    const webhook = `/v1/webhooks/${(await ask(0, '/v1/webhooks')).data.webhooks[0].id}`
    for (let nth = 0; nth < 6; nth++) {
      const description = `changed by request ${nth}`
      expect((await ask(nth, webhook, { method: 'PUT', body: { description } })).status).toBe(200)
      expect((await ask(nth + 1, webhook)).data.description).toBe(description)
    }
    const text = { name: 'cluster_notice', category: 'utility', language: 'en' }
    const components = [{ type: 'body', text: 'Your order has left the warehouse.' }]
    const created = await ask(1, '/v1/chat/templates', { body: { ...text, components } })
    expect(created.status).toBe(201)
    const template = `/v1/chat/templates/${created.data.id}`
    for (let nth = 0; nth < 3; nth++) expect((await ask(nth, template)).data.name).toBe(text.name)
    expect((await ask(2, template, { method: 'DELETE' })).status).toBe(200)
    for (let nth = 0; nth < 3; nth++) expect((await ask(nth, template)).data.status).toBe('deleted')

    expect((await ask(0, webhook, { method: 'PUT', body: { events: ['message.delivered'] } })).status).toBe(200)
    for (let nth = 0; nth < 6; nth++) await run.sendOne(tenant)
    const { findings } = await run.verdict({ events: ['message.delivered'] })
    expect(findings).toEqual([])
    const arrived = run.recorder.history.flatMap((entry) => (entry.kind === 'webhook' ? [entry.event] : []))
    expect(new Set(arrived.map(({ type }) => type))).toEqual(new Set(['message.delivered']))
    // One reader of the feed, served by another node at every page.
    const feed: string[] = []
    let page = 0
    let cursor = ''
    await waitFor(async () => {
      const after = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const { data } = await ask(page++, `/v1/events?limit=4${after}`)
      const events = data.events as { id: string; type: string }[]
      feed.push(...events.filter(({ type }) => type.startsWith('message.')).map(({ id }) => id))
      cursor = data.pagination.next_cursor
      return feed.length >= 18
    })
    expect(feed).toHaveLength(18)
    expect(new Set(feed).size).toBe(18)
    expect(feed).toEqual(expect.arrayContaining(arrived.map(({ id }) => id)))
  })
})
