import { operator } from '../../server/src/audit/audit.ts'
import { tallyOf } from '../../server/src/broadcasts/count-results.ts'
import { createBroadcast } from '../../server/src/broadcasts/create-broadcast.ts'
import {
  byGateway,
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from '../../server/src/broadcasts/start-broadcast.ts'
import {
  type BroadcastMemory,
  newMemory,
  takeNumberTurn,
} from '../../server/src/broadcasts/turn/take-broadcast-turn.ts'
import type { BroadcastDraft } from '../../server/src/contract/broadcasts/draft.ts'
import type { Plan } from '../../server/src/contract/plans.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import type { Gate } from '../../server/src/limits/quota.ts'
import type { Lane } from '../../server/src/messages/waiting/take-turn.ts'
import { type BroadcastRow, findBroadcast } from '../../server/src/store/broadcasts/broadcasts.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import type { ChannelWorld } from './channel-world.ts'

const changeTemplates = operation({
  name: 'test.change_templates',
  input: { account_id: 'text', category: 'text', status: 'text' },
  key: ['account_id'],
  sql: `update templates set category = rows.category, status = rows.status from rows
        where templates.account_id = rows.account_id`,
})
const changeNumber = operation({
  name: 'test.change_number',
  input: { id: 'text', quality: 'text?', messaging_limit: 'text?' },
  key: ['id'],
  sql: `update numbers set quality = rows.quality, messaging_limit = rows.messaging_limit from rows
        where numbers.id = rows.id`,
})
const auditOf = query({
  name: 'test.audit_of_broadcasts',
  params: { account_id: 'text' },
  returns: { action: 'text', entry: 'text' },
  sql: `select action, entry from audit_log where account_id = :account_id and action like 'broadcast.%' order by seq`,
})
let people = 0

/** Has not been written to before. */
export function nextPerson(): string {
  return `+35193${1_000_000 + people++}`
}

export type Stage = Awaited<ReturnType<typeof broadcastStage>>

/** A lane of a number of its own, with the account behind it. */
export async function broadcastStage(world: ChannelWorld, gate: Gate, plan: Plan = 'enterprise') {
  const { rt, clock } = world
  const accountId = await world.newAccount()
  await changeAccount(rt, accountId, { plan }, operator)
  const channel = await world.connect(accountId)
  const author = byGateway
  const owner = { accountId, phoneNumberIds: null, keyId: null as string | null }
  const lane: Lane = { numberId: channel.numberId, running: new Set() }
  const memory = newMemory()
  const read = async (id: string): Promise<BroadcastRow> => {
    const [row] = await rt.store.read(findBroadcast, { account_id: accountId, id })
    if (!row) throw new Error('gone')
    return row
  }
  const addresses = (): string[] => {
    const query = { direction: 'outbound', phone_number_id: channel.phoneNumberId, limit: 10_000 } as const
    return world.sandbox.control.messages(query).data.map(({ to }) => String(to))
  }
  /** False where nothing runs. Rates are refilled by the clock, which stands still otherwise. */
  const turnOf = async (own: Lane, ownMemory: BroadcastMemory): Promise<boolean> => {
    const waitMs = await takeNumberTurn({ rt, gate, lane: own, memory: ownMemory })
    clock.advance(Math.ceil(Math.min(Math.max(waitMs ?? 1, 1), 100)))
    return waitMs !== null
  }
  return {
    accountId,
    channel,
    owner,
    author,
    read,
    async create(count: number, fields: Partial<BroadcastDraft> = {}): Promise<string> {
      const recipients = Array.from({ length: count }, () => ({ to: nextPerson() }))
      const draft = { name: 'Reasons', template: 'hello_world', language: 'en_US', recipients, ...fields }
      return (await createBroadcast(rt, owner, draft as BroadcastDraft, author)).id
    },
    start: (id: string, fields: object = {}) => startBroadcast(rt, owner, id, fields, author),
    pause: (id: string) => pauseBroadcast(rt, owner, id, author),
    resume: (id: string, keyId = owner.keyId) => resumeBroadcast(rt, { ...owner, keyId }, id, author),
    cancel: (id: string) => cancelBroadcast(rt, owner, id, author),
    /** Turns until nothing runs, or as many as were asked for. */
    async turns(most = 3_000): Promise<void> {
      for (let turn = 0; turn < most && (await turnOf(lane, memory)); turn++) await Promise.all(lane.running)
    },
    /** One more process that takes turns for the number, as long as it is told to. */
    async lane(goesOn: () => boolean): Promise<void> {
      const own: Lane = { numberId: channel.numberId, running: new Set() }
      const ownMemory = newMemory()
      while (goesOn()) {
        await turnOf(own, ownMemory)
        // Reads of SQLite wait for nothing, so that sockets would never have their turn.
        await new Promise(setImmediate)
      }
      await Promise.all(own.running)
    },
    async stateOf(id: string): Promise<[status: string, reason: string | null]> {
      const { status, reason } = await read(id)
      return [status, reason]
    },
    arrived: () => addresses().length,
    addresses,
    async told(): Promise<string[]> {
      return (await rt.store.read(auditOf, { account_id: accountId })).map(({ action, entry }) => {
        const { reason } = (JSON.parse(entry) as { metadata?: { reason?: string | null } }).metadata ?? {}
        return `${action.slice('broadcast.'.length)}${reason ? ` ${reason}` : ''}`
      })
    },
    template: (category: string, status: string) =>
      rt.store.write(unitOf(changeTemplates, { account_id: accountId, category, status })),
    number: (quality: string | null, messaging_limit: string | null) =>
      rt.store.write(unitOf(changeNumber, { id: channel.numberId, quality, messaging_limit })),
    counts: async (id: string) => {
      const row = await read(id)
      // As after the second for which a count is believed.
      return (await tallyOf({ ...rt, recentCounts: { find: () => undefined, note: () => {} } } as never, row)).counts
    },
  }
}
