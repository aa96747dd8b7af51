import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cpuMsSoFar } from '../support/cpu-time.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const analytics = '/v1/chat/analytics'

describe.each(engines)('analytics on %s', (engine) => {
  let world: World
  let templateId: string
  beforeAll(async () => {
    world = await aWorld(engine)
    // A read that overtakes its delivery names neither a price nor a time for it.
    await world.control('PUT', '/_sandbox/scenario', { callbacks: { never_read: true } })
    for (const text of ['one', 'two', 'three']) {
      const sent = await world.post('/v1/chat/messages/send', { to: world.customer, message: text })
      expect(sent.status).toBe(200)
    }
    const components = [{ type: 'body', parameters: ['Ana', 'PT1'].map((text) => ({ type: 'text', text })) }]
    const request = { to: '+12025550177', template: 'shipping_update', language: 'en_US', components }
    const sent = await world.post('/v1/chat/messages/template', request)
    expect(sent.status).toBe(200)
    templateId = sent.body.data.message_id
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Thanks' })
    await waitFor(async () => {
      const { totals } = (await world.get(analytics)).body.data
      return totals.delivered === 4 && totals.received === 1
    }, 15_000)
  })
  afterAll(() => world.stop())

  const ask = (query: string) => world.get(`${analytics}?${query}`)
  const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details?.[0]?.field]

  test('count what was sent and received, a moment after it happened', async () => {
    const { status, body } = await world.get(analytics)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      granularity: 'day',
      timezone: 'UTC',
      group_by: [],
      totals: {
        sent: 4,
        delivered: 4,
        failed: 0,
        received: 1,
        created: 4,
        delivery_rate: 100,
        unique_recipients: 2,
      },
      failures: [],
    })
    expect(body.data.totals.delivery_seconds_p50).toBeGreaterThanOrEqual(0)
    expect(body.data.totals.delivery_seconds_p95).toBeGreaterThanOrEqual(body.data.totals.delivery_seconds_p50)
    expect(body.data.series).toHaveLength(1)
    expect(body.data.series[0].group).toEqual({})
    expect(body.data.series[0].points).toHaveLength(8)
    expect(body.data.series[0].points.at(-1)).toMatchObject({ sent: 4, received: 1 })
    expect(body.data.series[0].points[0]).toMatchObject({ sent: 0, delivery_rate: null, read_rate: null })
  })

  test('count what was delivered by the pricing category of the platform', async () => {
    const { pricing } = (await world.get(analytics)).body.data
    const counted = pricing.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    expect(counted).toBe(4)
    expect(pricing).toContainEqual({ category: 'utility', type: 'regular', free: false, count: 1 })
  })

  test('are grouped by up to two things, written with a comma or twice', async () => {
    for (const query of ['group_by=template,type', 'group_by=template&group_by=type']) {
      const { body } = await ask(query)
      expect(body.data.group_by).toEqual(['template', 'type'])
      expect(
        body.data.series.map(({ group, totals }: { group: object; totals: { sent: number } }) => [group, totals.sent]),
      ).toEqual([
        [{ template: null, type: 'text' }, 3],
        [{ template: 'shipping_update', type: 'template' }, 1],
      ])
    }
    const { body } = await ask('group_by=type&limit_groups=1&direction=outbound')
    expect(
      body.data.series.map(({ group, totals }: { group: object; totals: { sent: number } }) => [group, totals.sent]),
    ).toEqual([
      [{ type: 'text' }, 3],
      [{ type: 'other' }, 1],
    ])
  })

  test('are filtered, also by a number as people dial it', async () => {
    const me = await world.get('/v1/auth/me')
    const [number] = me.body.data.channel.phone_numbers
    for (const value of [number.id, encodeURIComponent(number.phone_number)]) {
      expect((await ask(`phone_number=${value}&template=shipping_update`)).body.data.totals).toMatchObject({
        sent: 1,
        unique_recipients: null,
      })
    }
    const unencoded = await ask(`phone_number=${number.phone_number}`)
    expect(unencoded.body.error.message).toBe("'phone_number' is not valid: Write + as %2B in a URL.")
    expect((await ask(`api_key=${me.body.data.api_key.id}`)).body.data.totals.sent).toBe(4)
    expect((await ask('api_key=key_unknown')).body.data.totals.sent).toBe(0)
    expect((await ask('direction=inbound')).body.data.totals).toMatchObject({ sent: 0, received: 1 })
  })

  test('have a zero for every hour, day and month, whole in the zone that was asked for', async () => {
    const days = (await ask('from=2026-03-28&to=2026-03-31&timezone=Europe/Lisbon')).body.data.series[0].points
    expect(days.map(({ start }: { start: string }) => start)).toEqual([
      '2026-03-28T00:00:00.000Z',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T23:00:00.000Z',
    ])
    const hours = await ask('from=2026-10-25&to=2026-10-26&granularity=hour&timezone=Europe/Lisbon')
    expect(hours.body.data.series[0].points).toHaveLength(25)
    const months = await ask('from=2026-01-01&to=2026-07-01&granularity=month&timezone=Asia/Kathmandu')
    expect(months.body.data.series[0].points).toHaveLength(6)
    expect(months.body.data.series[0].points[0].start).toBe('2025-12-31T18:15:00.000Z')
    expect(months.body.data.totals).toMatchObject({ sent: 0, delivery_seconds_p50: null, unique_recipients: null })
  })

  test.each([
    ['timezone=Mars/Olympus', 'validation_failed', 'timezone'],
    ['timezone=%2B05:30', 'validation_failed', 'timezone'],
    ['from=yesterday', 'validation_failed', 'from'],
    ['granularity=week', 'validation_failed', 'granularity'],
    ['group_by=colour', 'validation_failed', 'group_by[0]'],
    ['group_by=template,type,country', 'validation_failed', 'group_by'],
    ['group_by=template,template', 'validation_failed', 'group_by'],
    ['limit_groups=0', 'validation_failed', 'limit_groups'],
    ['limit_groups=51', 'validation_failed', 'limit_groups'],
    ['limit_groups=1001&points=false', 'validation_failed', 'limit_groups'],
    ['direction=sideways', 'validation_failed', 'direction'],
    ['colour=red', 'validation_failed', 'colour'],
    ['from=2026-02-31', 'validation_failed', 'from'],
    ['from=2026-11-15&to=2026-11-15', 'invalid_date_range', 'from'],
    ['from=2026-11-15&to=2026-11-01', 'invalid_date_range', 'from'],
    ['from=2026-01-01&to=2026-02-01T00:00:01Z&granularity=hour', 'invalid_date_range', 'to'],
    ['from=2025-01-01&to=2026-01-03', 'invalid_date_range', 'to'],
    ['from=2023-01-01&to=2026-01-02&granularity=month', 'invalid_date_range', 'to'],
  ])('refuse %s as %s', async (query, code, field) => {
    expect(refusal(await ask(query))).toEqual([400, code, field])
  })

  test('refuse a hundred years of hours at once instead of counting them', async () => {
    const before = cpuMsSoFar()
    const refused = await ask('from=1926-01-01&to=2026-01-01&granularity=hour')
    expect(refusal(refused)).toEqual([400, 'invalid_date_range', 'to'])
    expect(cpuMsSoFar() - before).toBeLessThan(1_000)
  })

  test('take the longest ranges there are', async () => {
    // Days as Kolkata counts them.
    const now = Date.now() + 5.5 * 3_600_000
    const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10)
    const year = new Date(now).getUTCFullYear()
    const longest = [
      [`from=${daysAgo(30)}&to=${daysAgo(-1)}&granularity=hour`, 31 * 24],
      [`from=${daysAgo(365)}&to=${daysAgo(-1)}`, 366],
      [`from=${year - 2}-01-01&to=${year + 1}-01-01&granularity=month`, 36],
    ] as const
    for (const [query, points] of longest) {
      const { status, body } = await ask(`${query}&timezone=Asia/Kolkata&group_by=template`)
      expect(status).toBe(200)
      const series = body.data.series as { totals: { sent: number }; points: { sent: number }[] }[]
      expect(series.map(({ totals }) => totals.sent)).toEqual([3, 1])
      expect(series.map((one) => one.points.length)).toEqual([points, points])
      for (const one of series) {
        expect(one.points.reduce((sum, point) => sum + point.sent, 0)).toBe(one.totals.sent)
      }
    }
  })

  test('need the scope analytics:read', async () => {
    const body = { api_key: world.apiKey, api_secret: world.apiSecret, scopes: ['messages:read'] }
    const { access_token } = (await world.post('/v1/auth/token', body)).body.data
    const refused = await world.get(analytics, access_token)
    expect([refused.status, refused.body.error.code, refused.body.error.required_scope]).toEqual([
      403,
      'insufficient_scope',
      'analytics:read',
    ])
  })

  test('count who quotes a message and who taps on its buttons with the message, each of them once', async () => {
    const inbound = { from: '+12025550177', context: templateId }
    const button = { type: 'button', button: { payload: 'track', text: 'Track it' }, message_id: 'wamid.tap' }
    for (const words of [
      { text: 'Thanks' },
      { text: 'When?' },
      button,
      button,
      { type: 'reaction', reaction: { message_id: templateId, emoji: '👍' } },
    ]) {
      expect((await world.control('POST', '/_sandbox/inbound', { ...inbound, ...words })).status).toBe(200)
    }
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Bye', context: 'wamid.unknown' })
    const query = 'group_by=template&direction=outbound&points=false&limit_groups=1000'
    await waitFor(async () => (await world.get(analytics)).body.data.totals.received === 6, 15_000)
    const { series, totals } = (await ask(query)).body.data
    expect(totals).toMatchObject({ sent: 4, replies: 2, taps: 1 })
    expect(series).toMatchObject([
      { group: { template: null }, totals: { replies: 0, taps: 0 }, points: [] },
      { group: { template: 'shipping_update' }, totals: { replies: 2, taps: 1 }, points: [] },
    ])
    const { points } = (await ask('template=shipping_update')).body.data.series[0]
    expect(points.at(-1)).toMatchObject({ replies: 2, taps: 1, received: 0 })
  })
})
