import { expect, test } from 'vitest'
import { marketOf, regionOf } from './markets.ts'
import { formatAmount, parseAmount } from './money.ts'
import { parseRates } from './parse-rates.ts'

const metas = [
  'WhatsApp Business Platform',
  'Rates effective October 1',
  '',
  'Market,Currency,Marketing,Utility,Authentication,"Authentication-\r\nInternational",Service',
  'Brazil,$US,0.0625,0.0068,0.0068,n/a,0.0068',
  'India,$US,0.0118,0.0014,0.0014,0.0280,0.0014',
  'Rest of Central & Eastern Europe,$US,0.0860,0.0212,0.0212,n/a,',
  'Other,$US,0.0604,0.0077,0.0077,n/a,0',
].join('\r\n')

function problemsOf(text: string, currency: string | null = null): string[] {
  const parsed = parseRates(text, currency)
  return parsed.ok ? [] : parsed.problems.map(({ line, message }) => `${line} ${message}`)
}

test('a rate with a comma is named as what it is, not as a wrong rate of the column behind it', () => {
  const text = 'Market,Currency,Marketing,Utility\nBrazil,USD,0,0625,0.0068\nIndia,USD,"0,0118",0.0014'
  expect(problemsOf(text)).toEqual([
    '2 This row has 5 cells, and there are 4 columns. Write rates with a point, and put text with a comma in quotes.',
    '3 0,0118 is no rate. Write it as 0.0356, with a point and up to six decimals; n/a where there is none.',
  ])
})

test("Meta's rate file is read as it is, and n/a is no rate, not 0", () => {
  const parsed = parseRates(metas, null)
  expect(parsed).toEqual({
    ok: true,
    file: {
      kind: 'rates',
      currency: 'USD',
      rates: {
        BR: { marketing: 62_500, utility: 6_800, authentication: 6_800, service: 6_800 },
        IN: {
          marketing: 11_800,
          utility: 1_400,
          authentication: 1_400,
          authentication_international: 28_000,
          service: 1_400,
        },
        'Rest of Central & Eastern Europe': { marketing: 86_000, utility: 21_200, authentication: 21_200 },
        Other: { marketing: 60_400, utility: 7_700, authentication: 7_700, service: 0 },
      },
    },
  })
})

test('the mapping of countries is recognized by its columns', () => {
  expect(parseRates('Country;Country calling code;Region\nKenya;254;Rest of Africa', null)).toEqual({
    ok: true,
    file: { kind: 'regions', regions: { KE: 'Rest of Africa' } },
  })
})

test('what is not understood is an error with its line, never a guess', () => {
  const head = 'Market,Currency,Marketing,Utility\n'
  expect(problemsOf(`${head}Atlantis,EUR,0.1,0.1\nBrazil,EUR,free,0`)).toEqual([
    expect.stringMatching(/^2 The market Atlantis is unknown/),
    expect.stringMatching(/^3 free is no rate/),
  ])
  expect(problemsOf('Market,Currency,Marketing,Bonus\nBrazil,EUR,0.1,0.2')).toEqual([
    expect.stringMatching(/^1 The column Bonus is unknown/),
  ])
  expect(problemsOf('market,category,from,to,rate\nIndia,Utility,1,250000,0.0014', 'INR')[0]).toMatch(
    /^1 The column category is unknown/,
  )
  expect(problemsOf(`${head}Brazil,EUR,0.1,0.1\nIndia,USD,0.1,0.1`)[0]).toMatch(/^3 This row is in USD/)
  expect(problemsOf(`${head}Brazil,EUR,0.1,0.1\nBrazil,EUR,0.2,0.1`)[0]).toMatch(/^3 Brazil is there twice/)
  expect(problemsOf(`${head}Brazil,CHF,0.1,0.1`)[0]).toMatch(/^2 CHF is no currency/)
  expect(problemsOf(`${head}Brazil,$,0.1,0.1`)[0]).toMatch(/^2 \$ is no currency/)
  expect(problemsOf(`${head}Brazil,EUR,"0,1",0.1`)[0]).toMatch(/^2 0,1 is no rate/)
  expect(problemsOf('Market,Marketing\nBrazil,0.1')[0]).toMatch(/^1 Name the currency/)
  expect(problemsOf('Market,Marketing\nBrazil,0.1', 'EUR')).toEqual([])
  expect(problemsOf('To whom it may concern')[0]).toMatch(/No row has the column Market/)
  expect(problemsOf(`${head}"Brazil,EUR`)[0]).toMatch(/^2 A quoted cell begins here/)
  expect(problemsOf(head)[0]).toMatch(/no row below/)
  expect(problemsOf(`${head}Brazil,EUR,-0.1,0.1`)[0]).toMatch(/^2 -0.1 is no rate/)
})

test('names of markets are found as Meta and people write them, and every country has a region', () => {
  expect(
    ['Turkey', 'Türkiye', 'united arab emirates', 'Hong Kong', 'Rest of Western Europe', 'OTHER'].map(marketOf),
  ).toEqual(['TR', 'TR', 'AE', 'HK', 'Rest of Western Europe', 'Other'])
  expect([marketOf('Nowhere'), marketOf(''), marketOf('Europe')]).toEqual([null, null, null])
  expect(['PT', 'KE', 'US', 'BR', 'XX'].map(regionOf)).toEqual([
    'Rest of Western Europe',
    'Rest of Africa',
    'North America',
    'Other',
    'Other',
  ])
})

test('amounts are whole millionths, so that sums are exact', () => {
  expect(['0.0356', '12', '0.000001', '1.2345678', '-1', '', '1e3', '.5'].map(parseAmount)).toEqual([
    35_600,
    12_000_000,
    1,
    null,
    null,
    null,
    null,
    null,
  ])
  expect([475_888_000, 1, 0, 1_000_010, -2_500_000].map(formatAmount)).toEqual([
    '475.8880',
    '0.000001',
    '0.0000',
    '1.00001',
    '-2.5000',
  ])
})
