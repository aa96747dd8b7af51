import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { aRuntime } from '../../../../../test/support/runtime.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import type { App } from '../context.ts'
import { watchFinished } from '../finished.ts'
import { addOverloadProtection } from './overload.ts'

test('streams of events that are open take nothing from the share of their account in an overload', async () => {
  const { rt, dispose } = await aRuntime('sqlite')
  const app = fastify() as unknown as App
  const busy = { ...rt, store: { ...rt.store, depth: () => 2_000 } }
  const protection = addOverloadProtection(app, busy, watchFinished(app))
  app.addHook('onRequest', async (request) => {
    const accountId = request.headers.authorization ?? ''
    request.caller = { accountId } as typeof request.caller
    await protection.checkCredentials(request)
    await protection.checkAccount(request)
  })
  app.get('/stream', (_, reply) => {
    const endless = new Readable({ read() {} })
    endless.push(': open\n\n')
    void reply.type('text/event-stream').send(endless)
  })
  app.get('/hangs', () => new Promise(() => {}))
  app.get('/short', async () => 'done')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const get = (path: string, token: string) =>
    fetch(address + path, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal })
  try {
    await Promise.all(Array.from({ length: 30 }, () => get('/stream', 'listener')))
    const hanging = Array.from({ length: 30 }, () => get('/hangs', 'flooder').catch(() => null))
    // Who has as much under way in requests is refused as soon as the overload is noticed.
    await waitFor(async () => (await get('/short', 'flooder')).status !== 200)
    expect((await get('/short', 'listener')).status).toBe(200)
    leaving.abort()
    await Promise.all(hanging)
  } finally {
    leaving.abort()
    app.server.closeAllConnections()
    await app.close()
    await dispose()
  }
})
