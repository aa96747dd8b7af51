import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { processTimeoutMs } from '../support/child-process.ts'
import { approvedTemplate, Node, plainTemplate, startNodes } from '../support/kills/killed-nodes.ts'
import { engines } from '../support/postgres/databases.ts'
import { copyUsedDatabase } from '../support/postgres/postgres-databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { runPostern } from '../support/run-postern.ts'
import { waitFor } from '../support/wait-for.ts'

const recipients = scaled(200)
const waiting = scaled(40)
const timeout = processTimeoutMs * 2

/** Yesterday's data know nothing of what was sent since: only a person can say that it may be sent again. */
describe.each(engines)('data from the middle of a broadcast, restored, on %s', { timeout }, (engine) => {
  test('send nothing by themselves, and everything once a person says so', async () => {
    await using cleanup = new AsyncDisposableStack()
    const running = await startNodes(engine, cleanup, { count: 1, messages: 4 * (recipients + waiting) })
    const { sandbox, nodes, api, setup } = running
    const [node] = nodes
    if (!node) throw new Error('no process')
    const template = { template: await approvedTemplate(sandbox, api, plainTemplate), language: 'en_US' }
    const people = (count: number, from: number) => Array.from({ length: count }, (_, nth) => `+35192${from + nth}`)
    const due = new Date(Date.now() + 30_000).toISOString()
    for (const to of people(waiting, 2_000_000)) {
      await api('POST', '/v1/chat/messages/template', { to, ...template, send_at: due })
    }
    const { id } = (await api('POST', '/v1/chat/broadcasts', { name: 'Restored', ...template, max_per_second: 60 }))
      .data
    await api('POST', `/v1/chat/broadcasts/${id}/recipients`, `to\n${people(recipients, 3_000_000).join('\n')}\n`)
    await api('POST', `/v1/chat/broadcasts/${id}/start`)
    const arrived = () => sandbox.control.messages({ limit: 1 }).total
    const read = async () => (await api('GET', `/v1/chat/broadcasts/${id}`)).data

    await waitFor(() => arrived() >= recipients / 4, 60_000)
    const restore = await backup(running, cleanup)
    await waitFor(() => arrived() === recipients + waiting, 60_000)
    node.process?.signal('SIGKILL')
    await node.process?.ended

    const restored = await restore(node)
    cleanup.defer(() => restored.process?.destroy())
    await restored.start()
    await setup.renewToken()
    await waitFor(async () => (await read()).reason === 'restored')
    const held = async () => (await api('GET', '/v1/chat/messages?status=waiting&limit=100')).data.messages
    await waitFor(async () => (await held()).every((one: { waiting_for: string }) => one.waiting_for === 'person'))
    const left = (await read()).counts.waiting
    expect([left > 0, (await held()).length > 0]).toEqual([true, true])
    // Another message goes through the same lane's number, and nothing of the others went before it.
    await api('POST', '/v1/chat/messages/template', { to: '+351929999999', ...template })
    expect(arrived()).toBe(recipients + waiting + 1)

    await api('POST', `/v1/chat/broadcasts/${id}/resume`)
    const released = await runPostern(['waiting', 'release', '--yes', '--json'], { env: restored.env })
    expect(released.code, released.stderr).toBe(0)
    await waitFor(async () => (await held()).length === 0 && (await read()).counts.waiting === 0, 60_000)
    const again = arrived() - (recipients + waiting + 1)
    expect(again).toBeGreaterThanOrEqual(left)
    recordFigure(
      'broadcast restored',
      engine,
      `${recipients} recipients and ${waiting} waiting sends: sent again by themselves 0; after a person said so ${again}`,
    )
  })
})

type Running = Awaited<ReturnType<typeof startNodes>>
type Restore = (node: Node) => Promise<Node>

/** As docs/backup.md tells: with our command, or with the tools of the database and `postern feed reset`. */
async function backup({ database, env, nodes }: Running, cleanup: AsyncDisposableStack): Promise<Restore> {
  if (database.database.kind === 'sqlite') {
    const { folder } = database
    const [file, key] = [join(folder, 'backup.tar'), join(folder, 'kept.key')]
    const made = await runPostern(['backup', file], { env })
    expect(made.code, made.stderr).toBe(0)
    if (existsSync(join(folder, 'master.key'))) copyFileSync(join(folder, 'master.key'), key)
    return async (node) => {
      const restored = await runPostern(['restore', file, '--force'], { env })
      expect(restored.code, restored.stderr).toBe(0)
      if (existsSync(key)) copyFileSync(key, join(folder, 'master.key'))
      return node
    }
  }
  const [node] = nodes
  const { url } = database.database
  const used = { name: new URL(url).pathname.slice(1), url, drop: async () => {} }
  const copy = await copyUsedDatabase(inject('postgresUrl'), used)
  cleanup.defer(() => copy.drop())
  return async () => {
    const copied = { ...env, POSTERN_DATABASE_URL: copy.url }
    const reset = await runPostern(['feed', 'reset'], { env: copied })
    expect(reset.code, reset.stderr).toBe(0)
    return new Node(copied, node?.port ?? 0, node?.adminPort ?? 0)
  }
}
