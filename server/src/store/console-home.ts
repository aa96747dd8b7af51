import { query } from './operation.ts'

export const templateStates = query({
  name: 'templates.states',
  params: { account_id: 'text' },
  returns: {
    id: 'text',
    name: 'text',
    language: 'text',
    status: 'text',
    status_reason: 'text?',
    updated_at: 'int',
    submitted_at: 'int?',
  },
  lane: 'list',
  sql: `select id, name, language, status, status_reason, updated_at, submitted_at from templates
        where account_id = :account_id and status <> 'deleted' order by updated_at desc limit 500`,
})

export const firstMessages = query({
  name: 'messages.first',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: `select id from messages where account_id = :account_id and direction = 'outbound' limit 1`,
})
