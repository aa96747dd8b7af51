import { operation, query } from '../engine/operation.ts'

const columns = {
  number_id: 'text',
  account_id: 'text',
  stop_words: 'text',
  start_words: 'text',
  updated_at: 'int',
} as const

/** The words are lists as JSON, written as the operator wrote them. */
export const saveKeywords = operation({
  name: 'keywords.save',
  input: columns,
  key: ['number_id'],
  sql: `insert into keywords (number_id, account_id, stop_words, start_words, updated_at)
        select number_id, account_id, stop_words, start_words, updated_at from rows where true
        on conflict (number_id) do update set stop_words = excluded.stop_words, start_words = excluded.start_words,
          updated_at = excluded.updated_at`,
})

export const findKeywords = query({
  name: 'keywords.find',
  params: { number_id: 'text' },
  returns: { stop_words: 'text', start_words: 'text' },
  sql: 'select stop_words, start_words from keywords where number_id = :number_id',
})
