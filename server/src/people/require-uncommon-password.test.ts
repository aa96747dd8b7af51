import { describe, expect, test } from 'vitest'
import { requireUncommonPassword } from './passwords.ts'

const ana = { name: 'Ana Sousa', email: 'ana.sousa@acme.test' }
const taken = (password: string) => {
  try {
    requireUncommonPassword('password', password, ana)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'validation_failed', extras: { details: [{ field: 'password' }] } })
    return false
  }
}

describe('a new password', () => {
  test.each([
    'password12',
    'Password123!',
    'P4$$w0rd2026',
    'passw0rd!!!!',
    '1234567890',
    '0987654321',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'Welcome2026!',
    'Ana.Sousa1990',
    'contraseña123',
  ])('is refused when guessers try it first: %s', (password) => {
    expect(taken(password)).toBe(false)
  })

  test.each([
    'correct horse battery',
    'my password is a secret one',
    'tr0ubador&3xyz',
    'ZxQ8 piano lamp',
    'пароль от кухни',
  ])('is taken when it is more than that: %s', (password) => {
    expect(taken(password)).toBe(true)
  })
})
