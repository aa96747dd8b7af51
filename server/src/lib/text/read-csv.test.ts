import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

const cellsOf = (text: string) => readCsv(text).rows.map(({ cells }) => cells)

test('a quoted cell may contain line breaks, separators and quotes, and rows know their line', () => {
  const { rows, openQuote } = readCsv('\uFEFFa,"b\nc","d ""e"", f"\r\n\r\n,,\r\ng,h,\r\n')
  expect(openQuote).toBeNull()
  expect(rows).toEqual([
    { line: 1, cells: ['a', 'b\nc', 'd "e", f'] },
    { line: 5, cells: ['g', 'h', ''] },
  ])
})

test('commas, semicolons and tabs are recognized', () => {
  expect(cellsOf('a;b;0,5\nc;d;1')).toEqual([
    ['a', 'b', '0,5'],
    ['c', 'd', '1'],
  ])
  expect(cellsOf('a\tb\nc\td,e')).toEqual([
    ['a', 'b'],
    ['c', 'd,e'],
  ])
})

test('a quote that is never closed is named with its line', () => {
  expect(readCsv('a,b\nc,"d\ne').openQuote).toBe(2)
  expect(readCsv('').rows).toEqual([])
})
