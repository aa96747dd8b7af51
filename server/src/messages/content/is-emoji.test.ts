import { expect, test } from 'vitest'
import { isEmoji } from './check-text.ts'

test.each(['👍', '👍🏽', '❤', '❤️', '👩‍👩‍👧‍👦', '🇵🇹', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '3️⃣', '🫩', '❤️‍🔥'])('%s is one emoji', (text) => {
  expect(isEmoji(text)).toBe(true)
})

test.each(['', 'a', 'ok', ':)', '3', '👍👍', '👍 ', ' 👍', '👍!', '🇵', '\u200d', '\ufe0f', '<b>'])(
  '"%s" is not',
  (text) => {
    expect(isEmoji(text)).toBe(false)
  },
)
