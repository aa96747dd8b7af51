import { expect, test } from 'vitest'
import { joinChecks } from './supervisor.ts'

const ok = (name: string, duration_ms = 1) => ({ name, status: 'ok' as const, duration_ms })
const failing = (name: string, detail: string) => ({ name, status: 'failing' as const, duration_ms: 9, detail })

test('all processes are ready only when each of them is', () => {
  const both = [
    { number: 1, checks: [ok('accepting'), ok('database', 3)] },
    { number: 2, checks: [ok('accepting'), ok('database', 7)] },
  ]
  expect(joinChecks(both, 2)).toEqual([ok('processes', 0), ok('accepting'), ok('database', 7)])
})

test('a check that fails in one process fails, and says in which', () => {
  const [, database] = joinChecks(
    [
      { number: 1, checks: [ok('database')] },
      { number: 2, checks: [failing('database', 'A write failed: no answer.')] },
      { number: 3, checks: [ok('database')] },
    ],
    3,
  )
  expect(database).toEqual(failing('database', 'Process 2: A write failed: no answer.'))
})

test('a process that is missing or gives no answer is no process that is ready', () => {
  const [processes] = joinChecks(
    [
      { number: 1, checks: null },
      { number: 3, checks: [ok('database')] },
    ],
    3,
  )
  expect(processes).toEqual({
    name: 'processes',
    status: 'failing',
    duration_ms: 0,
    detail: '1 of 3 processes are running.',
  })
})
