import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Operation, operation, type Topic } from './operation.ts'
import { createTopics, type Touched } from './topics.ts'
import { type Committed, type InputRow, Unit } from './unit.ts'

const named = operation({ name: 'named', input: { account_id: 'text' }, wakes: 'messages', sql: 'select 1' })
const found = operation({
  name: 'found',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  wakes: 'messages',
  sql: 'select 1',
})
const nameless = operation({ name: 'nameless', input: { id: 'text' }, wakes: 'messages', sql: 'select 1' })

function committed(build: (unit: Unit) => void, rowsByCall: InputRow[][] = []): Committed {
  const unit = new Unit()
  build(unit)
  return { calls: unit.calls, rowsByCall }
}

function heardFrom(...units: Committed[]): Touched[] {
  const topics = createTopics()
  const heard: Touched[] = []
  topics.listen('messages', (touched) => heard.push(touched))
  topics.announce(units)
  return heard
}

describe('a wake-up', () => {
  test('comes once for a batch and names the accounts that went in or came out', () => {
    const one = committed((unit) => unit.add(named, { account_id: 'acc_1' }, { account_id: 'acc_2' }))
    const other = committed((unit) => unit.add(found, { id: 'm1' }), [[{ id: 'm1', account_id: 'acc_3' }]])
    expect(heardFrom(one, other)).toEqual([new Set(['acc_1', 'acc_2', 'acc_3'])])
  })

  test('is for anybody when nothing says whose it is', () => {
    const one = committed((unit) => unit.add(named, { account_id: 'acc_1' }))
    expect(
      heardFrom(
        one,
        committed((unit) => unit.add(nameless, { id: 'x' })),
        one,
      ),
    ).toEqual(['anybody'])
  })

  test('does not come for what changed nothing', () => {
    expect(heardFrom(committed((unit) => unit.add(found, { id: 'm1' }), [[]]))).toEqual([])
  })
})

describe('what people look at', () => {
  const forPeople: Topic[] = ['messages', 'events', 'deliveries', 'attempts', 'callbacks', 'audit']

  test('always says whose it is, so that no listener is woken for another account', async () => {
    const store = resolve(import.meta.dirname, '..')
    const files = globSync('{accounts,analytics,channels,jobs,media,messages,templates,webhooks}/*.ts', { cwd: store })
    const modules = await Promise.all(
      files
        .filter((name) => !name.endsWith('.test.ts'))
        .map((name) => import(/* @vite-ignore */ join(store, name)) as Promise<Record<string, unknown>>),
    )
    const operations = modules.flatMap((module) => Object.values(module)).filter(isOperation)
    const waking = operations.filter(({ wakes }) => wakes !== null && forPeople.includes(wakes))
    expect(new Set(waking.map(({ wakes }) => wakes))).toEqual(new Set(forPeople))
    const nameless = waking.filter(({ input, returns }) => !('account_id' in input) && !('account_id' in returns))
    expect(nameless.map(({ name }) => name)).toEqual([])
  })

  function isOperation(value: unknown): value is Operation {
    return typeof value === 'object' && value !== null && 'wakes' in value && 'input' in value
  }
})
