import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passedCalls, refusedParameters } from '../../server/src/http/graph/call-table.ts'
import { customerBy } from '../../server/src/messages/customers/find-customer.ts'
import { connectedNumbers } from '../../server/src/store/channels/numbers.ts'
import { contactsOf } from '../../server/src/store/messages/contacts.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { engines } from '../support/postgres/databases.ts'
import type { Answer } from '../support/world.ts'

describe.each(engines)('calls that are passed on, on %s', { timeout: 60_000 }, (engine) => {
  let world: GraphWorld
  let able: Tool
  const codeOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.error_subcode]

  beforeAll(async () => {
    world = await aGraphWorld(engine)
    able = await world.connect({ scopes: ['graph:pass', 'templates:write', 'profile:write', 'blocked:write'] })
  })
  afterAll(() => world.stop())

  test('with graph:pass reach Meta once, and are in the audit log if they change something', async () => {
    const link = { prefilled_message: 'Hello', generate_qr_image: 'SVG' }
    expect(codeOf(await world.graph('POST', `/${world.number}/message_qrdls`, link))).toEqual([403, 10, undefined])
    const made = await world.graph('POST', `/${world.number}/message_qrdls`, link, able)
    expect([made.status, made.body.code]).toEqual([200, expect.any(String)])
    const path = `/${world.number}/message_qrdls`
    expect((await world.graph('GET', path, undefined, able)).body.data).toHaveLength(1)
    expect((await world.graph('DELETE', `${path}/${made.body.code}`, undefined, able)).body).toEqual({ success: true })
    // What was read a moment ago is read again after a change.
    expect((await world.graph('GET', path, undefined, able)).body.data).toEqual([])
  })

  test('read the analytics of a business account, and no other expansion', async () => {
    const seconds = Math.floor(Date.now() / 1_000)
    const range = `start(${seconds - 86_400}).end(${seconds})`
    const read = (fields: string, tool = able) =>
      world.graph('GET', `/${world.waba}?fields=${encodeURIComponent(fields)}`, undefined, tool)
    for (const asked of [
      `analytics.${range}.granularity(DAY)`,
      `conversation_analytics.${range}.granularity(DAILY).phone_numbers([])`,
      `pricing_analytics.${range}.granularity(DAILY).dimensions(["COUNTRY","PRICING_TYPE"])`,
    ]) {
      const answer = await read(asked)
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, expect.arrayContaining([asked.split('.')[0]])])
    }
    expect(codeOf(await read(`analytics.${range}.granularity(DAY)`, await world.connect()))).toEqual([
      403,
      10,
      undefined,
    ])
    for (const asked of [
      `analytics.${range}.granularity(DAY),phone_numbers`,
      `analytics.${range}{phone_numbers}`,
      `analytics.start(1,subscribed_apps)`,
    ]) {
      expect(codeOf(await read(asked))).toEqual([400, 131_009, undefined])
    }
  })

  test('of the block list are known here too, also where Meta does it for some only', async () => {
    const { rt } = world.service
    const path = `/${world.number}/block_users`
    const usersOf = (...users: string[]) => ({
      messaging_product: 'whatsapp',
      block_users: users.map((user) => ({ user })),
    })
    const marks = async () => {
      const known = await customerBy(rt, world.accountId, world.customer)
      const wanted = { account_id: world.accountId, customer_ids: known ? [known.id] : [] }
      return (await rt.store.read(contactsOf, wanted)).map(({ blocked_at }) => blocked_at)
    }
    const some = await world.graph('POST', path, usersOf(world.customer, '+12025559876'), able)
    expect([some.status, some.body.block_users.added_users.length]).toEqual([400, 1])
    expect(await marks()).toEqual([expect.any(Number)])
    expect((await world.graph('DELETE', path, usersOf(world.customer), able)).status).toBe(200)
    expect(await marks()).toEqual([null])
  })

  test('give a number its username, and take it back', async () => {
    const path = `/${world.number}/username`
    expect(codeOf(await world.graph('POST', path, { username: 'acme' }))).toEqual([403, 10, undefined])
    expect((await world.graph('POST', path, { username: 'acme' }, able)).body).toEqual({ status: 'approved' })
    expect((await world.graph('GET', path, undefined, able)).body).toEqual({ username: 'acme', status: 'approved' })
    expect((await world.graph('DELETE', path, undefined, able)).body).toEqual({ success: true })
  })

  test('read and change a template by its id', async () => {
    const { data } = (await world.graph('GET', `/${world.waba}/message_templates?fields=id,name&limit=1`)).body
    const read = await world.graph('GET', `/${data[0].id}?fields=id,name`)
    expect(read.body).toEqual(data[0])
    expect(codeOf(await world.graph('POST', `/${data[0].id}`, { category: 'UTILITY' }))).toEqual([403, 10, undefined])
    const stranger = await world.connectStranger()
    expect(codeOf(await world.graph('GET', `/${data[0].id}`, undefined, stranger))).toEqual([400, 100, 33])
  })

  test('of all kinds are the same to a stranger: objects that do not exist', async () => {
    const stranger = await world.connectStranger()
    for (const [name, rows] of Object.entries(passedCalls)) {
      const [method = '', edge = ''] = name.split(' ')
      for (const { of } of rows) {
        const id = of === 'number' ? world.number : world.waba
        const path = `/${id}/${edge.replace('{}', 'x')}`.replace(/\/$/, '')
        const answer = await world.graph(method, path, method === 'GET' ? undefined : {}, stranger)
        expect([method, path, ...codeOf(answer)], JSON.stringify(answer.body)).toEqual([method, path, 400, 100, 33])
      }
    }
  })

  test('have none of Meta’s tricks', async () => {
    for (const name of refusedParameters) {
      const inQuery = await world.graph('GET', `/${world.number}?${name}=x`, undefined, able)
      const inBody = await world.graph('POST', `/${world.number}/message_qrdls`, { [name]: 'x' }, able)
      expect([name, ...codeOf(inQuery), ...codeOf(inBody)]).toEqual([name, 400, 100, undefined, 400, 100, undefined])
    }
    for (const fields of ['phone_numbers', 'message_templates.limit(1)', 'id,subscribed_apps', 'access_token']) {
      expect([fields, (await world.graph('GET', `/${world.waba}?fields=${fields}`)).status]).toEqual([fields, 400])
    }
  })

  test('about all numbers of a business account are not for a connection with some of them', async () => {
    const { accountId, service } = world
    const [first] = await service.rt.store.read(connectedNumbers, { account_id: accountId })
    const some = await world.connect({ scopes: ['graph:pass'], numbers: [first?.id ?? ''] })
    expect(codeOf(await world.graph('GET', `/${world.waba}/flows`, undefined, some))).toEqual([403, 10, undefined])
  })
})
