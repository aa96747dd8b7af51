import { describe, expect, test } from 'vitest'
import { list, record } from '../http/json.ts'
import { errorIn, startBench } from '../test-support.ts'

const INVALID = 131009

describe('ways to begin a conversation', () => {
  test('a short link has a code, other words later, and an end', async () => {
    await using bench = await startBench()
    const path = `${bench.number.phone_number_id}/message_qrdls`
    const { body: made } = await bench.call('POST', path, { prefilled_message: 'Hi', generate_qr_image: 'PNG' })
    expect(made).toMatchObject({ code: expect.stringMatching(/^.{14}$/), qr_image_url: expect.any(String) })
    await bench.call('POST', path, { prefilled_message: 'Hello', code: made.code })
    const { body } = await bench.call('GET', `${path}/${made.code}`)
    expect(record(list(body.data)[0]).prefilled_message).toBe('Hello')
    expect((await bench.call('DELETE', `${path}/${made.code}`)).body).toEqual({ success: true })
    expect(errorIn(await bench.call('GET', `${path}/${made.code}`)).code).toBe(100)
    expect(list((await bench.call('GET', path)).body.data)).toEqual([])
    const long = { prefilled_message: 'x'.repeat(141) }
    expect(errorIn(await bench.call('POST', path, long)).code).toBe(INVALID)
    const strange = { prefilled_message: 'Hi', code: 'ANOTHER' }
    expect(errorIn(await bench.call('POST', path, strange)).code).toBe(INVALID)
  })

  test('a username is kept in lower case, told, found nowhere else, and given back', async () => {
    await using bench = await startBench()
    const path = `${bench.number.phone_number_id}/username`
    const save = async (username: string) => (await bench.call('POST', path, { username })).body
    expect(await save('Acme.Shop')).toEqual({ status: 'approved' })
    expect((await bench.call('GET', path)).body).toEqual({ username: 'acme.shop', status: 'approved' })
    const [suggested] = list((await bench.call('GET', `${path}_suggestions`)).body.data)
    expect(list(record(suggested).username_suggestions).length).toBeGreaterThan(0)
    for (const wrong of [
      'ab',
      '1234',
      '.acme',
      'acme.',
      'ac..me',
      'www.acme',
      'acme.com',
      'acme shop',
      'x'.repeat(36),
    ]) {
      expect([wrong, errorIn(await bench.call('POST', path, { username: wrong })).code]).toEqual([wrong, 100])
    }
    const other = bench.sandbox.control.createNumber({ name: 'Other' })
    const headers = { authorization: `Bearer ${other.access_token}` }
    const theirs = await bench.call('POST', `${other.phone_number_id}/username`, { username: 'acme.shop' }, headers)
    expect(errorIn(theirs).code).toBe(147001)
    expect((await bench.call('DELETE', path)).body).toEqual({ success: true })
    expect((await bench.call('GET', path)).body).toEqual({})
  })

  test('ice breakers and commands are kept, within their limits', async () => {
    await using bench = await startBench()
    const id = bench.number.phone_number_id
    const save = (automation: object) => bench.call('POST', `${id}/conversational_automation`, automation)
    const commands = [{ command_name: 'order', command_description: 'Where is it?' }]
    await save({ prompts: ['What is new?'] })
    await save({ commands })
    const { body } = await bench.call('GET', `${id}?fields=conversational_automation`)
    expect(body.conversational_automation).toEqual({ id, prompts: ['What is new?'], commands })
    expect(errorIn(await save({ prompts: ['a', 'b', 'c', 'd', 'e'] })).code).toBe(INVALID)
    expect(errorIn(await save({ commands: [{ ...commands[0], command_name: 'x'.repeat(31) }] })).code).toBe(INVALID)
  })

  test('the history of a message names its steps', async () => {
    await using bench = await startBench()
    const id = bench.number.phone_number_id
    const { body } = await bench.text('+12025550100')
    const wamid = String(record(list(body.messages)[0]).id)
    bench.sandbox.control.advance(60_000)
    const { body: history } = await bench.call('GET', `${id}/message_history?message_id=${encodeURIComponent(wamid)}`)
    const steps = list(record(record(list(history.data)[0]).events).data).map((step) => record(step).delivery_status)
    expect(steps).toEqual(['SENT', 'DELIVERED', 'READ'])
    expect(list((await bench.call('GET', `${id}/message_history?message_id=wamid.other`)).body.data)).toEqual([])
  })
})
