import { expect, test } from 'vitest'
import { limitInWords } from './messaging-limit.ts'

test.each([
  ['TIER_250', '250 customers a day'],
  ['TIER_10K', '10,000 customers a day'],
  ['TIER_UNLIMITED', 'none'],
  ['SOMETHING_NEW', 'SOMETHING_NEW'],
])('the limit %s reads %s', (limit, words) => expect(limitInWords(limit)).toBe(words))
