import { describe, expect, test } from 'vitest'
import { csvLine, plainCell } from './csv.ts'
import { readCsv } from './read-csv.ts'

describe('a line of CSV', () => {
  test.each(['=1+1', '+351912345678', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'never begins a cell like the formula %j',
    (cell) => {
      expect(csvLine([cell]).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  test.each([';=1+1', 'Ana;=1+1', 'a;b;@SUM(A1)', 'a\t-2', 'two\n=1', 'a\r+1', 'a|=1', 'a;＝1'])(
    'holds no formula behind a separator of other programs: %j',
    (cell) => {
      expect(csvLine([cell])).not.toMatch(/[;|\t\r\n][=+\-@＝＋－＠]/)
      expect(csvLine([cell]).replaceAll("'", '')).toContain(cell)
    },
  )

  test('leaves signs inside a text alone', () => {
    expect(csvLine(['a=b', 'x; y - z', 'ana@acme.test'])).toBe('a=b,x; y - z,ana@acme.test\r\n')
  })

  test('quotes what would break it, and doubles quotes', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain'])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
  })

  test('leaves numbers as they are and nothing where nothing is', () => {
    expect(csvLine([-3, null, true, ''])).toBe('-3,,true,\r\n')
  })

  test('quotes a cell that needs both', () => {
    expect(csvLine(['=HYPERLINK("http://a.test","x")'])).toBe('"\'=HYPERLINK(""http://a.test"",""x"")"\r\n')
  })

  test.each(['+351912345678', '=1+1', "it's", "'quoted'", 'a;=1', 'two\n-1', ''])(
    'gives %j back when it is read',
    (cell) => {
      const [record] = readCsv(csvLine(['first', cell]))
      expect(record?.cells.map(plainCell)).toEqual(['first', cell])
    },
  )
})
