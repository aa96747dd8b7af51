import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { withSection } from '../../scripts/proof-page.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/proof.md'), 'utf8')
const namesOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
const textOf = (text: string, name: string) => text.split(`## ${name}\n`)[1]?.split('\n## ')[0]

test('a proof that held replaces its own section of the page and leaves the others as they are', () => {
  const order = namesOf(page).filter((name) => name !== undefined)
  const [first = '', second = '', ...others] = order
  const renewed = withSection(page, order, second, 'New figures.\n')
  expect(namesOf(renewed)).toEqual(order)
  expect(textOf(renewed, second)?.trim()).toBe('New figures.')
  for (const name of [first, ...others]) expect(textOf(renewed, name)?.trim()).toBe(textOf(page, name)?.trim())
  expect(withSection(renewed, order, second, `${textOf(page, second)?.trim()}\n`).trimEnd()).toBe(page.trimEnd())
})

test('a section that the program does not know is kept: its proof was added while others ran', () => {
  const before = withSection(withSection('', ['one'], 'one', 'Old.\n'), ['one', 'two'], 'two', 'Of the other.\n')
  const after = withSection(before, ['zero', 'one'], 'one', 'New.\n')
  expect(namesOf(after)).toEqual(['one', 'two'])
  expect(after).toContain('New.')
  expect(after).toContain('Of the other.')
  expect(namesOf(withSection(after, ['zero', 'one'], 'zero', 'First.\n'))).toEqual(['zero', 'one', 'two'])
})
