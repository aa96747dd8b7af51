import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { connectedNumbers } from '../../server/src/store/channels/numbers.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const countMessages = query({
  name: 'test.count_messages',
  params: { account_id: 'text' },
  returns: { total: 'int' },
  lane: 'list',
  sql: 'select count(*) as total from messages where account_id = :account_id',
})

type Tenant = { accountId: string; token: string; phoneNumberId: string }

const isProof = scaled(1) > 1
/** Two seconds' worth at the usual 80 a second. Two such numbers have more on their way than a pool of 256 could carry. */
const inFlightMax = 160
const tooMany = 5

/**
 * The platform hangs for the numbers of two tenants; a third tenant sends beside them. The limit is kept in memory, so
 * one engine is enough.
 */
describe('numbers that the platform is slow for', { timeout: 60_000 }, () => {
  let world: World
  let slow: Tenant[]
  beforeAll(async () => {
    world = await aWorld('sqlite', {
      POSTERN_WINDOW_POLICY: 'platform',
      // Until then all of them have to hang at once, also on a machine that is busy: what comes when the first ones have
      // ended finds a place. The gateway calls for 0.8 of its time, and waits for a place for 0.3.
      POSTERN_SEND_TIMEOUT_MS: '16000',
      POSTERN_CHANNEL_TIMEOUT_MS: '14000',
    })
    slow = [await aTenant(world), await aTenant(world)]
    const rules = slow.map(({ phoneNumberId }) => ({
      when: { endpoint: 'messages', phone_number_id: phoneNumberId },
      do: { hang: true },
    }))
    await world.control('PUT', '/_sandbox/scenario', { rules, callbacks: { never_read: true } })
  })
  afterAll(() => world.stop())

  /** Asks again while the gateway itself has too much to do: this is about the platform. */
  const sendSlow = async ({ token }: Pick<Tenant, 'token'>, index: number): Promise<Answer> => {
    const body = { to: `+49301${100_000 + index}`, message: 'hi' }
    const answer = await world.call('POST', '/v1/chat/messages/send', { body, token })
    return answer.body.error?.code === 'service_unavailable' ? sendSlow({ token }, index) : answer
  }
  const sendBeside = (index: number) =>
    world.post('/v1/chat/messages/template', {
      to: `+3519127${10_000 + index}`,
      template: 'hello_world',
      language: 'en_US',
    })
  const inFlight = () => world.service.rt.concurrency.sends.look()

  test('another tenant is answered while all of theirs hang, and what is beyond their limit is refused and not stored', async () => {
    const quiet = await timesOf(scaled(10), sendBeside)
    const answers: Answer[] = []
    const codes = () => answers.map(({ body }) => body.error?.code)
    const all = slow.flatMap((tenant) =>
      Array.from({ length: inFlightMax + tooMany }, async (_, index) => answers.push(await sendSlow(tenant, index))),
    )
    await waitFor(() => inFlight().full === slow.length, 10_000)

    const beside = await timesOf(scaled(10), (index) => sendBeside(5_000 + index))
    expect(beside.answers.map(({ status }) => status)).toEqual(beside.answers.map(() => 200))
    expect(codes().filter((code) => code !== 'channel_rate_limited')).toEqual([])
    expect(inFlight()).toEqual({ running: slow.length * inFlightMax, full: slow.length })
    const metrics = await world.service.rt.metrics.render()
    expect(metrics).toContain(`postern_channel_sends_in_flight ${slow.length * inFlightMax}`)
    expect(metrics).toContain(`postern_channel_numbers_at_limit ${slow.length}`)
    if (isProof) expect(beside.p99).toBeLessThanOrEqual(2 * quiet.p99)
    recordFigure('slow number', 'p99 of another tenant, quiet (ms)', quiet.p99.toFixed(1))
    recordFigure('slow number', `p99 beside ${slow.length * inFlightMax} hanging sends (ms)`, beside.p99.toFixed(1))

    await Promise.all(all)
    const refused = answers.filter(({ status }) => status === 429)
    const told = refused.map(({ body, headers }) => `${body.error.code} ${headers.get('retry-after')}`)
    expect(told).toEqual(Array.from({ length: slow.length * tooMany }, () => 'channel_rate_limited 3'))
    expect(codes().filter((code) => code === 'send_outcome_unknown')).toHaveLength(slow.length * inFlightMax)
    expect(await world.service.rt.metrics.render()).toContain(
      `postern_rate_limited_total{policy="channel_concurrency",plan="none"} ${slow.length * tooMany}`,
    )
    for (const tenant of slow) expect(await recordsOf(world, tenant)).toBe(inFlightMax)
    expect(inFlight()).toEqual({ running: 0, full: 0 })
  })
})

/** One after the other, as a caller who waits sees them. */
async function timesOf(count: number, send: (index: number) => Promise<Answer>) {
  const times: number[] = []
  const answers: Answer[] = []
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now()
    answers.push(await send(index))
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { answers, p99: times[Math.ceil(count * 0.99) - 1] ?? 0 }
}

async function aTenant(world: World): Promise<Tenant> {
  const { rt } = world.service
  const { account, owner } = await createAccount(rt, { name: 'Slow', plan: 'enterprise', actor: operator })
  const scopes = ['messages:send' as const]
  const key = { accountId: account.id, name: 'k', scopes, createdBy: owner.id, actor: operator }
  const { row, secret } = await createKey(rt, key)
  const { channel, steps } = await connectSandboxChannel(rt, account.id, {
    url: world.sandboxUrl,
    openNumber: openSandboxNumber,
  })
  if (!channel) throw new Error(JSON.stringify(steps))
  const [number] = await rt.store.read(connectedNumbers, { account_id: account.id })
  const issued = await world.post('/v1/auth/token', { api_key: row.public_key, api_secret: secret })
  return {
    accountId: account.id,
    token: issued.body.data.access_token,
    phoneNumberId: String(number?.phone_number_id),
  }
}

/** All messages that the tenant has on record. */
async function recordsOf({ service: { rt } }: World, { accountId }: Tenant): Promise<number> {
  const [row] = await rt.store.read(countMessages, { account_id: accountId })
  return row?.total ?? 0
}
