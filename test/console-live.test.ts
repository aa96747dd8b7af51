import { afterEach, describe, expect, test } from 'vitest'
import { insertFact } from '../server/src/store/installation.ts'
import { operation } from '../server/src/store/operation.ts'
import { Unit } from '../server/src/store/unit.ts'
import { anOwner, aVisitor, type ConsoleWorld, startConsole } from './support/console-world.ts'
import { engines } from './support/databases.ts'
import { waitFor } from './support/wait-for.ts'

/** Anything that wakes a topic will do; this is the smallest. */
const touchMessages = operation({ ...insertFact, name: 'test.touch_messages', key: ['name'], wakes: 'messages' })

let world: ConsoleWorld
afterEach(() => world.dispose())

async function listen(cookie: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(`${world.url}/console/api/live`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    signal: abort.signal,
  })
  const heard = { text: '', ended: false }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  void (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      heard.text += value
    }
    heard.ended = true
  })().catch(() => {})
  return { response, heard, stop: () => abort.abort() }
}

async function touch(times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    const unit = new Unit()
    unit.add(touchMessages, { name: `touch-${index}`, value: '1' })
    await world.rt.store.write(unit)
  }
}

describe.each(engines)('live updates on %s', (engine) => {
  test('name what changed once for many commits, and only to those who are signed in', async () => {
    world = await startConsole(engine)
    const owner = await anOwner(world)
    const { response, heard, stop } = await listen(owner.cookie)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await waitFor(() => heard.text.includes('id: 0'))
    await touch(20)
    await waitFor(() => heard.text.includes('event: changed'))
    expect(heard.text).toContain('id: 1\nevent: changed\ndata: {"topics":["messages"]}\n\n')
    expect(heard.text.match(/event: changed/g)?.length).toBeLessThan(20)
    stop()
    expect((await aVisitor(world).call('GET', '/live')).status).toBe(401)
  })
})

describe('live updates', () => {
  test('after an interruption begin with every topic, because anything may have been missed', async () => {
    world = await startConsole()
    const owner = await anOwner(world)
    const { heard, stop } = await listen(owner.cookie, { 'last-event-id': '7' })
    await waitFor(() => heard.text.includes('event: changed'))
    expect(heard.text).toContain('{"topics":["callbacks","deliveries","events","messages"]}')
    stop()
  })

  test('end when the gateway stops, so that it can', async () => {
    world = await startConsole()
    const owner = await anOwner(world)
    const { heard } = await listen(owner.cookie)
    await waitFor(() => heard.text.includes('id: 0'))
    await world.app.close()
    await waitFor(() => heard.ended)
    expect(heard.ended).toBe(true)
  })

  test('are not for other sites', async () => {
    world = await startConsole()
    const owner = await anOwner(world)
    const { response } = await listen(owner.cookie, { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
  })
})
