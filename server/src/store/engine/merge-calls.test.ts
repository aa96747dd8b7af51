import { describe, expect, test } from 'vitest'
import { mergeCalls } from './merge-calls.ts'
import { operation } from './operation.ts'
import { Unit } from './unit.ts'

const insert = operation({ name: 'insert', input: { id: 'text' }, key: ['id'], sql: 'insert …' })
const update = operation({ name: 'update', input: { id: 'text' }, key: ['id'], sql: 'update …' })
const claim = operation({ name: 'claim', input: { id: 'text' }, alone: true, sql: 'claim …' })

function unitOf(...steps: [typeof insert, string][]): Unit['calls'] {
  const unit = new Unit()
  for (const [step, id] of steps) unit.add(step, { id })
  return unit.calls
}

const shown = (units: Unit['calls'][]): string[] =>
  mergeCalls(units).map(({ operation: { name }, rows }) => `${name} ${rows.map((row) => row.id).join(' ')}`)

describe('merging the calls of a batch', () => {
  test('makes one statement of equal calls, sorted by key', () => {
    expect(shown([unitOf([insert, 'b']), unitOf([insert, 'a']), unitOf([insert, 'c'])])).toEqual(['insert a b c'])
  })

  test('keeps the order of calls inside each unit', () => {
    const units = [unitOf([insert, 'a'], [update, 'a']), unitOf([update, 'b'], [insert, 'b'])]
    expect(shown(units)).toEqual(['insert a', 'update a b', 'insert b'])
  })

  test('never puts two rows of one key into one statement', () => {
    expect(shown([unitOf([update, 'a']), unitOf([update, 'a']), unitOf([update, 'b'])])).toEqual([
      'update a b',
      'update a',
    ])
  })

  test('leaves operations alone that ask for it', () => {
    expect(shown([unitOf([claim, 'a']), unitOf([claim, 'b'])])).toEqual(['claim a', 'claim b'])
  })

  test('puts rows of one key together where the operation says how', () => {
    const take = operation({
      name: 'take',
      input: { id: 'text', wanted: 'int' },
      key: ['id'],
      together: { add: (row, { wanted }) => ({ ...row, wanted: row.wanted + wanted }) },
      sql: 'take …',
    })
    const units = [1, 2, 3].map((wanted) => {
      const unit = new Unit()
      unit.add(take, { id: wanted < 3 ? 'a' : 'b', wanted })
      return unit.calls
    })
    const [statement, ...others] = mergeCalls(units)
    expect(statement?.rows).toEqual([
      { id: 'a', wanted: 3 },
      { id: 'b', wanted: 3 },
    ])
    expect(statement?.origins.map((origins) => origins.map(({ unit }) => unit))).toEqual([[0, 1], [2]])
    expect(others).toEqual([])
  })

  test('leads every row back to where it came from', () => {
    const [statement] = mergeCalls([unitOf([insert, 'b']), unitOf([insert, 'a'])])
    expect(statement?.origins).toEqual([[{ unit: 1, call: 0, row: 0 }], [{ unit: 0, call: 0, row: 0 }]])
  })
})
