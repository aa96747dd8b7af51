import { describe, expect, test } from 'vitest'
import { phoneForms } from './phone.ts'

describe('the forms of a phone number', () => {
  test.each([
    ['+525512345678', ['+5215512345678'], []],
    ['+5215512345678', ['+525512345678'], []],
    ['+5511987654321', ['+551187654321'], []],
    ['+551187654321', ['+5511987654321'], []],
    ['+5511933334444', [], ['+551133334444']],
    ['+551133334444', [], ['+5511933334444']],
    ['+12025550100', [], []],
    ['+52551234567', [], []],
    ['+55119876543210', [], []],
    ['US.13491208655302741918', [], []],
  ])('%s is also %j, and possibly %j', (phone, same, possible) => {
    expect(phoneForms(phone)).toEqual({ same, possible })
  })
})
