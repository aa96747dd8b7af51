import { expect, test } from 'vitest'
import { CsvReader, readCsv } from './read-csv.ts'

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells)

test('a quoted cell may contain line breaks, separators and quotes, and rows know their line', () => {
  expect(readCsv('\uFEFFa,"b\nc","d ""e"", f"\r\n\r\n,,\r\ng,h,\r\n')).toEqual([
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

test('lines of text above a table do not decide what separates its cells', () => {
  expect(cellsOf('Rates, as of July\nMarket;Marketing;Utility\nSpain;0,0615;0,0200')).toEqual([
    ['Rates, as of July'],
    ['Market', 'Marketing', 'Utility'],
    ['Spain', '0,0615', '0,0200'],
  ])
})

test('a quote that is never closed, or that something follows, is named with its line', () => {
  expect(() => readCsv('a,b\nc,"d\ne')).toThrow(expect.objectContaining({ line: 2 }))
  expect(() => readCsv('a,b\n"c" x,d')).toThrow(expect.objectContaining({ line: 2 }))
  expect(readCsv('')).toEqual([])
})

test('a quote within a cell is a character, and a wrong one costs its own record only', () => {
  const reader = new CsvReader()
  const text = 'to,size\n1,5" pipe\n2,6" pipe\n3,"a" b,c\n4,"two\nlines"\n5,"'
  expect(reader.read(text)).toEqual([
    { line: 1, cells: ['to', 'size'] },
    { line: 2, cells: ['1', '5" pipe'] },
    { line: 3, cells: ['2', '6" pipe'] },
    { line: 4, cells: [], problem: expect.stringContaining('quote') },
    { line: 5, cells: ['4', 'two\nlines'] },
  ])
  expect(() => reader.end()).toThrow(expect.objectContaining({ line: 7 }))
})

test('pieces make the same records wherever they are cut', () => {
  const text = 'to,name\r\n1,"Eva; ""Maria""\nof two lines"\r\n\r\n2,Ana'
  const whole = [
    { line: 1, cells: ['to', 'name'] },
    { line: 2, cells: ['1', 'Eva; "Maria"\nof two lines'] },
    { line: 5, cells: ['2', 'Ana'] },
  ]
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new CsvReader()
    const records = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut)), ...reader.end()]
    expect([cut, records]).toEqual([cut, whole])
  }
})
