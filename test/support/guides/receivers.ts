import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import { type Postern, webhooks } from '../../../sdk/src/index.ts'
import type { RunningProcess } from '../child-process.ts'
import { waitFor } from '../wait-for.ts'

const deadlineMs = 30_000

/**
 * What every receiver in the guides and examples must do: prove its address, print a genuine event, and refuse one that
 * is forged, one with another secret, one that was changed, and one that is old.
 */
export async function expectToReceive(
  postern: Postern,
  start: (env: { PORT: string; WEBHOOK_SECRET: string }) => RunningProcess,
): Promise<void> {
  const port = await aFreePort()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const url = `http://localhost:${port}/hooks`
  const receiver = start({ PORT: String(port), WEBHOOK_SECRET: secret })
  try {
    await waitFor(() => canConnect(url), deadlineMs)
    const { id } = await postern.webhooks.create({ url, events: ['message.*'], secret })
    await waitFor(async () => (await postern.webhooks.get(id)).verification.status === 'verified', deadlineMs)
    await postern.messages.send({ to: '+12025550100', message: 'Hello' })
    const printed = () => receiver.output.stdout + receiver.output.stderr
    await waitFor(() => printed().includes('message.read'), deadlineMs)
    await postern.webhooks.delete(id)
    expect(await refusals(url, secret)).toEqual([400, 400, 400, 400, 200])
  } finally {
    await receiver.destroy()
  }
}

/** The statuses for four deliveries that are not genuine, and for one that is. */
async function refusals(url: string, secret: string): Promise<number[]> {
  const body = '{"id":"evt_1","type":"message.read","api_version":"v1","timestamp":"2026-11-15T10:30:02Z","data":{}}'
  const signed = (options: { secret?: string; timestamp?: Date } = {}) =>
    webhooks.sign({ id: 'evt_1', body, secret, ...options })
  const old = new Date(Date.now() - 3_600_000)
  const attempts = [
    [body, {}],
    [body, signed({ secret: `whsec_${randomBytes(32).toString('base64')}` })],
    [body.replace('read', 'sent'), signed()],
    [body, signed({ timestamp: old })],
    [body, signed()],
  ] as const
  const statuses: number[] = []
  for (const [text, headers] of attempts) {
    const response = await fetch(url, { method: 'POST', body: text, headers })
    await response.text()
    statuses.push(response.status)
  }
  return statuses
}

async function canConnect(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )
}

export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
