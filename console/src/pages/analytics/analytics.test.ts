import { describe, expect, test } from 'vitest'
import { comparable, countChange, rateChange, secondsChange } from '../../components/chart/change.ts'
import type { Costs } from '../../components/costs/cost-figures.ts'
import { toCsv } from '../../components/table/to-csv.ts'
import { csvRows } from './analytics-csv.ts'
import { type Analytics, deliveredShare, funnelSteps } from './analytics-figures.ts'
import { dateIn, findProblems, readQuestion, toQuery, writeQuestion } from './analytics-query.ts'
import { previousQuery } from './comparison.ts'

describe('the export', () => {
  test('holds no cell that a spreadsheet would run', () => {
    const rows = [
      ['=1+1', '+351', '-2', '@sum', '＝1', 'plain'],
      [-2, null, 'a,b', 'say "hi"', 'two\nlines', 0],
    ]
    expect(toCsv(rows)).toBe(`'=1+1,'+351,'-2,'@sum,'＝1,plain\r\n-2,,"a,b","say ""hi""","two\nlines",0\r\n`)
  })
})

test.each([';=1+1', 'a;b;@SUM(A1)', 'a\t-2', 'two\n=1', 'a|=1', 'a;＝1'])(
  'the export holds no formula behind a separator of other programs: %j',
  (cell) => {
    expect(toCsv([[cell]])).not.toMatch(/[;|\t\r\n][=+\-@＝＋－＠]/)
    expect(toCsv([[cell]]).replaceAll("'", '')).toContain(cell)
  },
)

describe('the figures of an export', () => {
  test('are one row per group and day, with the date of the zone and numbers as they are', () => {
    const point = {
      sent: 1_204,
      delivered: 3,
      read: 2,
      failed: 0,
      received: 1,
      replies: 4,
      taps: 5,
      delivery_rate: null,
      read_rate: null,
    }
    const points = [{ ...point, start: '2026-11-14T23:00:00.000Z' }]
    const series = [{ group: { template: 'say "hi",\nAna' }, points }]
    const data = { timezone: 'Europe/Madrid', series } as unknown as Analytics
    expect(toCsv(csvRows(data, 'Template', null))).toBe(
      'Template,Day,Sent,Delivered,Read,Failed,Received,Replies,Taps\r\n"say ""hi"",\nAna",2026-11-15,1204,3,2,0,1,4,5\r\n',
    )
  })
})

describe('the costs in an export', () => {
  const point = { sent: 1, delivered: 1, read: 0, failed: 0, received: 0, replies: 0, taps: 0 }
  const points = ['2026-11-14', '2026-11-15'].map((day) => ({ ...point, start: `${day}T00:00:00.000Z` }))
  const seriesOf = (...groups: (string | null)[]) => groups.map((template) => ({ group: { template }, points }))
  const dataOf = (...groups: (string | null)[]) =>
    ({ timezone: 'UTC', series: seriesOf(...groups) }) as unknown as Analytics
  const cost = (template: string | null, day: string, ...amounts: [string | null, string | null][]) => ({
    group: { template, day },
    costs: amounts.map(([currency, amount]) => ({ currency, amount })),
  })
  const costsOf = (...groups: ReturnType<typeof cost>[]) => ({ groups }) as unknown as Costs
  const costCells = (rows: ReturnType<typeof csvRows>) =>
    rows.map(([group, day, , , , , , , , ...cells]) => [group, day, ...cells])

  test('stand on the day of their delivery, a column for each currency; what has no price has no cell', () => {
    const costs = costsOf(
      cost('sale', '2026-11-14', ['USD', '0.3000'], ['EUR', '1.5000']),
      cost('sale', '2026-11-15', ['USD', null]),
      cost(null, '2026-11-15', ['USD', '0.0000'], [null, null]),
    )
    expect(costCells(csvRows(dataOf('sale', null), 'Template', costs))).toEqual([
      ['Template', 'Day', 'Cost in EUR', 'Cost in USD'],
      ['sale', '2026-11-14', 1.5, 0.3],
      ['sale', '2026-11-15', null, null],
      ['none', '2026-11-14', null, null],
      ['none', '2026-11-15', null, 0],
    ])
  })

  test('add up to the whole: groups that are not shown are in the rest, or have rows of their own', () => {
    const costs = costsOf(
      cost('sale', '2026-11-14', ['USD', '0.1000']),
      cost('small', '2026-11-14', ['USD', '0.1000']),
      cost('smaller', '2026-11-14', ['USD', '0.2000']),
    )
    expect(costCells(csvRows(dataOf('sale', 'other'), 'Template', costs)).slice(3, 4)).toEqual([
      ['other', '2026-11-14', 0.3],
    ])
    expect(csvRows(dataOf('sale'), 'Template', costs).slice(3)).toEqual([
      ['small', '2026-11-14', 0, 0, 0, 0, 0, 0, 0, 0.1],
      ['smaller', '2026-11-14', 0, 0, 0, 0, 0, 0, 0, 0.2],
    ])
  })
})

describe('the funnel', () => {
  test('says of each step the part of all messages that its bar shows', () => {
    const counts = { created: 200, sent: 100, delivered: 80, read: 40 }
    expect(funnelSteps(counts).map(({ name, share }) => `${name} ${share}`)).toEqual([
      'Accepted ',
      'Sent 50.0% of accepted',
      'Delivered 40.0% of accepted',
      'Read 50.0% of delivered',
    ])
    expect(deliveredShare(counts)).toBe(40)
  })
})

describe('the days before', () => {
  const madrid = { timezone: 'Europe/Madrid' }

  test('are as many, directly before the first', () => {
    const days = { ...madrid, from: '2026-10-31T23:00:00.000Z', to: '2026-11-07T23:00:00.000Z' }
    expect(previousQuery(days, false)).toMatchObject({ from: '2026-10-25', to: '2026-11-01' })
  })

  test('end at the same time of day while the last day is not over', () => {
    const week = { ...madrid, from: '2026-11-08T23:00:00.000Z', to: '2026-11-15T10:30:00.000Z' }
    expect(previousQuery(week, true)).toMatchObject({ from: '2026-11-02', to: '2026-11-08T10:30:00.000Z' })
  })

  test('are compared with only where something happened in them', () => {
    const totals = { created: 0, received: 0 } as Analytics['totals']
    expect(comparable(totals)).toBeNull()
    expect(comparable({ ...totals, received: 1 })).not.toBeNull()
    expect(countChange(12, 0)).toEqual({ text: '', was: '0' })
    expect(rateChange(97.5, 96)).toEqual({ text: '+1.5 points', was: '96.0%' })
    expect(rateChange(97.5, null)).toBeNull()
    expect(secondsChange(2, 1)).toEqual({ text: '+100%', was: '1.0 s' })
  })
})

describe('the question', () => {
  const today = '2026-11-15'
  const read = (address: string) => readQuestion(new URLSearchParams(address), today)

  test('falls back to thirty days by template when the address says nothing it knows', () => {
    expect(read('days=12&by=colour')).toEqual({ span: 30, groupBy: 'template' })
    expect(read('from=2026-11-31&to=2026-12-01')).toEqual({ span: 30, groupBy: 'template' })
  })

  test('stands in the address as it is read from there', () => {
    const question = { span: { from: '2026-10-01', to: '2026-10-31' }, groupBy: 'country' } as const
    expect(read(new URLSearchParams(writeQuestion(question)).toString())).toEqual(question)
  })

  test('begins with a whole day of the zone, also across a change of clocks', () => {
    const now = Date.parse('2026-11-01T01:30:00Z')
    const from = (zone: string) => toQuery({ span: 7, groupBy: 'type' }, dateIn(zone, now), zone).from
    expect(from('UTC')).toBe('2026-10-26')
    expect(from('America/New_York')).toBe('2026-10-25')
  })

  test('ends with the whole last day, and has no end while that is today', () => {
    const ask = (to: string) => toQuery({ span: { from: '2026-10-01', to }, groupBy: 'type' }, today, 'UTC')
    expect(ask('2026-10-31').to).toBe('2026-11-01')
    expect(ask(today).to).toBeUndefined()
  })

  test('is refused in words where its days cannot be asked for', () => {
    const problems = (from: string, to: string) => Object.keys(findProblems({ from, to }, today))
    expect(problems('', today)).toEqual(['from'])
    expect(problems('2026-11-02', '2026-11-01')).toEqual(['to'])
    expect(problems('2026-11-02', '2026-11-16')).toEqual(['to'])
    expect(problems('2025-11-14', today)).toEqual(['from'])
    expect(problems('2025-11-15', today)).toEqual([])
  })
})
