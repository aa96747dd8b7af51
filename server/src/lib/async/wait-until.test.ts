import { expect, test } from 'vitest'
import { waitUntil } from './with-timeout.ts'

const silent = () => () => {}

test('asks again after a signal, and gives the first answer', async () => {
  const answers = [null, null, 'there']
  const told = waitUntil(
    (listener) => {
      queueMicrotask(listener)
      return () => {}
    },
    async () => answers.shift() ?? null,
    60_000,
  )
  expect(await told).toBe('there')
  expect(answers).toEqual([])
})

test('gives up when the time is over, also while a question is not answered', async () => {
  expect(await waitUntil(silent, async () => null, 1)).toBeNull()
  expect(await waitUntil(silent, () => new Promise(() => {}), 1)).toBeNull()
})
