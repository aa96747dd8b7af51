import { describe, expect, test } from 'vitest'
import { readQuestion, toQuery } from './analytics-query.ts'
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
  test('falls back to thirty days by template when the address says nothing it knows', () => {
    expect(readQuestion(new URLSearchParams('days=12&by=colour'))).toEqual({ days: 30, groupBy: 'template' })
  })

  test('begins with a whole day of the zone, also across a change of clocks', () => {
    const now = Date.parse('2026-11-01T01:30:00Z')
    const question = { days: 7, groupBy: 'type' } as const
    expect(toQuery(question, now, 'UTC').from).toBe('2026-10-26')
    expect(toQuery(question, now, 'America/New_York').from).toBe('2026-10-25')
  })
})
