import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

function aFlood({ underWay = 0 } = {}) {
  let now = 0
  let wentOn = 0
  let running = underWay
  const turns = createFairTurns(
    (owner) => (owner === 'flood' ? running + waiting() : 0),
    () => now,
  )
  let asked = 0
  let late = 0
  const waiting = () => asked - wentOn
  const ask = () => {
    const turn = turns.wait('flood')
    asked++
    if (turn === 'now') wentOn++
    if (turn instanceof Promise) void turn.then((then) => (then === 'now' ? wentOn++ : late++))
    return turn
  }
  return {
    turns,
    ask,
    wentOn: () => wentOn,
    late: () => late,
    pass: (ms: number) => (now += ms),
    finish: () => (running = 0),
  }
}

test('of a flood one request goes on in a turn of the event loop, and the first of another owner at once', async () => {
  const { turns, ask, wentOn } = aFlood()
  for (let nth = 0; nth < 10; nth++) void ask()
  expect(wentOn()).toBe(1)
  expect(turns.wait('other')).toBe('now')
  await nextTurn()
  expect(wentOn()).toBe(2)
  expect(turns.wait('other')).toBe('now')
  await nextTurn()
  expect(wentOn()).toBe(3)
  for (let nth = 0; nth < 7; nth++) await nextTurn()
  expect(wentOn()).toBe(10)
  await nextTurn()
  expect(turns.wait('flood')).toBe('now')
})

/** As many turns of the event loop as take so long together. */
async function passTurns(pass: (ms: number) => void, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    pass(Math.min(left, 100))
    await nextTurn()
  }
}

test('behind a request that has waited for a quarter of a second its owner gets no more into the queue; others do', async () => {
  const { turns, ask, pass, wentOn, finish } = aFlood({ underWay: 70 })
  for (let nth = 0; nth < 10; nth++) void ask()
  await passTurns(pass, 300)
  expect(wentOn()).toBe(1)
  expect(ask()).toBe('never')
  expect(turns.wait('other')).toBe('now')
  expect(turns.wait('other')).toBeInstanceOf(Promise)
  finish()
  for (let nth = 0; nth < 10; nth++) await nextTurn()
  expect(wentOn()).toBe(10)
  expect(ask()).not.toBe('never')
})

test('what has waited for one and a half seconds is refused', async () => {
  const { ask, pass, wentOn, late } = aFlood({ underWay: 70 })
  for (let nth = 0; nth < 10; nth++) void ask()
  await passTurns(pass, 1_600)
  expect([wentOn(), late()]).toEqual([1, 9])
})

test('a process that stood still refuses nothing of what waited', async () => {
  const { ask, pass, wentOn, late } = aFlood()
  for (let nth = 0; nth < 10; nth++) void ask()
  pass(60_000)
  for (let nth = 0; nth < 10; nth++) await nextTurn()
  expect([wentOn(), late()]).toEqual([10, 0])
})

test('an owner with more than 64 requests has two under way at a time; one with few goes on in every turn', async () => {
  const flooding = aFlood({ underWay: 2 })
  const beginning = aFlood({ underWay: 1 })
  const few = aFlood({ underWay: 20 })
  for (const { ask } of [flooding, beginning]) for (let nth = 0; nth < 70; nth++) void ask()
  for (let nth = 0; nth < 3; nth++) void few.ask()
  await nextTurn()
  expect([flooding.wentOn(), beginning.wentOn(), few.wentOn()]).toEqual([1, 2, 2])
})
