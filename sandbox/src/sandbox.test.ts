import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { list, record } from './http/json.ts'
import { startSandbox } from './sandbox.ts'
import { errorIn, startBench, until } from './test-support.ts'

describe('the control API', () => {
  test('it tells a client everything it needs to connect', async () => {
    await using bench = await startBench()
    const { body } = await bench.control('GET', '')
    expect(list(body.numbers)).toEqual([bench.number])
    expect(bench.number).toMatchObject({
      phone_number: expect.stringMatching(/^\+\d{11}$/),
      access_token: expect.stringMatching(/^EAA/),
      app_secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      graph_version: 'v26.0',
    })
  })

  test('each new number is a business of its own, with hello_world and one open window', async () => {
    await using bench = await startBench()
    const made = record((await bench.control('POST', '/numbers', { name: 'Second' })).body)
    expect(made.waba_id).not.toBe(bench.number.waba_id)
    expect(made.access_token).not.toBe(bench.number.access_token)
    const headers = { authorization: `Bearer ${String(made.access_token)}` }
    const templates = await bench.call('GET', `${String(made.waba_id)}/message_templates`, undefined, headers)
    expect(list(templates.body.data)[0]).toMatchObject({ name: 'hello_world', language: 'en_US', status: 'APPROVED' })
    const customers = await bench.control('GET', `/customers?phone_number_id=${String(made.phone_number_id)}`)
    expect(list(customers.body.data)).toMatchObject([{ phone_number: '+12025550100', window: 'open' }])
    expect(bench.receiver.messages()).toEqual([])
  })

  test('a window can be closed and opened by hand', async () => {
    await using bench = await startBench()
    const close = { phone_number: '+12025550100', window: 'closed' }
    expect((await bench.control('POST', '/customers', close)).body).toMatchObject({ window: 'closed' })
    await bench.text('+12025550100')
    await until('a failure', () => bench.receiver.statuses().some((item) => item.status === 'failed'))
  })

  test('templates can be made without review, and reviewed by name', async () => {
    await using bench = await startBench()
    const templates = [{ name: 'now', components: [{ type: 'body', text: 'Hi {{1}}.' }] }]
    const made = await bench.control('POST', '/templates', { waba_id: bench.number.waba_id, templates })
    expect(list(made.body.data)).toMatchObject([{ name: 'now', status: 'APPROVED' }])
    await bench.control('POST', '/templates/now/review', { decision: 'reject', reason: 'SCAM' })
    await until('the callback', () => bench.receiver.values('message_template_status_update').length === 1)
    expect(bench.receiver.values('message_template_status_update')[0]).toMatchObject({
      event: 'REJECTED',
      reason: 'SCAM',
    })
    const wrong = await bench.control('POST', '/templates/now/review', { decision: 'frown' })
    expect(wrong.status).toBe(400)
  })

  test('messages are listed in order, page after page, and a reset forgets them', async () => {
    await using bench = await startBench()
    for (let i = 0; i < 3; i++) await bench.text('+12025550100', { biz_opaque_callback_data: `m${i}` })
    const first = list((await bench.control('GET', '/messages?limit=10')).body.data).map(record)
    expect(first.map((message) => message.biz_opaque_callback_data)).toEqual(['m0', 'm1', 'm2'])
    const after = encodeURIComponent(String(first[0]?.id))
    const rest = await bench.control('GET', `/messages?limit=1&after=${after}`)
    expect(list(rest.body.data)).toMatchObject([{ biz_opaque_callback_data: 'm1' }])
    await bench.control('POST', '/reset')
    expect(bench.sandbox.control.messages().data).toEqual([])
  })

  test('it refuses pages of other origins and other host names', async () => {
    await using bench = await startBench()
    for (const headers of [{ origin: 'https://evil.test' }, { host: 'evil.test' }]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: bench.sandbox.port, path: '/_sandbox', headers }
        request(options, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end()
      })
      expect(status).toBe(403)
    }
  })
})

describe('a sandbox with a state file', () => {
  test('numbers, tokens, subscriptions, templates, windows and media survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
    const stateFile = join(folder, 'sandbox.json')
    try {
      const before = await startBench({ stateFile })
      const { number } = before
      before.sandbox.control.inbound({ from: '+12025550177', type: 'image' })
      before.sandbox.control.addTemplates({
        templates: [{ name: 'kept', components: [{ type: 'BODY', text: 'Hi.' }] }],
      })
      await until('the message', () => before.receiver.messages().length === 1)
      const mediaId = String(record(before.receiver.messages()[0]?.image).id)
      await before.sandbox.close()
      expect(statSync(stateFile).mode & 0o777).toBe(0o600)
      expect(existsSync(`${stateFile}.tmp`)).toBe(false)

      await using sandbox = disposable(await startSandbox({ stateFile }))
      expect(sandbox.numbers).toEqual([number])
      const headers = { authorization: `Bearer ${number.access_token}`, 'content-type': 'application/json' }
      const get = async (path: string) =>
        record(await (await fetch(`${sandbox.url}/v26.0/${path}`, { headers })).json())
      const subscription = record(list((await get(`${number.waba_id}/subscribed_apps`)).data)[0])
      expect(subscription.override_callback_uri).toBe(before.receiver.url)
      const names = list((await get(`${number.waba_id}/message_templates`)).data).map((item) => record(item).name)
      expect(names).toEqual(['hello_world', 'kept'])
      const media = await get(mediaId)
      const bytes = await (await fetch(String(media.url), { headers })).arrayBuffer()
      expect(bytes.byteLength).toBe(media.file_size)
      const customers = sandbox.control.customers().data.map((customer) => [customer.phone_number, customer.window])
      expect(customers).toContainEqual(['+12025550177', 'open'])
      await before.receiver.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a review that was under way goes on after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
    const stateFile = join(folder, 'sandbox.json')
    try {
      const before = await startBench({ stateFile })
      const draft = {
        name: 'slow',
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hi.' }],
      }
      const { body } = await before.call('POST', `${before.number.waba_id}/message_templates`, draft)
      await before[Symbol.asyncDispose]()
      await using after = disposable(await startSandbox({ stateFile }))
      const url = `${after.url}/v26.0/${String(body.id)}?fields=status`
      const headers = { authorization: `Bearer ${before.number.access_token}` }
      const status = async () => record(await (await fetch(url, { headers })).json()).status
      expect(await status()).toBe('PENDING')
      after.control.advance(2100)
      expect(await status()).toBe('APPROVED')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a pause that was under way ends after a restart, when its hours are over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
    const stateFile = join(folder, 'sandbox.json')
    const hourMs = 3_600_000
    let wallMs = Date.UTC(2026, 10, 15, 10)
    const clock = () => wallMs
    try {
      const before = await startBench({ stateFile, clock })
      const [paused] = before.sandbox.control.review('hello_world', { decision: 'pause' }).data
      await before[Symbol.asyncDispose]()
      wallMs += hourMs
      await using after = disposable(await startSandbox({ stateFile, clock }))
      const url = `${after.url}/v26.0/${String(paused?.id)}?fields=status`
      const headers = { authorization: `Bearer ${before.number.access_token}` }
      const status = async () => record(await (await fetch(url, { headers })).json()).status
      after.control.advance(2 * hourMs - 10)
      expect(await status()).toBe('PAUSED')
      after.control.advance(20)
      expect(await status()).toBe('APPROVED')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('without one, no folder of media is left behind', async () => {
    const bench = await startBench()
    bench.sandbox.control.inbound({ from: '+12025550177', type: 'image' })
    await until('the message', () => bench.receiver.messages().length === 1)
    const url = String(record(bench.receiver.messages()[0]?.image).url)
    await bench[Symbol.asyncDispose]()
    await expect(fetch(url)).rejects.toThrow(/fetch failed/)
  })
})

test('logs carry neither phone numbers nor texts nor tokens', async () => {
  const lines: string[] = []
  await using bench = await startBench({ log: (line) => lines.push(JSON.stringify(line)) })
  await bench.text('+12025550100', { text: { body: 'a private word' } })
  await bench.control('POST', '/inbound', { from: '+12025550100', text: 'another private word' })
  await until('the message', () => bench.receiver.messages().length === 1)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toMatch(/2025550100|private|EAA/)
})

test('the sandbox imports Node alone', () => {
  const folder = import.meta.dirname
  const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !name.includes('test'))
  const imports = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? ''),
  )
  expect(imports.length).toBeGreaterThan(100)
  expect(imports.filter((name) => !name.startsWith('.') && !name.startsWith('node:'))).toEqual([])
})

test('an unknown path is an unknown node', async () => {
  await using bench = await startBench()
  expect(errorIn(await bench.call('GET', 'nothing/here')).code).toBe(100)
})

function disposable<T extends { close(): Promise<void> }>(resource: T): T & AsyncDisposable {
  return Object.assign(resource, { [Symbol.asyncDispose]: () => resource.close() })
}
