import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

const requests = scaled(200)

describe('three processes on one PostgreSQL', { timeout: 180_000 }, () => {
  let database: TestDatabase
  let plays: Playground[] = []
  let gateways: Gateway[] = []

  beforeAll(async () => {
    database = await freshDatabase('postgres')
    const url = database.database.kind === 'postgres' ? database.database.url : ''
    const env = { POSTERN_DATABASE_URL: url, POSTERN_MASTER_KEY: 'e'.repeat(64), POSTERN_LOG_LEVEL: 'warn' }
    plays = [await aPlayground(), await aPlayground(), await aPlayground()]
    // The first brings the sandbox; the number it connects serves all three.
    const [first, ...others] = plays
    if (!first) throw new Error('no playground')
    gateways = [await first.serve([], env)]
    for (const play of others) gateways.push(await play.serve([], { ...env, POSTERN_SANDBOX_LISTEN: 'off' }))
  }, 180_000)
  afterAll(async () => {
    await Promise.all(gateways.map(stop))
    for (const play of plays) await play.dispose()
    await database.remove()
  })

  test(`${requests} requests with one Idempotency-Key are one message`, async () => {
    const [first] = gateways
    const token = await tokenOf(first?.base_url ?? '', first?.firstRun ?? {})
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'one-for-all',
    }
    const body = JSON.stringify({ to: '+12025550100', message: 'Once', client_reference: 'one-for-all' })
    const send = async (gateway: Gateway | undefined) => {
      const response = await fetch(`${gateway?.base_url}/v1/chat/messages/send`, { method: 'POST', headers, body })
      const { data, error } = (await response.json()) as {
        data: { message_id: string } | null
        error?: { code: string }
      }
      return data?.message_id ?? `${response.status} ${error?.code}`
    }
    /** So many at once are more than a slow machine answers: a client asks again, with the same key. */
    const sendUntilAnswered = async (gateway: Gateway | undefined): Promise<string> => {
      for (;;) {
        const answer = await send(gateway)
        if (answer !== '500 service_unavailable') return answer
      }
    }
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, index) => sendUntilAnswered(gateways[index % 3])),
    )
    expect([...new Set(answers)]).toEqual([expect.stringMatching(/^wamid\./)])
    const listed = await fetch(`${first?.sandbox_url}/_sandbox/messages?direction=outbound&limit=1000`)
    const { data } = (await listed.json()) as { data: { text: string }[] }
    expect(data.filter(({ text }) => text === 'Once')).toHaveLength(1)
    recordFigure('idempotency', 'three processes', `${requests} requests, 1 message`)
  })
})
