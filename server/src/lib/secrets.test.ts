import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const masterKey = randomBytes(32)

describe('sealed values', () => {
  test('open again for the same purpose and row', () => {
    const secrets = createSecrets(masterKey)
    const sealed = secrets.seal('webhook secret', 'acc_1/whk_1', 'correct horse')
    expect(secrets.open('webhook secret', 'acc_1/whk_1', sealed).toString()).toBe('correct horse')
  })

  test('do not show what they hold, and are different each time', () => {
    const secrets = createSecrets(masterKey)
    const [first, second] = [secrets.seal('p', 'r', 'correct horse'), secrets.seal('p', 'r', 'correct horse')]
    expect(first).not.toContain('correct')
    expect(first).not.toBe(second)
  })

  test('do not open in another row, for another purpose, after a change, or with another master key', () => {
    const secrets = createSecrets(masterKey)
    const sealed = secrets.seal('webhook secret', 'acc_1/whk_1', 'correct horse')
    expect(() => secrets.open('webhook secret', 'acc_2/whk_1', sealed)).toThrow()
    expect(() => secrets.open('platform token', 'acc_1/whk_1', sealed)).toThrow()
    expect(() => secrets.open('webhook secret', 'acc_1/whk_1', `${sealed.slice(0, -2)}AA`)).toThrow()
    expect(() => createSecrets(randomBytes(32)).open('webhook secret', 'acc_1/whk_1', sealed)).toThrow(
      'another master key',
    )
  })

  test('made before a rotation of the master key still open while the old key is given', () => {
    const sealed = createSecrets(masterKey).seal('p', 'r', 'correct horse')
    const rotated = createSecrets(randomBytes(32), [masterKey])
    expect(rotated.open('p', 'r', sealed).toString()).toBe('correct horse')
    expect(rotated.seal('p', 'r', 'x').startsWith(rotated.keyId)).toBe(true)
  })
})

test('a keyed hash is stable, differs by purpose and by master key', () => {
  const secrets = createSecrets(masterKey)
  expect(secrets.mac('api secret', 'value')).toEqual(createSecrets(masterKey).mac('api secret', 'value'))
  expect(secrets.mac('api secret', 'value')).not.toEqual(secrets.mac('cursor', 'value'))
  expect(secrets.mac('api secret', 'value')).not.toEqual(createSecrets(randomBytes(32)).mac('api secret', 'value'))
})
