import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../sandbox/src/sandbox.ts'
import { spareConcurrencyOf } from '../../../server/src/limits/send-limits.ts'
import type { Runtime } from '../../../server/src/runtime.ts'
import { query } from '../../../server/src/store/engine/operation.ts'
import { lostAnswers } from '../lost-answers.ts'
import type { EngineName } from '../postgres/databases.ts'
import { recordFigure, scaled } from '../proof.ts'
import { waitFor } from '../wait-for.ts'
import { type Api, approvedTemplate, busiest, startNodes } from './killed-nodes.ts'

const recipients = scaled(1_000)
const isLong = scaled(1) > 1
// A restart costs as much as a thousand recipients.
const kills = Math.min(50, scaled(2))
/** Processes on one PostgreSQL: the lane of the number moves to another one. */
const nodesOnPostgres = isLong ? 3 : 2
/** Meta accepts one message in so many and loses its answer; so many opted out; so many are not on WhatsApp. */
const [lossEvery, refusingEvery, unreachableEvery] = [97, 50, 211]
const sendsPerSecond = 250
/** Of a turn, and the calls that bulk sends may have open. */
const underWayMax = 64 + spareConcurrencyOf({ sendsPerSecond })

const losses = lostAnswers.filter(({ telling }) => telling !== 'after a day')

const recounted = query({
  name: 'test.recount_broadcast',
  params: { broadcast_id: 'text' },
  returns: {
    address: 'text',
    status: 'text?',
    outcome: 'text?',
    is_open: 'int',
    code: 'text?',
    skip: 'text?',
    messages: 'int',
  },
  lane: 'list',
  sql: `select r.address, m.status, m.outcome, case when m.settle_by is null then 0 else 1 end as is_open,
          substr(m.error, 1, 80) as code, s.reason as skip,
          (select count(*) from messages other where other.broadcast_id = r.broadcast_id
            and other.group_no = r.group_no and other.place = r.place) as messages
        from broadcast_recipients r
          left join messages m on m.broadcast_id = r.broadcast_id and m.group_no = r.group_no and m.place = r.place
          left join broadcast_skips s
            on s.broadcast_id = r.broadcast_id and s.group_no = r.group_no and s.place = r.place
        where r.broadcast_id = :broadcast_id`,
})
type Recounted = { address: string; result: string; seen: number; messages: number }

/** The test of one engine: a file for each, so that they run side by side. */
export function broadcastWithKills(engine: EngineName): void {
  describe(`a broadcast with kill -9 of the gateway, on ${engine}`, () => {
    test(
      'nobody gets it twice, nobody is forgotten, and every sum is that of a recount',
      async () => {
        await using cleanup = new AsyncDisposableStack()
        const { sandbox, nodes, setup, api } = await startNodes(engine, cleanup, {
          count: engine === 'postgres' ? nodesOnPostgres : 1,
          messages: recipients * 2,
          sendsPerSecond,
        })
        const body = {
          type: 'body',
          text: 'Only today there is {{code}} for you.',
          variables: [{ name: 'code', example: '1' }],
        }
        const template = await approvedTemplate(sandbox, api, { category: 'marketing', components: [body] })

        const people = Array.from({ length: recipients }, (_, nth) => personOf(nth))
        const refusing = people.filter((_, nth) => nth % refusingEvery === 7)
        await optOut(refusing, api)
        for (const [nth, to] of people.entries()) {
          const loss = nth % lossEvery === 3 ? losses[Math.floor(nth / lossEvery) % losses.length] : undefined
          if (loss) sandbox.control.addRule({ when: { endpoint: 'messages', to }, count: 1, do: loss.effects })
          else if (nth % unreachableEvery === 11)
            sandbox.control.addRule({ when: { endpoint: 'messages', to }, do: { error: { code: 131_026 } } })
        }
        const components = [{ type: 'body', parameters: [{ type: 'text', text: 'code {{code}}' }] }]
        const draft = { name: 'Kills', template, language: 'en_US', components, message_events: 'none' }
        const { id } = (await api('POST', '/v1/chat/broadcasts', draft)).data
        const file = `to,code\n${people.map((to) => `${to},${to.slice(-6)}`).join('\n')}\n`
        const uploaded = await api('POST', `/v1/chat/broadcasts/${id}/recipients`, file)
        expect(uploaded.data).toMatchObject({ accepted: recipients, invalid: 0, duplicates: 0 })
        await api('POST', `/v1/chat/broadcasts/${id}/start`, { recipients })
        const read = async () => (await api('GET', `/v1/chat/broadcasts/${id}`)).data

        for (let kill = 1; kill <= kills; kill++) {
          const at = Math.floor((recipients * kill) / (kills + 1))
          // What was under way at the kills before never arrives: on a busy machine up to `underWayMax` of each.
          const left = async () => (await read()).counts.waiting
          await waitFor(async () => arrivedAt(sandbox) >= at * 0.9 || (await left()) <= recipients - at, 600_000)
          await pause(randomInt(1, 20)) // a moment nobody chose: before a unit, between unit and call, behind an answer
          await (await busiest(nodes)).killAndRestart()
          // The long proof outlives a token.
          await setup.renewToken()
        }
        await waitFor(async () => (await read()).counts.waiting === 0, 600_000)
        // Whatever reached Meta settles by its statuses, but for those that never come.
        const isNeverTold = new Set(
          people.filter(
            (_, nth) =>
              nth % lossEvery === 3 && losses[Math.floor(nth / lossEvery) % losses.length]?.telling === 'never',
          ),
        )
        const settled = async () => {
          const rows = await recount(setup.rt, id, arrivals(sandbox))
          return rows.every(({ address, seen, result }) => seen === 0 || result === 'sent' || isNeverTold.has(address))
        }
        // Each look reads everything.
        const end = performance.now() + 120_000
        while (!(await settled()) && performance.now() < end) await pause(1_000)
        // Only the long one waits until what was under way at a kill is called unknown.
        if (isLong) await waitFor(async () => (await read()).status === 'completed', 600_000)

        const rows = await recount(setup.rt, id, arrivals(sandbox))
        expect(rows).toHaveLength(recipients)
        expect(rows.filter(({ seen, messages }) => seen > 1 || messages > 1)).toEqual([])
        // Each has a message or a named reason, and what is called sent has arrived.
        expect(rows.filter(({ result }) => result === 'forgotten')).toEqual([])
        expect(
          rows.filter(
            ({ result, seen }) => (result === 'sent') !== (seen === 1) && !['unknown', 'under_way'].includes(result),
          ),
        ).toEqual([])
        // What was under way at a kill becomes unknown meanwhile: both are read anew at each look.
        let own: Record<string, number | undefined> = {}
        await waitFor(async () => {
          own = sumsOf(await recount(setup.rt, id, arrivals(sandbox)))
          return same((await read()).counts, own)
        })
        expect(own.skipped).toBe(refusing.length)
        const lost = rows.filter(({ result, seen }) => seen === 0 && ['unknown', 'under_way'].includes(result)).length
        expect(lost).toBeLessThanOrEqual(kills * underWayMax)
        recordFigure(
          'broadcast with kills',
          engine,
          `${recipients} recipients, ${kills} kills, ${nodes.length} processes: ${JSON.stringify(own)}; twice 0, forgotten 0, unknown without arrival ${lost}`,
        )
      },
      isLong ? 7_200_000 : 240_000,
    )
  })
}

/** Portugal and Germany, so that there are two groups. */
function personOf(nth: number): string {
  return nth % 3 === 0 ? `+49151${10_000_000 + nth}` : `+35191${1_000_000 + nth}`
}

async function optOut(people: readonly string[], api: Api): Promise<void> {
  for (const address of people) {
    const { customer_id: id } = (await api('POST', '/v1/chat/customers', { address })).data
    await api('PUT', `/v1/chat/customers/${id}/preference`, { marketing: 'opted_out' })
  }
}

function arrivedAt(sandbox: Sandbox): number {
  return sandbox.control.messages({ limit: 1 }).total
}

/** How often each address was written to, by what Meta accepted; each with the values of its own line. */
function arrivals(sandbox: Sandbox): Map<string, number> {
  const times = new Map<string, number>()
  for (let after = ''; ; ) {
    const { data } = sandbox.control.messages({ direction: 'outbound', limit: 10_000, after })
    for (const { to, payload } of data) {
      const address = String(to)
      if (!JSON.stringify(payload).includes(`code ${address.slice(-6)}`))
        throw new Error(`${address}: values of another`)
      times.set(address, (times.get(address) ?? 0) + 1)
    }
    if (data.length < 10_000) return times
    after = String(data.at(-1)?.id)
  }
}

/** From the tables and from what arrived, without what the gateway counts with. */
async function recount(rt: Runtime, id: string, seen: ReadonlyMap<string, number>): Promise<Recounted[]> {
  const rows = await rt.store.read(recounted, { broadcast_id: id })
  return rows.map((row) => ({
    address: row.address,
    result: resultOf(row),
    seen: seen.get(row.address) ?? 0,
    messages: row.messages,
  }))
}

type Row = { status: string | null; outcome: string | null; is_open: number; code: string | null; skip: string | null }

function resultOf({ status, outcome, is_open, code, skip }: Row): string {
  if (status === null) return skip === null ? 'forgotten' : 'skipped'
  if (status === 'sent' || status === 'delivered' || status === 'read') return 'sent'
  if (status === 'queued') return is_open === 1 ? 'under_way' : 'unknown'
  if (status !== 'failed') return status
  if (outcome === 'unknown') return 'unknown'
  return code?.startsWith('{"code":"message_expired"') ? 'expired' : 'failed'
}

function sumsOf(rows: readonly Recounted[]): Record<string, number | undefined> {
  const groups = Object.groupBy(rows, ({ result }) => result)
  return Object.fromEntries(Object.entries(groups).map(([result, list]) => [result, list?.length]))
}

/** The sums of the gateway are those of the recount, and all of them make up everybody. */
function same(counts: Record<string, number>, own: Record<string, number | undefined>): boolean {
  const { accepted, delivered: _delivered, read: _read, ...results } = counts
  const sum = Object.values(results).reduce((all, count) => all + count, 0)
  return sum === accepted && Object.entries(results).every(([result, count]) => count === (own[result] ?? 0))
}
