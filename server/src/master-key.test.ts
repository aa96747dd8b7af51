import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from './config/config.ts'
import { findMasterKey } from './master-key.ts'

describe('the master key in the data folder', () => {
  let dataDir = ''
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'postern-master-key-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  const find = (hasSecrets = false) => findMasterKey({ masterKey: null, dataDir }, hasSecrets)
  const file = () => join(dataDir, 'master.key')

  test('is made once, for this user alone, and leaves nothing else behind', () => {
    const { key, notice } = find()
    expect(key).toHaveLength(32)
    expect(notice).toContain(file())
    expect(find().key).toEqual(key)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['master.key'])
  })

  test.each([
    ['empty', ''],
    ['a line break', '\n'],
    ['cut short', 'ab'.repeat(31)],
    ['too long', 'ab'.repeat(33)],
    ['no hexadecimal text', 'zz'.repeat(32)],
    ['damaged in one place', `${'ab'.repeat(20)}??${'ab'.repeat(11)}`],
  ])('is refused with one sentence when it is %s, and never replaced', (_, text) => {
    writeFileSync(file(), text)
    expect(() => find()).toThrow(ConfigError)
    expect(() => find()).toThrow(
      /master\.key is damaged: it must contain a key of 64 hexadecimal characters\. Put your copy/,
    )
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('is not made where secrets are stored already: they were sealed with another', () => {
    expect(() => find(true)).toThrow(
      /There is a database, but no key: put .*master\.key back, or set POSTERN_MASTER_KEY/,
    )
    expect(readdirSync(dataDir)).toEqual([])
    const { key } = find()
    expect(find(true).key).toEqual(key)
  })

  test('is closed to others when a copy that was put back is not', () => {
    writeFileSync(file(), 'ab'.repeat(32), { mode: 0o644 })
    expect(find().key).toEqual(Buffer.alloc(32, 0xab))
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('of the operator comes first, and the folder is not looked at', () => {
    writeFileSync(file(), 'damaged')
    const masterKey = Buffer.alloc(32, 7)
    expect(findMasterKey({ masterKey, dataDir }, true)).toEqual({ key: masterKey, notice: null })
  })
})
