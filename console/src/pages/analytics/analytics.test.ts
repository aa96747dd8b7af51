import { describe, expect, test } from 'vitest'
import { findProblems, readQuestion, todayIn, toQuery, writeQuestion } from './analytics-query.ts'
import { toCsv } from './to-csv.ts'

describe('the export', () => {
  test('holds no cell that a spreadsheet would run', () => {
    const rows = [
      ['=1+1', '+351', '-2', '@sum', 'plain'],
      [-2, null, 'a,b', 'say "hi"', 0],
    ]
    expect(toCsv(rows)).toBe(`'=1+1,'+351,'-2,'@sum,plain\r\n-2,,"a,b","say ""hi""",0\r\n`)
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
    const from = (zone: string) => toQuery({ span: 7, groupBy: 'type' }, todayIn(zone, now), zone).from
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
