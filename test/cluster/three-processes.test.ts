import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { countOf, notAtTheEndOfAnHour } from '../support/quota.ts'
import { answerOf, answerOfBurst, aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

const requests = scaled(200)

describe('three processes on one PostgreSQL', { timeout: 180_000 }, () => {
  let database: TestDatabase
  let plays: Playground[] = []
  let gateways: Gateway[] = []
  let env: Record<string, string> = {}

  beforeAll(async () => {
    database = await freshDatabase('postgres')
    const url = database.database.kind === 'postgres' ? database.database.url : ''
    const own = { POSTERN_DATABASE_URL: url, POSTERN_MASTER_KEY: 'd'.repeat(64), POSTERN_LOG_LEVEL: 'warn' }
    env = { ...own, POSTERN_SANDBOX_LISTEN: 'off' }
    const [first, ...others] = [await aPlayground(), await aPlayground(), await aPlayground()] as const
    plays = [first, ...others]
    // The first brings the sandbox; the number it connects serves all three.
    gateways = [await first.serve([], own)]
    gateways.push(...(await Promise.all(others.map((play) => play.serve([], env)))))
  }, 180_000)
  afterAll(async () => {
    await Promise.all(gateways.map(stop))
    for (const play of plays) await play.dispose()
    await database.remove()
  })

  const cli = async (...args: string[]) => (await plays[0]?.runHere([...args, '--json'], env))?.json ?? {}
  const firstKey = () => gateways[0]?.firstRun ?? {}
  const meUrl = (gateway: Gateway | undefined) => `${gateway?.base_url}/v1/auth/me`
  const meOn = (gateway: Gateway | undefined, token: string) => answerOf(meUrl(gateway), token)

  test('let exactly 100 of a burst of 200 on Free pass', async () => {
    const account = await cli('accounts', 'create', '--name', 'Bursting', '--plan', 'free')
    const key = await cli('keys', 'create', '--name', 'Burst', '--account', String(account.id))
    const token = await tokenOf(gateways[0]?.base_url ?? '', key)
    await notAtTheEndOfAnHour()
    const ask = (_: unknown, index: number) => answerOfBurst(meUrl(gateways[index % 3]), token)
    const answers = await Promise.all(Array.from({ length: 200 }, ask))
    expect(countOf(answers)).toEqual({ '200 ok': 100, '429 rate_limit_exceeded': 100 })
  })

  test('all refuse a token at the next request after one of them revoked it', async () => {
    const token = await tokenOf(gateways[0]?.base_url ?? '', firstKey())
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('200 ok')
    const revoked = await fetch(`${gateways[0]?.base_url}/v1/auth/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(revoked.status).toBe(200)
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('401 token_revoked')
  })

  test('all follow the command line at the next request', async () => {
    const account = await cli('accounts', 'create', '--name', 'Followed', '--plan', 'starter')
    const key = await cli('keys', 'create', '--name', 'Followed', '--account', String(account.id))
    const token = await tokenOf(gateways[1]?.base_url ?? '', key)
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('200 ok')
    await cli('accounts', 'suspend', String(account.id), '--yes')
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('403 account_suspended')
    await cli('accounts', 'resume', String(account.id))
    await cli('keys', 'revoke', String(key.api_key), '--yes')
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('401 token_revoked')
  })

  test(`${requests} requests with one Idempotency-Key are one message`, async () => {
    const [first] = gateways
    const token = await tokenOf(first?.base_url ?? '', firstKey())
    const authorization = `Bearer ${token}`
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'one-for-all' }
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
