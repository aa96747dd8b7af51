import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isKnownAction } from '../../console/src/pages/settings/audit-sentence.ts'

/** Where the server names what it writes into the audit log. */
const named =
  /(?:action: |entryBy\(\w+, |entryAbout\(\w+, (?:\w+, )?|ownEntry\(\w+, |(?:author|by|next, author|row, author), )['`]([a-z_]+\.[a-z_]+)['`]/g

test('every action of the audit log is a sentence in the console', () => {
  const files = globSync('server/src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const actions = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(named)].map(([, action = '']) => action),
  )
  expect(new Set(actions).size).toBeGreaterThan(60)
  // Of the installation, which has a log of its own.
  const ofAll = ['account.deletion_begun', 'account.deleted']
  expect([...new Set(actions)].filter((action) => !isKnownAction(action) && !ofAll.includes(action))).toEqual([])
})
