import { operation, query } from '../engine/operation.ts'

/** Only a person who can sign in. */
export const nameOperator = operation({
  name: 'operators.name',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set operator = 'named' from rows where people.id = rows.id and people.joined > 0
        returning people.id`,
})

/** The first owner is an operator until another person is named. */
export const endFirstOperator = operation({
  name: 'operators.end_first',
  input: { keep_id: 'text' },
  alone: true,
  sql: `update people set operator = null where operator = 'first' and id <> (select keep_id from rows)`,
})

export const removeOperator = operation({
  name: 'operators.remove',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set operator = null from rows where people.id = rows.id and people.operator is not null
        returning people.id`,
})

export const listOperators = query({
  name: 'operators.list',
  params: {},
  returns: { name: 'text', email: 'text?', two_factor_since: 'int?' },
  lane: 'list',
  sql: `select name, email, two_factor_since from people where operator is not null order by email, id`,
})
