import { afterEach, expect, test, vi } from 'vitest'
import { Clock } from './clock.ts'

afterEach(() => void vi.useRealTimers())

test('winding the clock does what falls due, in order, and nothing else', () => {
  const clock = new Clock(() => 1_000_000)
  const done: string[] = []
  clock.after(300, () => done.push('late'))
  clock.after(100, () => done.push('early'))
  clock.after(100, () => done.push('early too'))
  clock.after(10_000, () => done.push('never'))
  clock.advance(305)
  expect(done).toEqual(['early', 'early too', 'late'])
  expect(clock.now()).toBe(1_000_305)
  clock.close()
})

test('work that schedules work for now is done in the same turn of the clock', () => {
  const clock = new Clock(() => 0)
  const done: number[] = []
  clock.after(10, () => {
    done.push(1)
    clock.after(0, () => done.push(2))
  })
  clock.advance(20)
  expect(done).toEqual([1, 2])
  clock.close()
})

test('work that winds the clock itself loses nothing of what is due after it', () => {
  const clock = new Clock(() => 0)
  const done: string[] = []
  clock.after(10, () => clock.advance(20))
  clock.after(10, () => done.push('beside'))
  clock.after(30, () => done.push('within'))
  clock.after(60, () => done.push('after'))
  clock.advance(10)
  clock.advance(40)
  expect(done.toSorted()).toEqual(['after', 'beside', 'within'])
  clock.close()
})

test('after closing nothing happens any more', () => {
  const clock = new Clock(() => 0)
  let done = false
  clock.after(10, () => {
    done = true
  })
  clock.close()
  clock.advance(20)
  expect(done).toBe(false)
})

test('the clock goes on after work that fails, with what was due beside it and what comes later', () => {
  vi.useFakeTimers()
  const clock = new Clock()
  const done: string[] = []
  clock.after(10, () => {
    throw new Error('failed')
  })
  clock.after(10, () => done.push('beside'))
  clock.after(50, () => done.push('later'))
  expect(() => clock.advance(20)).toThrow('failed')
  vi.advanceTimersByTime(50)
  expect(done).toEqual(['beside', 'later'])
  clock.close()
})
