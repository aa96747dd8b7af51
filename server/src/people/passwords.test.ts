import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../../test/support/postgres/databases.ts'
import { loadConfig } from '../config/config.ts'
import { createRuntime } from '../create-runtime.ts'
import { createLogger } from '../observe/log.ts'
import type { Runtime } from '../runtime.ts'
import { hashPassword, passwordMatches } from './passwords.ts'

const password = 'correct horse battery'
const closers: (() => Promise<unknown>)[] = []
let database: TestDatabase
let rt: Runtime

beforeAll(async () => {
  database = await freshDatabase('sqlite')
  const { config } = loadConfig({ env: { POSTERN_DATA_DIR: database.folder }, terminal: false })
  rt = await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers)
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
  await database.remove()
})

test('a gateway stores a password at the least cost that OWASP names for argon2id', async () => {
  expect(await hashPassword(rt, password)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

test('a password that was stored at another cost is still the right one, and no other is', async () => {
  const cheap = { ...rt, passwordCost: { memory: 8, passes: 1, parallelism: 1 } }
  const stored = await hashPassword(cheap, password)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  expect(await passwordMatches(rt, 'known', password, stored)).toBe(true)
  expect(await passwordMatches(rt, 'known', 'another horse entirely', stored)).toBe(false)
  expect(await passwordMatches(rt, 'known', password, null)).toBe(false)
})
