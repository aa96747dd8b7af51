import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refreshChannel } from '../../server/src/channels/refresh-channel.ts'
import { listChannels } from '../../server/src/store/channels/channels.ts'
import { engines } from '../support/postgres/databases.ts'
import { aWorld, type World } from '../support/world.ts'

/** The platform's two endpoints for templates; a rule tells them apart, since what arrives does not. */
describe.each(engines)('a marketing template, on %s', (engine) => {
  let world: World
  let customer = 100
  beforeAll(async () => {
    world = await aWorld(engine)
    const components = [{ type: 'BODY', text: 'Our spring sale begins.' }]
    const templates = [
      { name: 'spring_sale', category: 'MARKETING', components },
      { name: 'parcel_here', category: 'UTILITY', components: [{ type: 'BODY', text: 'Your parcel is here.' }] },
    ]
    await world.control('POST', '/_sandbox/templates', { templates })
    // Found and remembered before the endpoints are told apart.
    for (const template of ['spring_sale', 'parcel_here']) expect((await send(template)).status).toBe(200)
  })
  afterAll(() => world.stop())

  const send = (template: string) => {
    const to = `+351912000${customer++}`
    return world.post('/v1/chat/messages/template', { to, template, language: 'en_US' })
  }
  const patch = async (change: object) => {
    const { body } = await world.control('GET', '/_sandbox')
    await world.control('PATCH', `/_sandbox/numbers/${body.numbers[0].phone_number_id}`, change)
  }
  const refresh = async () => {
    const { rt } = world.service
    const [channel] = await rt.store.read(listChannels, { account_id: world.accountId })
    await refreshChannel(rt, { account_id: world.accountId, subject: channel?.id ?? '' })
  }
  /** Only one endpoint works. */
  const without = (endpoint: string) =>
    world.control('PUT', '/_sandbox/scenario', { rules: [{ when: { endpoint }, do: { error: { code: 131_031 } } }] })
  const taken = async () => (await world.control('GET', '/_sandbox/messages?limit=1000')).body.data.length

  test('goes to /messages until the account is onboarded, then to its own endpoint, and others do not', async () => {
    await without('marketing_messages')
    expect((await send('spring_sale')).status).toBe(200)
    await patch({ marketing_messages: true })
    await refresh()
    await without('messages')
    expect((await send('spring_sale')).status).toBe(200)
    expect((await send('parcel_here')).status).toBe(403)
    await patch({ marketing_messages: false })
    await refresh()
    await without('marketing_messages')
    expect((await send('spring_sale')).body).toMatchObject({ success: true })
  })

  test('that one endpoint turns away is sent once through the other', async () => {
    await world.control('PUT', '/_sandbox/scenario', {})
    await patch({ marketing_messages: true, marketing_on_cloud_api: false })
    const before = await taken()
    expect((await send('spring_sale')).status).toBe(200)
    await patch({ marketing_on_cloud_api: true })
    await refresh()
    await world.control('POST', '/_sandbox/templates/spring_sale/review', { decision: 'category', category: 'UTILITY' })
    expect((await send('spring_sale')).status).toBe(200)
    expect((await taken()) - before).toBe(2)
  })

  test('that neither endpoint takes is rejected with what the account lacks', async () => {
    await patch({ marketing_messages: false, marketing_on_cloud_api: false })
    await refresh()
    await world.control('POST', '/_sandbox/templates/spring_sale/review', {
      decision: 'category',
      category: 'MARKETING',
    })
    const refused = await send('spring_sale')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'channel_marketing_not_enabled'])
    expect(refused.body.error.upstream.code).toBe(134_102)
    await patch({ marketing_on_cloud_api: true })
  })
})
