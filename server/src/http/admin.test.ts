import { afterAll, expect, test } from 'vitest'
import { createAdminApp } from './health.ts'

const metrics = { contentType: 'text/plain', render: async () => 'postern_up 1' }
const app = createAdminApp(metrics, { check: async () => [] }, { host: 'metrics.acme.test' })
afterAll(() => app.close())

const statusOf = async (host: string, url = '/metrics') => (await app.inject({ url, headers: { host } })).statusCode

test.each([
  'localhost:9090',
  '127.0.0.1:9090',
  '[::1]:9090',
  '10.0.0.7',
  'postern:9090',
  'postern.shop.svc.cluster.local:9090',
  'Metrics.acme.test:9090',
])('the admin listener serves %s', async (host) => {
  expect(await statusOf(host)).toBe(200)
})

test.each(['rebound.attacker.test', 'rebound.attacker.test:9090', '127.0.0.1.attacker.test', 'x.svc.test'])(
  'the admin listener rejects the public name %j, whatever is asked for',
  async (host) => {
    for (const url of ['/metrics', '/healthz', '/nothing']) expect(await statusOf(host, url)).toBe(403)
  },
)
