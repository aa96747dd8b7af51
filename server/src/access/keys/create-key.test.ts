import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aChannelWorld, type ChannelWorld } from '../../../../test/support/channel-world.ts'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { operator } from '../../audit/audit.ts'
import type { AppError } from '../../contract/app-error.ts'
import { scopes } from '../../contract/scopes.ts'
import { rangesContain } from '../../lib/guarded-http/address-guard-ranges.ts'
import { findApiKey } from '../../store/accounts/api-keys.ts'
import { findOwner } from '../../store/accounts/users.ts'
import type { Member } from '../console-member.ts'

import { changeAccess } from './console-keys.ts'
import { createKey, toAddressList } from './create-key.ts'

const notRanges = [
  '203.0.113.7/',
  '203.0.113.7/ ',
  '203.0.113.0/33',
  '203.0.113.0/-1',
  '203.0.113.0/24/8',
  '2001:db8::/129',
  'fe80::1%eth0',
  'example.test',
  '/0',
  '',
]

describe.each(engines)('an API key on %s', (engine) => {
  let world: ChannelWorld
  let accountId = ''
  let ownerId = ''

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    ownerId = (await world.rt.store.read(findOwner, { account_id: accountId }))[0]?.id ?? ''
  })
  afterAll(() => world.dispose())

  const create = (over: { allowedIps?: string[]; numbers?: string[] } = {}) =>
    createKey(world.rt, { accountId, name: 'Key', scopes, createdBy: ownerId, actor: operator, ...over })
  const fieldOf = (call: Promise<unknown>) =>
    call.then(
      () => 'accepted',
      (error: AppError) => error.extras.details?.[0]?.field,
    )

  test.each(notRanges)('is neither made nor changed with %j as an address: it could mean everyone', async (range) => {
    const allowed = ['192.0.2.1', range]
    expect(await fieldOf(create({ allowedIps: allowed }))).toBe('allowed_ips[1]')
    const { row } = await create({ allowedIps: ['192.0.2.1'] })
    const input = { name: 'Key', scopes: [...scopes], allowed_ips: allowed }
    expect(await fieldOf(changeAccess(world.rt, member(), row.id, input))).toBe('allowed_ips[1]')
    const [now] = await world.rt.store.read(findApiKey, { account_id: accountId, id: row.id })
    expect(now?.allowed_ips).toBe('["192.0.2.1"]')
  })

  test('is limited to numbers of its account, named by id or phone number', async () => {
    const { numberId, channel } = await world.connect(accountId)
    const phoneNumber = channel?.numbers[0]?.phone_number ?? ''
    expect((await create()).row.phone_number_ids).toBeNull()
    const spaced = `${phoneNumber.slice(0, 4)} ${phoneNumber.slice(4)}`
    const { row } = await create({ numbers: [numberId, phoneNumber, spaced] })
    expect(row.phone_number_ids).toBe(JSON.stringify([numberId]))
    expect(await fieldOf(create({ numbers: [numberId, '+12025550100'] }))).toBe('numbers[1]')
    const foreign = await world.connect(await world.newAccount())
    expect(await fieldOf(create({ numbers: [foreign.numberId] }))).toBe('numbers[0]')
  })

  const member = (): Member => ({
    sessionId: 'ses_1',
    personId: 'per_1',
    userId: ownerId,
    name: 'Owner',
    email: null,
    role: 'owner',
    accountId,
    accountName: 'Acme',
    plan: 'free',
    accountStatus: 'active',
    twoFactor: 'off',
    twoFactorRequired: false,
    operator: false,
    confirmedAt: 0,
    expiresAt: 0,
    endsAt: 0,
    extendable: false,
    context: { ip: null, user_agent: null, request_id: null },
  })
})

test.each(notRanges)('%j in a stored list lets nobody in', (range) => {
  const list = toAddressList([range])
  for (const ip of ['203.0.113.7', '8.8.8.8', '2001:db8::1', 'fe80::1']) expect(rangesContain(list, ip)).toBe(false)
})
