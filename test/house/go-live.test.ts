import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webhookFields } from '../../server/src/channels/attach-app.ts'

const page = readFileSync('docs/go-live.md', 'utf8')
const sources = globSync('server/src/{channels,connect,contract}/**/*.ts').map((file) => readFileSync(file, 'utf8'))
const table = page.slice(page.indexOf('| Forgotten |'), page.indexOf('## Sources'))

test('the page names every webhook field that the gateway subscribes to', () => {
  const part = page.slice(page.indexOf('**Webhook fields.**'), page.indexOf('## 7.'))
  const named = [...part.matchAll(/`([a-z_]+)`/g)].map(([, field]) => field)
  expect(named.toSorted()).toEqual([...webhookFields].toSorted())
})

/** Dots stand for what differs from case to case, so a sentence is looked for piece by piece. */
const pieces = [...table.matchAll(/"([^"]+)"/g)]
  .flatMap(([, sentence = '']) => sentence.split('…'))
  .map((piece) => piece.trim())
  .filter((piece) => piece.length > 3)

test.each(pieces)('the check really says: %s', (piece) => {
  expect(sources.some((source) => source.includes(piece))).toBe(true)
})
