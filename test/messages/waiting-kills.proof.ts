import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { approvedTemplate, plainTemplate, startNodes } from '../support/kills/killed-nodes.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const sends = scaled(200)
const isLong = scaled(1) > 1
/** They are due within so long, from some time after the last was accepted. */
const spreadMs = isLong ? 60_000 : 4_000
const kills = isLong ? 10 : 1
const atOnce = 16

describe.each(engines)('sends with a time of their own and kill -9 of the gateway, on %s', (engine) => {
  test(
    'none leaves early, none twice, and none is forgotten',
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const count = engine === 'postgres' ? 2 : 1
      const { sandbox, nodes, setup, api } = await startNodes(engine, cleanup, { count, messages: sends * 2 })
      const template = await approvedTemplate(sandbox, api, plainTemplate)
      const beginsAt = Date.now() + (isLong ? 90_000 : 15_000)
      const dueAt = new Map<string, number>()
      let next = 0
      const worker = async () => {
        while (next < sends) {
          const to = `+35192${1_000_000 + next++}`
          const due = beginsAt + randomInt(spreadMs)
          dueAt.set(to, due)
          const send_at = new Date(due).toISOString()
          const answer = await api('POST', '/v1/chat/messages/template', {
            to,
            template,
            language: 'en_US',
            send_at,
          })
          expect(answer.data.status).toBe('waiting')
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      expect(Date.now()).toBeLessThan(beginsAt)
      const downtimes: { from: number; until: number }[] = []
      for (let kill = 1; kill <= kills; kill++) {
        const at = beginsAt + (spreadMs * kill) / (kills + 1)
        await waitFor(() => Date.now() >= at, 120_000)
        await pause(randomInt(1, 20))
        const from = Date.now()
        await nodes[kill % nodes.length]?.killAndRestart()
        downtimes.push({ from, until: Date.now() })
      }
      const waiting = async () => {
        await setup.renewToken()
        return (await api('GET', '/v1/chat/messages?status=waiting&limit=1')).data.messages.length
      }
      await waitFor(async () => (await waiting()) === 0, 120_000)
      const arrived = new Map<string, number[]>()
      const seen = () => {
        arrived.clear()
        for (let after = ''; ; ) {
          const { data } = sandbox.control.messages({ direction: 'outbound', limit: 10_000, after })
          for (const { to, accepted_at: at } of data) {
            arrived.set(String(to), [...(arrived.get(String(to)) ?? []), Date.parse(String(at))])
          }
          if (data.length < 10_000) return
          after = String(data.at(-1)?.id)
        }
      }
      // A kill leaves at most what was under way; of that nobody knows, and it is never repeated. All others have arrived.
      const statusOf = async (to: string) =>
        (await api('GET', `/v1/chat/messages?phone_number=${encodeURIComponent(to)}`)).data.messages[0]?.status
      let lost: string[] = []
      await waitFor(async () => {
        seen()
        lost = [...dueAt.keys()].filter((to) => !arrived.has(to))
        return (await Promise.all(lost.map(statusOf))).every((status) => status === 'queued')
      }, 60_000)
      expect(lost.length).toBeLessThanOrEqual(kills * (64 + 128))
      expect([...arrived].filter(([, times]) => times.length > 1)).toEqual([])
      const late = [...arrived].map(([to, [at = 0]]) => ({
        due: dueAt.get(to) ?? 0,
        lateMs: at - (dueAt.get(to) ?? 0),
      }))
      expect(late.filter(({ lateMs }) => lateMs < 0)).toEqual([])
      // One process can send nothing before it is up again.
      const since = late.map(({ due, lateMs }) => {
        const until = downtimes.find((down) => nodes.length === 1 && due >= down.from && due < down.until)?.until ?? due
        return { lateMs: lateMs - (until - due) }
      })
      recordFigure(
        'waiting with kills',
        engine,
        `${sends} sends due within ${spreadMs / 1_000} s, ${kills} kills: early 0, twice 0, unknown without arrival ${lost.length}; late at p50 ${share(late, 0.5)} ms, at p99 ${share(late, 0.99)} ms${nodes.length === 1 ? `, ${share(since, 0.99)} ms after the process was up again` : ''}`,
      )
    },
    isLong ? 3_600_000 : 240_000,
  )
})

function share(late: readonly { lateMs: number }[], part: number): number {
  const sorted = late.map(({ lateMs }) => lateMs).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
