import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFailingPlatform } from '../support/accept-then-fail.ts'
import { departFromContract } from '../support/contract/violations.ts'
import { graphBodies } from '../support/graph-bodies.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Answer } from '../support/world.ts'

/** What Postern rejects before Meta does, each with its reason. The answer is the same all the same. */
const rejectedHere: Readonly<Record<string, string>> = {
  'a recipient that is no number': 'a message belongs to a customer, and nobody has this address',
  'a recipient that is empty': 'a message belongs to a customer, and none is named',
}

const platform = aFailingPlatform()
const customers = Array.from({ length: 8 }, (_, index) => `+1202555${String(7_000 + index)}`)
let world: GraphWorld
let tool: Tool

beforeAll(async () => {
  world = await aGraphWorld('sqlite', {}, platform.start)
  tool = await world.connect({ options: { repeats: false, window: 'meta' } })
  for (const from of customers) await world.control('POST', '/_sandbox/inbound', { from, text: 'Hi' })
  const seen = async () => (await world.get('/v1/chat/messages?direction=inbound&limit=100')).body.data.messages.length
  await waitFor(async () => (await seen()) >= customers.length, 20_000)
}, 60_000)
afterAll(() => world?.stop())

/** All but what is Postern's own in it. */
function arrived(posts: typeof platform.posts) {
  return posts.map(({ body: { biz_opaque_callback_data: _, ...rest } }) => rest)
}

/** Without what differs from call to call. */
function shapeOf({ status, body }: Answer) {
  const { error, messages, contacts, ...rest } = body
  if (error) return { status, code: error.code, subcode: error.error_subcode, type: error.type }
  return { status, ...rest, contacts, messages: messages?.map(({ id: _, ...more }: { id: string }) => more) }
}

test('200 bodies get the same answer as from Meta itself, and reach Meta as they are', async () => {
  // Most of them are wrong on purpose.
  departFromContract(/./)
  const bodies = graphBodies()
  expect(bodies.length).toBeGreaterThanOrEqual(200)
  const different: Record<string, unknown> = {}
  const stopped: string[] = []
  for (const [index, { title, body: content }] of bodies.entries()) {
    const body = { messaging_product: 'whatsapp', to: customers[index % customers.length], ...content }
    const first = platform.posts.length
    const direct = shapeOf(await world.meta('POST', `/${world.number}/messages`, body))
    const second = platform.posts.length
    const through = shapeOf(await world.graph('POST', `/v22.0/${world.number}/messages`, body, tool))
    const [theirs, ours] = [arrived(platform.posts.slice(first, second)), arrived(platform.posts.slice(second))]
    if (theirs.length > ours.length) stopped.push(title)
    const isSame = ours.length === 0 || JSON.stringify(theirs) === JSON.stringify(ours)
    if (!isSame || JSON.stringify(direct) !== JSON.stringify(through))
      different[title] = { direct, through, theirs, ours }
  }
  expect(different).toEqual({})
  expect(stopped.sort()).toEqual(Object.keys(rejectedHere).sort())
}, 120_000)

test('a number that JavaScript cannot hold reaches Meta digit by digit, and nulls stay nulls', async () => {
  departFromContract(/./)
  const [to] = customers
  const odd = `{"messaging_product":"whatsapp","context":null,"to":"${to}","type":"hologram","hologram":{"id":12345678901234567890,"size":1.5}}`
  const sent = await world.fetchGraph(`/v22.0/${world.number}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tool.token}`, 'content-type': 'application/json' },
    body: odd,
  })
  await sent.text()
  const text = platform.posts.at(-1)?.text ?? ''
  expect(text).toContain('"hologram":{"id":12345678901234567890,"size":1.5}')
  expect(text).toContain('"context":null')
})
