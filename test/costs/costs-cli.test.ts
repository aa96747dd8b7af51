import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPlayground, type Gateway, type Playground, stop } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const header = 'Market,Currency,Marketing,Utility,Authentication,"Authentication-\r\nInternational",Service'

describe('rate cards at the command line', { timeout: 120_000 }, () => {
  let play: Playground
  let gateway: Gateway
  let key: Record<string, string>

  beforeAll(async () => {
    play = await aPlayground()
    gateway = await play.serve()
    const { api_key, api_secret } = gateway.firstRun as unknown as Record<string, string>
    key = {
      POSTERN_BASE_URL: gateway.base_url,
      POSTERN_API_KEY: api_key ?? '',
      POSTERN_API_SECRET: api_secret ?? '',
    }
  }, 120_000)
  afterAll(async () => {
    await stop(gateway)
    await play.dispose()
  })

  async function fileOf(name: string, ...rows: string[]): Promise<string> {
    const file = join(play.folder, name)
    await writeFile(file, [header, ...rows].join('\r\n'))
    return file
  }

  /** As Meta tells that a tier was reached, for this month. */
  async function reportTier(): Promise<void> {
    const effective_month = new Date().toISOString().slice(0, 7)
    const volume_tier_info = {
      tier_update_time: Date.UTC(2026, 10, 18) / 1_000,
      ...{ pricing_category: 'UTILITY', tier: '1:250000', effective_month, region: 'India' },
    }
    const value = { event: 'VOLUME_BASED_PRICING_TIER_UPDATE', volume_tier_info }
    const body = JSON.stringify({ field: 'account_update', value })
    const answer = await fetch(`${gateway.sandbox_url}/_sandbox/events`, { method: 'POST', body })
    expect(answer.status).toBe(200)
  }

  test('are rejected with the line that is wrong, and price what was sent once they are right', async () => {
    const sent = await play.runHere(
      [
        'send',
        '--to',
        '+12025550100',
        '--template',
        'order_confirmation',
        '--var',
        'Ana',
        '--var',
        'A-1',
        '--var',
        '4',
        '--json',
      ],
      key,
    )
    expect(sent.code, sent.stderr).toBe(0)
    // Meta names currency and time zone with the health of the account.
    expect((await play.runHere(['channels', 'check', '--json'])).code).toBe(0)
    const costs = async () => {
      const { code, stdout, stderr } = await play.runHere(['costs', '--group', 'template', '--json'], key)
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout) as { totals: object[]; groups: object[] }
    }
    await waitFor(async () => (await costs()).totals.length > 0)
    expect((await costs()).totals).toEqual([
      { currency: 'USD', amount: null, priced: 0, free: 0, unpriced: 1, reported: null },
    ])

    const bad = await fileOf(
      'bad.csv',
      'North America,$US,0.0250,0.0040,0.0040,n/a,0',
      'Atlantis,$US,1,1,1,1,1',
      'India,$US,x,1,1,1,1',
    )
    const refused = await play.runHere(['rates', 'import', bad, '--from', '2026-01-01'])
    expect([refused.code, refused.stdout]).toEqual([expect.any(Number), ''])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('Line 4, Market: The market Atlantis is unknown')
    expect(refused.stderr).toContain('\n  Line 5, marketing: x is no rate.')
    expect((await play.runHere(['rates', 'list'])).stdout).toContain('There is no rate card')

    const good = await fileOf('good.csv', 'North America,$US,0.0250,0.0040,0.0040,n/a,0')
    const imported = await play.runHere(['rates', 'import', good, '--from', '2020-01-01', '--json'])
    expect(imported.code, imported.stderr).toBe(0)
    expect(imported.json).toMatchObject({ currency: 'USD', kind: 'rates', rows: 1, for_all_accounts: true })
    expect(await costs()).toMatchObject({
      totals: [{ currency: 'USD', amount: '0.0040', priced: 1, unpriced: 0 }],
      groups: [{ group: { template: 'order_confirmation' }, costs: [{ amount: '0.0040' }] }],
    })
    expect((await play.runHere(['costs'], key)).stdout).toMatch(/^currency +amount .*\nUSD +0\.0040 +1 +0 +0 +- +-\n$/)
    await reportTier()
    await waitFor(async () => (await play.runHere(['costs'], key)).stdout.includes('Volume tiers'))
    expect((await play.runHere(['costs'], key)).stdout).toMatch(
      /\nUSD +0\.0040 .*\n\nVolume tiers .*\nmonth .*\n\d{4}-\d\d +\d+ +India +utility +1:250000 +2026-11-18T/,
    )
    expect((await play.runHere(['rates', 'list'])).stdout).toMatch(/rates +USD +2020-01-01 +1 +good\.csv/)

    const { id } = imported.json as { id: string }
    expect((await play.runHere(['rates', 'remove', id])).stdout).toContain('is removed')
    expect((await play.runHere(['rates', 'remove', id])).code).not.toBe(0)
    expect((await costs()).totals).toMatchObject([{ amount: null, unpriced: 1 }])
    expect((await play.runHere(['rates', 'list', '--history'])).stdout).toContain('good.csv')
  })
})
