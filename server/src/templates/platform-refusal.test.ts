import { describe, expect, test } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import { classifyAnswer } from '../platform/cloud/classify-failure.ts'
import { toRefusal } from './template-sample.ts'

function told(subcode: number): AppError {
  const text = JSON.stringify({ error: { code: 100, error_subcode: subcode, error_user_msg: 'As the platform says.' } })
  const refusal = toRefusal(classifyAnswer({ status: 400, headers: {}, text }, { purpose: 'write' }))
  if (!(refusal instanceof AppError)) throw new Error('Not a refusal.')
  return refusal
}

describe('a refusal of the platform', () => {
  const rules = [
    [2388019, 'template_invalid', /reached its template limit/],
    [2388023, 'template_invalid', /blocks the name for 30 days/],
    [2388024, 'template_already_exists', /this name and language/],
    [2388039, 'template_locked', /once in 24 hours and ten times in 30 days/],
    [2388040, 'template_invalid', /too long/],
    [2388047, 'template_invalid', /the header/],
    [2388060, 'template_invalid', /the buttons/],
    [2388072, 'template_invalid', /the body/],
    [2388073, 'template_invalid', /the footer/],
    [2388293, 'template_invalid', /this many variables/],
    [2388299, 'template_invalid', /starts or ends with a variable/],
    [2388999, 'template_invalid', /does not say which/],
  ] as const

  test.each(rules)('with subcode %i is %s, in a sentence of its own', (subcode, code, sentence) => {
    const refusal = told(subcode)
    expect(refusal).toMatchObject({ code, extras: { upstream: { code: 100, detail: 'As the platform says.' } } })
    expect(refusal.message).toMatch(sentence)
  })

  test('says something else for each rule', () => {
    expect(new Set(rules.map(([subcode]) => told(subcode).message)).size).toBe(rules.length)
  })
})
