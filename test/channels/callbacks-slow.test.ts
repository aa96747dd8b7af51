import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { channelOfCallback, receiveCallback } from '../../server/src/channels/callbacks/receive-callback.ts'
import {
  aChannelWorld,
  aText,
  type ChannelWorld,
  type Connected,
  messagesBody,
  signature,
} from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const small = 1_000
const large = 1024 * 1024

describe.each(engines)('half-sent callbacks on %s', (engine) => {
  let world: ChannelWorld
  const open: Socket[] = []
  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
  })
  afterAll(() => world.dispose())

  const aTenant = async () => world.connect(await world.newAccount())
  const slowSockets = (channel: Connected, count: number, bytes: number) =>
    Promise.all(Array.from({ length: count }, () => halfSent(channel, bytes)))

  /** By the time other connections are answered, the gateway has seen what was sent or ended before. */
  async function roundTrips(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await fetch(`${world.baseUrl}/nothing`, { headers: { connection: 'close' } })
  }

  /** Headers that promise a body, and its first byte. `answered` says whether the gateway has ended it. */
  async function halfSent({ callbackUrl }: Connected, bytes: number, rest = '{', headers = '') {
    const { pathname, host, hostname, port } = new URL(callbackUrl)
    const socket = connect(Number(port), hostname)
    open.push(socket)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${headers}`
    await new Promise<unknown>((resolve) => socket.write(`${head}content-length: ${bytes}\r\n\r\n${rest}`, resolve))
    return { socket, answer: () => answer, isEnded: () => answer !== '' || socket.closed }
  }

  test('on the addresses of four tenants do not delay a fifth, whatever the size of its callback', async () => {
    const others = await Promise.all([aTenant(), aTenant(), aTenant(), aTenant()])
    const quiet = await aTenant()
    const slow = (
      await Promise.all(others.flatMap((other) => [slowSockets(other, 20, small), slowSockets(other, 20, large)]))
    ).flat()
    const body = messagesBody(quiet, { messages: [aText(`wamid.QUIET${engine}`)] })
    expect((await world.post(quiet, body)).status).toBe(200)
    // As a proxy sends it that passes headers on before it has the body.
    const signed = `x-hub-signature-256: ${signature(body, quiet.appSecret)}\r\n`
    const parts = await halfSent(quiet, Buffer.byteLength(body), body.slice(0, 1), signed)
    parts.socket.write(body.slice(1))
    await waitFor(() => parts.isEnded())
    expect(parts.answer()).toMatch(/^HTTP\/1\.1 200 /)
    expect((await world.post(quiet, `${body}${' '.repeat(large)}`)).status).toBe(200)
    // Nobody had to leave first.
    expect(slow.filter((one) => one.isEnded())).toEqual([])
  })

  test('of clients that left while they waited keep nobody waiting', async () => {
    const tenant = await aTenant()
    const inside = await slowSockets(tenant, 4, large)
    const waiting = await slowSockets(tenant, 4, large)
    const body = `${messagesBody(tenant, { messages: [aText(`wamid.NEXT${engine}`)] })}${' '.repeat(large)}`
    await roundTrips()
    const answer = world.post(tenant, body)
    for (const { socket } of waiting) socket.destroy()
    await roundTrips()
    inside[0]?.socket.destroy()
    expect((await answer).status).toBe(200)
    expect(inside.slice(1).filter((one) => one.isEnded())).toEqual([])
  })

  test('and unsigned ones take no place among those that are written', async () => {
    const tenant = await aTenant()
    const target = await channelOfCallback(world.rt, tenant.callbackUrl.split('/').at(-2) ?? '')
    if (!target) throw new Error('The channel is gone.')
    const body = Buffer.from(messagesBody(tenant, { messages: [aText(`wamid.PLACE${engine}`)] }))
    const places: string[] = []
    const enter = async (accountId: string) => {
      places.push(`${accountId} in`)
      return () => void places.push(`${accountId} out`)
    }
    const receive = (secret: string, by = enter as () => Promise<(() => void) | null>) =>
      receiveCallback(world.rt, target, { headers: { 'x-hub-signature-256': signature(body, secret) }, body }, by)
    expect([await receive('a guess'), places]).toEqual(['bad_signature', []])
    expect(await receive(tenant.appSecret, async () => null)).toBe('busy')
    const own = [`${target.accountId} in`, `${target.accountId} out`]
    expect([await receive(tenant.appSecret), places]).toEqual(['stored', own])
  })
})
