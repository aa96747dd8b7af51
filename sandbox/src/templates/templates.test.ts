import { describe, expect, test } from 'vitest'
import { type Json, list, record } from '../http/json.ts'
import { type Bench, errorIn, startBench, until } from '../test-support.ts'

const approved = { name: 'approved', components: [{ type: 'BODY', text: 'Hi {{1}}.' }] }
const BODY = { type: 'body', text: 'Hi {{1}}, your order {{2}} is ready.', example: { body_text: [['Ana', 'A-1']] } }

describe('creating a template', () => {
  test('it is pending, then approved, and a callback says so with a numeric id', async () => {
    await using bench = await startBench({ scenario: { review_delay_ms: 10 } })
    const answer = await create(bench, { name: 'order_ready', components: [BODY] })
    expect(answer.body).toEqual({ id: expect.stringMatching(/^\d+$/), status: 'PENDING', category: 'UTILITY' })
    const id = String(answer.body.id)
    await until('the review', () => bench.receiver.values('message_template_status_update').length === 1)
    expect(bench.receiver.values('message_template_status_update')[0]).toMatchObject({
      event: 'APPROVED',
      message_template_id: Number(id),
      message_template_name: 'order_ready',
      message_template_language: 'en_US',
      reason: 'NONE',
    })
    expect(Number.isSafeInteger(Number(id))).toBe(true)
    const entry = record(list(bench.receiver.received.at(-1)?.body.entry)[0])
    expect(entry).toMatchObject({ id: bench.number.waba_id, time: expect.any(Number) })
    expect((await bench.call('GET', `${id}?fields=status`)).body).toEqual({ status: 'APPROVED', id })
  })

  test('a name containing reject is rejected with a reason and a recommendation', async () => {
    await using bench = await startBench({ scenario: { review_delay_ms: 10 } })
    const { body } = await create(bench, { name: 'please_reject_me', components: [BODY] })
    await until('the review', () => bench.receiver.values('message_template_status_update').length === 1)
    expect(bench.receiver.values('message_template_status_update')[0]).toMatchObject({
      event: 'REJECTED',
      reason: 'INVALID_FORMAT',
      rejection_info: { reason: expect.stringContaining(' '), recommendation: expect.any(String) },
    })
    const read = await bench.call('GET', `${String(body.id)}?fields=status,rejected_reason`)
    expect(read.body).toMatchObject({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' })
  })

  test('the same name in the same language is refused with subcode 2388024', async () => {
    await using bench = await startBench()
    await create(bench, { name: 'twice', components: [BODY] })
    const again = await create(bench, { name: 'twice', components: [BODY] })
    expect(again.status).toBe(400)
    expect(errorIn(again)).toMatchObject({ code: 100, error_subcode: 2388024, error_user_title: expect.any(String) })
    expect((await create(bench, { name: 'twice', language: 'pt_BR', components: [BODY] })).status).toBe(200)
  })

  test('a promotional utility template is taken as marketing', async () => {
    await using bench = await startBench()
    expect((await create(bench, { name: 'promo_week', components: [BODY] })).body.category).toBe('MARKETING')
  })

  const broken: [string, number | undefined, Json][] = [
    ['a name in capitals', undefined, { name: 'Order', components: [BODY] }],
    ['no body', 2388072, { components: [] }],
    ['a body that starts with a variable', 2388299, { components: [positional('{{1}} is ready.', 1)] }],
    ['a body that ends with a variable', 2388299, { components: [positional('Ready: {{1}}', 1)] }],
    ['variables out of order', 2388072, { components: [positional('Hi {{2}} there.', 1)] }],
    ['variables side by side', 2388072, { components: [positional('Hi dear {{1}} {{2}} there.', 2)] }],
    ['a body over 1024', 2388040, { components: [{ type: 'BODY', text: 'x'.repeat(1025) }] }],
    ['too many variables', 2388293, { components: [positional('a {{1}}, {{2}}, {{3}}.', 3)] }],
    ['a missing sample', 2388072, { components: [{ type: 'BODY', text: 'Hi {{1}}, ready.' }] }],
    ['a header over 60', 2388047, { components: [BODY, { type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }] }],
    ...['*Sale*', 'Sale 🎉', 'A\nB', 'Now ~old~', 'The _news_ today'].map((words): [string, number, Json] => [
      `a header with markup or emoji (${words})`,
      2388047,
      { components: [BODY, { type: 'HEADER', format: 'TEXT', text: words }] },
    ]),
    ['a media header without a sample', 2388047, { components: [BODY, { type: 'HEADER', format: 'IMAGE' }] }],
    ['a variable in the footer', 2388073, { components: [BODY, { type: 'FOOTER', text: 'x {{1}}' }] }],
    ['scattered quick replies', 2388060, { components: [BODY, { type: 'BUTTONS', buttons: scattered() }] }],
  ]

  test.each(broken)('%s is refused with subcode %s', async (_what, subcode, template) => {
    await using bench = await startBench()
    const answer = await create(bench, { name: 'broken', ...template })
    expect(answer.status).toBe(400)
    expect(errorIn(answer).code).toBe(100)
    expect(errorIn(answer).error_subcode).toBe(subcode)
  })
})

describe('keeping templates', () => {
  test('lists are paged by cursors, with next only while more follows', async () => {
    await using bench = await startBench()
    for (const name of ['a', 'b', 'c', 'd']) await create(bench, { name, components: [BODY] })
    const names: unknown[] = []
    let url: string | undefined =
      `${bench.sandbox.url}/v26.0/${bench.number.waba_id}/message_templates?limit=2&fields=name`
    let pages = 0
    while (url !== undefined) {
      const response: Response = await fetch(url, { headers: { authorization: `Bearer ${bench.number.access_token}` } })
      const page = record(await response.json())
      expect(record(page.paging).cursors).toEqual({ before: expect.any(String), after: expect.any(String) })
      names.push(...list(page.data).map((item) => record(item).name))
      url = record(page.paging).next as string | undefined
      pages++
    }
    expect(names).toEqual(['hello_world', 'a', 'b', 'c', 'd'])
    expect(pages).toBe(3)
  })

  test('lists are filtered by name, status, category and language', async () => {
    await using bench = await startBench()
    await create(bench, { name: 'order_ready', components: [BODY], language: 'pt_BR' })
    const names = async (query: string) =>
      list((await bench.call('GET', `${bench.number.waba_id}/message_templates?${query}`)).body.data).map(
        (item) => record(item).name,
      )
    expect(await names('status=approved')).toEqual(['hello_world'])
    expect(await names('status=approved,pending')).toEqual(['hello_world', 'order_ready'])
    expect(await names('name=order')).toEqual(['order_ready'])
    expect(await names('language=pt_BR')).toEqual(['order_ready'])
    expect(await names('category=marketing')).toEqual([])
    expect(await names('content=your%20order')).toEqual(['order_ready'])
  })

  test('an approved template can be edited once a day, and goes through review again', async () => {
    await using bench = await startBench({ scenario: { review_delay_ms: 3_600_000 } })
    const review = () => bench.sandbox.control.advance(3_600_000)
    const id = String((await create(bench, { name: 'edited', components: [BODY] })).body.id)
    const edit = () => bench.call('POST', id, { components: [{ ...BODY, text: 'Dear {{1}}, order {{2}} is ready.' }] })
    expect(errorIn(await edit()).error_subcode).toBe(2388039)
    review()
    await until('approval', () => statusEvents(bench).length === 1)
    expect((await edit()).body).toEqual({ success: true })
    review()
    await until('the second approval', () => statusEvents(bench).length === 2)
    await until('the change', () => bench.receiver.values('message_template_components_update').length === 1)
    expect(errorIn(await edit()).error_subcode).toBe(2388039)
    bench.sandbox.control.advance(25 * 3_600_000)
    expect((await edit()).body).toEqual({ success: true })
  })

  test('an approved template that is edited is sent as it was approved until the review, and not any more when that fails', async () => {
    await using bench = await startBench({ scenario: { review_delay_ms: 3_600_000 } })
    const { id } = record(
      list(bench.sandbox.control.addTemplates({ waba_id: bench.number.waba_id, templates: [approved] }).data)[0],
    )
    const send = (...values: string[]) => {
      const parameters = values.map((value) => ({ type: 'text', text: value }))
      const template = { name: 'approved', language: { code: 'en_US' }, components: [{ type: 'body', parameters }] }
      return bench.send({ to: '+12025550100', type: 'template', template })
    }
    const edited = { ...BODY, text: 'Dear {{1}}, order {{2}} is ready.' }
    await bench.call('POST', String(id), { components: [edited] })
    expect((await bench.call('GET', String(id))).body).toMatchObject({
      status: 'PENDING',
      components: [{ text: edited.text }],
    })
    expect((await send('Ana')).status).toBe(200)
    expect(bench.sandbox.control.messages().data.at(-1)?.text).toBe('Hi Ana.')
    expect(errorIn(await send('Ana', 'A-1')).code).toBe(132000)
    bench.sandbox.control.review('approved', { decision: 'approve' })
    expect((await send('Ana', 'A-1')).status).toBe(200)
    bench.sandbox.control.advance(25 * 3_600_000)
    await bench.call('POST', String(id), { components: [{ ...edited, text: 'Hello {{1}}, order {{2}} waits.' }] })
    bench.sandbox.control.review('approved', { decision: 'reject' })
    expect(errorIn(await send('Ana', 'A-1')).code).toBe(132001)
  })

  test('a review that a decision has overtaken does not decide about the next edit', async () => {
    const minuteMs = 60_000
    await using bench = await startBench({ scenario: { review_delay_ms: 60 * minuteMs } })
    const { control } = bench.sandbox
    const id = String((await create(bench, { name: 'overtaken', components: [BODY] })).body.id)
    const status = async () => (await bench.call('GET', `${id}?fields=status`)).body.status
    control.review('overtaken', { decision: 'reject' })
    control.advance(30 * minuteMs)
    await bench.call('POST', id, { components: [{ ...BODY, text: 'Dear {{1}}, order {{2}} is ready.' }] })
    control.advance(40 * minuteMs)
    expect(await status()).toBe('PENDING')
    control.advance(30 * minuteMs)
    expect(await status()).toBe('APPROVED')
  })

  test('a deleted approved name stays blocked for 30 days', async () => {
    await using bench = await startBench()
    const { waba_id: waba } = bench.number
    expect((await bench.call('DELETE', `${waba}/message_templates?name=hello_world`)).body).toEqual({ success: true })
    expect((await create(bench, { name: 'hello_world', components: [BODY] })).status).toBe(400)
    bench.sandbox.control.advance(31 * 24 * 3_600_000)
    expect((await create(bench, { name: 'hello_world', components: [BODY] })).status).toBe(200)
  })

  test('three pauses disable a template; one can be undone by hand', async () => {
    await using bench = await startBench()
    const { control } = bench.sandbox
    const review = (decision: string) => control.review('hello_world', { decision }).data[0]
    const send = () =>
      bench.send({
        to: '+12025550100',
        type: 'template',
        template: { name: 'hello_world', language: { code: 'en_US' } },
      })
    const paused = review('pause')
    expect(errorIn(await send()).code).toBe(132015)
    expect((await bench.call('POST', `${String(paused?.id)}/unpause`)).body).toEqual({ success: true })
    expect((await send()).status).toBe(200)
    review('pause')
    control.advance(6 * 3_600_000 + 10)
    expect((await send()).status).toBe(200)
    review('pause')
    expect(errorIn(await send()).code).toBe(132016)
    await until('five events', () => statusEvents(bench).length === 5)
    expect(statusEvents(bench)).toEqual(['PAUSED', 'APPROVED', 'PAUSED', 'APPROVED', 'DISABLED'])
  })

  test('quality and category change with their own callbacks', async () => {
    await using bench = await startBench()
    const { control } = bench.sandbox
    control.review('hello_world', { decision: 'quality', quality_score: 'YELLOW' })
    control.review('hello_world', { decision: 'category', category: 'MARKETING', after_ms: 1000 })
    control.advance(1100)
    await until('both category events', () => bench.receiver.values('template_category_update').length === 2)
    expect(bench.receiver.values('message_template_quality_update')[0]).toMatchObject({
      previous_quality_score: 'UNKNOWN',
      new_quality_score: 'YELLOW',
    })
    const [announced, done] = bench.receiver.values('template_category_update')
    expect(announced).toMatchObject({ new_category: 'UTILITY', correct_category: 'MARKETING' })
    expect(done).toMatchObject({ previous_category: 'UTILITY', new_category: 'MARKETING' })
  })
})

function create(bench: Bench, template: Json) {
  const whole = { name: 'x', language: 'en_US', category: 'UTILITY', ...template }
  return bench.call('POST', `${bench.number.waba_id}/message_templates`, whole)
}

function statusEvents(bench: Bench): unknown[] {
  return bench.receiver.values('message_template_status_update').map((value) => value.event)
}

function positional(text: string, count: number): Json {
  return { type: 'BODY', text, example: { body_text: [Array.from({ length: count }, () => 'x')] } }
}

function scattered(): Json[] {
  const quick = { type: 'QUICK_REPLY', text: 'Yes' }
  return [quick, { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001' }, { ...quick, text: 'No' }]
}
