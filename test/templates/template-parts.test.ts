import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'
import { carousels, parts } from './template-parts.ts'

/** An account creates ten templates a minute, so the others have a world of their own. */
const worlds = engines.flatMap((engine) => [
  { engine, what: 'with one message', rows: parts },
  { engine, what: 'with cards or a time', rows: carousels },
])

describe.each(worlds)('a template made through the API, $what, on $engine', ({ engine, rows }) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  afterAll(() => world.stop())

  test.each(rows)('with $part is created, previewed and sent as it was written', async (row) => {
    const { name, draft, values, wire, seen } = row
    const made = await world.post('/v1/chat/templates', { name, category: 'marketing', ...draft })
    expect([made.status, made.body.error ?? null]).toEqual([201, null])
    const { id, components } = made.body.data
    expect(components).toEqual(expect.arrayContaining(row.components))

    expect(await atMeta(name)).toMatchObject(row.created)

    const review = { decision: 'approve' }
    expect((await world.control('POST', `/_sandbox/templates/${name}/review`, review)).status).toBe(200)
    await waitFor(async () => (await record(id)).status === 'approved')
    const preview = await world.post(`/v1/chat/templates/${id}/preview`)
    expect(preview.status).toBe(200)
    const filled = await world.post(`/v1/chat/templates/${id}/preview`, { components: values })
    expect(filled.body.data).toMatchObject(seen)

    const refused = await world.post('/v1/chat/messages/template', toCustomer(name, row.wrong ?? []))
    expect(refused.body.error).toMatchObject({ code: 'template_parameter_mismatch', message: row.problem })
    const example = refused.body.error.details[0].example
    expect((await world.post('/v1/chat/messages/template', toCustomer(name, example))).status).toBe(200)

    const sent = await world.post('/v1/chat/messages/template', toCustomer(name, values))
    expect([sent.status, sent.body.error ?? null]).toEqual([200, null])
    const messageId = encodeURIComponent(sent.body.data.message_id)
    const { body } = await world.get(`/v1/chat/messages/${messageId}`)
    expect(body.data.content).toMatchObject(seen)
    expect((await lastArrival()).payload.template.components).toMatchObject(wire)

    // What Meta lists is what was written: a list changes nothing.
    const found = await world.get(`/v1/chat/templates/${id}`)
    expect(found.body.data).toMatchObject({ status: 'approved', version: 1, components })
  })

  const record = async (id: string) => (await world.get(`/v1/chat/templates/${id}`)).body.data

  const toCustomer = (template: string, components: unknown) => ({
    to: world.customer,
    template,
    language: 'en_US',
    components,
  })

  if (rows === carousels)
    test('with a time to deliver keeps it through edits, and takes another', async () => {
      const draft = { name: 'parcel_here', body: 'Your parcel is here.', message_send_ttl_seconds: 3600 }
      const { body: made } = await world.post('/v1/chat/templates', draft)
      expect(made.data).toMatchObject({ message_send_ttl_seconds: 3600, pending_edit: null })
      const edit = (body: object) => world.call('PUT', `/v1/chat/templates/${made.data.id}`, { body })
      await world.control('POST', '/_sandbox/templates/parcel_here/review', { decision: 'reject' })
      await waitFor(async () => (await record(made.data.id)).status === 'rejected')
      expect((await edit({ body: 'Your parcel is at the shop.' })).body.data.message_send_ttl_seconds).toBe(3600)
      expect(await atMeta('parcel_here')).toMatchObject({ message_send_ttl_seconds: 3600 })
      await world.control('POST', '/_sandbox/templates/parcel_here/review', { decision: 'approve' })
      await waitFor(async () => (await record(made.data.id)).status === 'approved')

      for (const seconds of [0, 43_201]) {
        const refused = await edit({ message_send_ttl_seconds: seconds })
        expect(refused.body.error.details).toMatchObject([{ field: 'message_send_ttl_seconds', code: 'out_of_range' }])
      }
      // The category may be given again as it is.
      const edited = await edit({ category: 'UTILITY', message_send_ttl_seconds: -1 })
      expect(edited.body.data).toMatchObject({
        message_send_ttl_seconds: 3600,
        pending_edit: { message_send_ttl_seconds: -1 },
      })
      await world.control('POST', '/_sandbox/templates/parcel_here/review', { decision: 'approve' })
      await waitFor(async () => (await record(made.data.id)).pending_edit === null)
      expect(await record(made.data.id)).toMatchObject({ message_send_ttl_seconds: -1, version: 3 })
      expect(await atMeta('parcel_here')).toMatchObject({ message_send_ttl_seconds: -1 })
    })

  async function atMeta(name: string): Promise<unknown> {
    const { body } = await world.control('GET', '/_sandbox')
    const { waba_id, access_token, graph_version } = body.numbers[0]
    const fields = 'components,category,parameter_format,message_send_ttl_seconds'
    const query = `name=${name}&fields=${fields}&access_token=${access_token}`
    return (await world.control('GET', `/${graph_version}/${waba_id}/message_templates?${query}`)).body.data[0]
  }

  async function lastArrival() {
    const path = `/_sandbox/messages?to=${encodeURIComponent(world.customer)}&limit=1000`
    const { body } = await world.control('GET', path)
    return body.data.at(-1)
  }
})
