import { describe, expect, test } from 'vitest'
import { list, record } from '../http/json.ts'
import { type Bench, errorIn, startBench } from '../test-support.ts'

const pathOf = ({ number }: Bench) => `${number.phone_number_id}/block_users`
const naming = (...users: string[]) => ({
  messaging_product: 'whatsapp',
  block_users: users.map((user) => (user.includes('.') ? { user_id: user } : { user })),
})
const listed = async (bench: Bench, query = '') => (await bench.call('GET', `${pathOf(bench)}${query}`)).body

describe('the block list', () => {
  test('a blocked customer is neither written to nor heard until unblocked', async () => {
    await using bench = await startBench()
    expect((await bench.call('POST', pathOf(bench), naming('+12025550100'))).body).toEqual({
      messaging_product: 'whatsapp',
      block_users: { added_users: [{ input: '+12025550100', wa_id: '12025550100' }] },
    })
    expect(errorIn(await bench.text('+12025550100')).code).toBe(130403)
    bench.sandbox.control.inbound({ from: '+12025550100', text: 'Hello?' })
    expect((await bench.call('DELETE', pathOf(bench), naming('+12025550100'))).body).toEqual({
      messaging_product: 'whatsapp',
      block_users: { removed_users: [{ input: '+12025550100', wa_id: '12025550100' }] },
    })
    expect((await bench.text('+12025550100')).status).toBe(200)
    bench.sandbox.control.inbound({ from: '+12025550100', text: 'Hello again' })
    await expect.poll(() => bench.receiver.messages().map(({ text }) => record(text).body)).toEqual(['Hello again'])
  })

  test('each user stands alone: who wrote in the last 24 hours is blocked, the others are named', async () => {
    await using bench = await startBench()
    const own = `+${bench.number.phone_number.replace(/\D/g, '')}`
    const answer = await bench.call('POST', pathOf(bench), naming('+12025550100', '+12025550111', own))
    expect(answer.status).toBe(400)
    expect(errorIn(answer).code).toBe(139100)
    const lists = record(answer.body.block_users)
    expect(list(lists.added_users)).toEqual([{ input: '+12025550100', wa_id: '12025550100' }])
    expect(list(lists.failed_users).map(record)).toMatchObject([
      {
        input: '+12025550111',
        errors: [{ code: 131047, error_data: { details: expect.stringContaining('24 hours') } }],
      },
      { input: own, errors: [{ code: 131021 }] },
    ])
    expect(list((await listed(bench)).data)).toEqual([{ messaging_product: 'whatsapp', wa_id: '12025550100' }])
  })

  test('who hides the number is blocked by user id', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ user_id: 'US.13491208655302741918', text: 'Hi' })
    await bench.call('POST', pathOf(bench), naming('US.13491208655302741918'))
    expect(list((await listed(bench)).data)).toEqual([
      { messaging_product: 'whatsapp', user_id: 'US.13491208655302741918' },
    ])
  })

  test('pages hold for one version of the list', async () => {
    await using bench = await startBench()
    const customers = Array.from({ length: 5 }, (_, i) => `+1202555012${i}`)
    for (const from of customers) bench.sandbox.control.inbound({ from, text: 'Hi' })
    await bench.call('POST', pathOf(bench), naming(...customers))
    const afterOf = (body: Awaited<ReturnType<typeof listed>>) => String(record(record(body.paging).cursors).after)
    const first = await listed(bench, '?limit=2')
    const second = await listed(bench, `?limit=2&after=${afterOf(first)}`)
    const third = await listed(bench, `?limit=2&after=${afterOf(second)}`)
    const seen = [first, second, third].flatMap(({ data }) => list(data).map((item) => `+${record(item).wa_id}`))
    expect(seen).toEqual(customers)
    expect(await listed(bench, `?limit=2&after=${afterOf(third)}`)).toEqual({ data: [], paging: {} })
    await bench.call('DELETE', pathOf(bench), naming('+12025550120'))
    const stale = await bench.call('GET', `${pathOf(bench)}?limit=2&after=${afterOf(first)}`)
    expect(errorIn(stale).code).toBe(139102)
  })

  test('a request names 1 to 1,000 users', async () => {
    await using bench = await startBench()
    const many = Array.from({ length: 1_001 }, (_, i) => `+1202555${String(i).padStart(4, '0')}`)
    expect(errorIn(await bench.call('POST', pathOf(bench), naming(...many))).code).toBe(130429)
    expect(errorIn(await bench.call('POST', pathOf(bench), naming())).code).toBe(131009)
    expect(errorIn(await bench.call('POST', pathOf(bench), { messaging_product: 'whatsapp' })).code).toBe(131008)
    expect(errorIn(await bench.call('POST', pathOf(bench), { block_users: [{ user: '+1' }] })).code).toBe(131008)
  })
})
