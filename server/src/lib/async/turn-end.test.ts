import { expect, test } from 'vitest'
import { createTurnEnd } from './batcher.ts'

test('what waits for the end of one turn goes on together, step by step; what comes later has an end of its own', async () => {
  const turnEnd = createTurnEnd()
  const steps: string[] = []
  const work = async (name: string) => {
    await turnEnd()
    steps.push(`${name} starts`)
    await Promise.resolve()
    steps.push(`${name} goes on`)
  }
  const together = [work('a'), work('b')]
  await Promise.resolve()
  expect(steps).toEqual([])
  // Waits while the first two are under way.
  const later = together[0]?.then(() => work('c'))
  await Promise.all([...together, later])
  expect(steps).toEqual(['a starts', 'b starts', 'a goes on', 'b goes on', 'c starts', 'c goes on'])
})
