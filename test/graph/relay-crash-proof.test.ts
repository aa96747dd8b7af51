import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { channelOfCallback, receiveCallback } from '../../server/src/channels/callbacks/receive-callback.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { setCallback } from '../../server/src/connections/callback-address.ts'
import { addConnection, requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import type { ConnectionOptions } from '../../server/src/contract/connections.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { insertMessage, newMessage } from '../../server/src/store/messages/messages.ts'
import { anyDelivery } from '../../server/src/store/webhooks/deliveries.ts'
import { aStatus, aText, messagesBody } from '../support/channel-world.ts'
import { type SharedWorld, shareDatabase } from '../support/delivery-process.ts'
import { engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { type GraphTool, startGraphTool } from '../support/receiver/graph-tool.ts'
import { waitFor } from '../support/wait-for.ts'

type Account = {
  id: string
  callbackId: string
  appSecret: string
  numberId: string
  wabaId: string
  phoneNumberId: string
}
type Relayed = { tool: GraphTool; keyId: string; webhookId: string }

const perBody = 8
const kills = 3

const undelivered = query({
  name: 'test.undelivered_relays',
  params: {},
  returns: { count: 'int', ended: 'int' },
  lane: 'list',
  sql: `select sum(case when d.status = 'delivered' then 0 else 1 end) as count, count(*) as ended
        from ${anyDelivery("d.type like 'relay.%'")} d`,
})

describe.each(engines)('three tools that fail one in five, and a process that is killed, on %s', (engine) => {
  let world: SharedWorld
  let database: TestDatabase
  let sandbox: Sandbox
  let tools: GraphTool[] = []
  beforeEach(async () => {
    database = await freshDatabase(engine)
    const schedule = Array.from({ length: 40 }, (_, index) => (index === 0 ? '0' : '1')).join(',')
    world = await shareDatabase(database.database, database.folder, {
      POSTERN_RELAY_ALLOW: 'localhost',
      POSTERN_WEBHOOK_RETRY_SCHEDULE: schedule,
    })
    sandbox = await startSandbox({ port: 0, approved: true, development: true })
  })
  afterEach(async () => {
    await world.close()
    await sandbox.close()
    for (const tool of tools) await tool.close()
    tools = []
    await database.remove()
  })

  async function anAccount(): Promise<Account> {
    const { account } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const made = await connectSandboxChannel(world.rt, account.id, { url: sandbox.url, openNumber: openSandboxNumber })
    const number = sandbox.numbers.at(-1)
    if (!made.channel || !made.numberId || !number) throw new Error('The sandbox gave no number.')
    return {
      id: account.id,
      callbackId: made.channel.callback_url.split('/').at(-2) ?? '',
      appSecret: number.app_secret,
      numberId: made.numberId,
      wabaId: number.waba_id,
      phoneNumberId: number.phone_number_id,
    }
  }

  async function relay(accountId: string, options: Partial<ConnectionOptions> = {}): Promise<Relayed> {
    const wanted = { actor: operator, accountId, name: 'Tool', tool: 'generic' as const, options, createdBy: '' }
    const made = await addConnection(world.rt, wanted)
    const { appSecret } = openConnection(world.rt, made.row)
    const tool = await startGraphTool({ verifyToken: 'token', appSecret: () => appSecret })
    tools.push(tool)
    let count = 0
    tool.decide(() => (++count % 5 === 0 ? 500 : 200))
    const stored = await requireConnection(world.rt, accountId, made.row.id)
    await setCallback(world.rt, stored, { url: tool.url, verifyToken: 'token' }, { actor: operator })
    const { row } = await requireConnection(world.rt, accountId, made.row.id)
    return { tool, keyId: row.key_id, webhookId: row.relay_id ?? '' }
  }

  /** A message of each that Meta has accepted. */
  async function sent(account: Account, keyId: string, ids: readonly string[]): Promise<void> {
    const unit = new Unit()
    const rows = ids.map((channel_message_id) => ({
      ...newMessage({
        id: world.rt.newId('out'),
        account_id: account.id,
        number_id: account.numberId,
        direction: 'outbound',
        type: 'text',
        status: 'sent',
        channel_message_id,
        phone: '+12025550100',
        api_key_id: keyId,
        history: '[]',
        event_sequence: 1,
        created_at: world.rt.clock.now() - 60_000,
      }),
      customer_address: null,
    }))
    unit.add(insertMessage, ...(rows as never[]))
    await world.rt.store.write(unit)
  }

  async function receive(account: Account, body: string): Promise<void> {
    const channel = await channelOfCallback(world.rt, account.callbackId)
    if (!channel) throw new Error('No channel at this address.')
    const bytes = Buffer.from(body)
    const signature = `sha256=${createHmac('sha256', account.appSecret).update(bytes).digest('hex')}`
    const headers = { 'x-hub-signature-256': signature }
    const stored = await receiveCallback(world.rt, channel, { headers, body: bytes }, async () => () => {})
    expect(stored).toBe('stored')
  }

  const total = scaled(240)
  test(
    `${total} messages and statuses: each at least once to each that is meant, with equal bytes, and to nobody else`,
    async () => {
      const [account, foreign] = [await anAccount(), await anAccount()]
      const [own, all, plain] = [
        await relay(account.id),
        await relay(account.id, { statuses: 'all' }),
        await relay(account.id),
      ]
      const stranger = await relay(foreign.id, { statuses: 'all', fields: ['*'] })
      const half = Math.ceil(total / 2 / perBody)
      const inbound = Array.from({ length: half * perBody }, (_, index) => `wamid.in${index}`)
      const outbound = Array.from({ length: half * perBody }, (_, index) => `wamid.out${index}`)
      for (let from = 0; from < outbound.length; from += 400)
        await sent(account, own.keyId, outbound.slice(from, from + 400))
      const bodies = Array.from({ length: half }, (_, index) => {
        const part = (ids: string[]) => ids.slice(index * perBody, (index + 1) * perBody)
        return messagesBody(account, {
          messages: part(inbound).map((id) => ({
            ...aText(id),
            from: `1202556${String(index % 500).padStart(4, '0')}`,
          })),
          statuses: part(outbound).map((id) => aStatus(id)),
        })
      })
      const arrived = () => own.tool.requests.length + all.tool.requests.length + plain.tool.requests.length
      const expected = inbound.length * 3 + outbound.length * 2
      for (let life = 1; life <= kills; life++) {
        const worker = await world.startWorker({ applies: true })
        const share = bodies.slice(((life - 1) * half) / kills, (life * half) / kills)
        for (const body of share) await receive(account, body)
        // Meta repeats what it is not sure of.
        if (share[0]) await receive(account, share[0].replace('"15550100001"', '"15550100002"'))
        await waitFor(() => arrived() >= (expected * life) / (kills + 1), scaled(120_000))
        worker.kill('SIGKILL')
        await worker.exited
      }
      await world.startWorker({ applies: true, patient: true })
      const isOver = async () => {
        const [row] = await world.rt.store.read(undelivered, {})
        return row?.ended === expected && row.count === 0
      }
      await waitFor(isOver, scaled(120_000))
      const idsAt = ({ tool }: Relayed) => new Set(tool.items().map(({ item }) => String(item.id)))
      expect(idsAt(own)).toEqual(new Set([...inbound, ...outbound]))
      expect(idsAt(all)).toEqual(new Set([...inbound, ...outbound]))
      expect(idsAt(plain)).toEqual(new Set(inbound))
      expect(stranger.tool.requests).toEqual([])
      for (const { tool } of [own, all, plain]) {
        expect(tool.requests.filter(({ isSigned }) => !isSigned)).toEqual([])
        const byId = Map.groupBy(tool.requests, ({ headers }) => String(headers['webhook-id']))
        expect([...byId.values()].filter((repeats) => new Set(repeats.map(({ text }) => text)).size > 1)).toEqual([])
        expect(new Set(tool.requests.map(({ text }) => text)).size).toBe(byId.size)
      }
      const figure = (name: string, value: number) => recordFigure('relay crash', `${engine}: ${name}`, value)
      figure('messages and statuses', inbound.length + outbound.length)
      figure('kills', kills)
      figure('deliveries, all received and signed', expected)
      figure('requests, failures of one in five included', arrived())
      figure('to another account, or of a message of another tool', 0)
    },
    scaled(180_000),
  )
})
