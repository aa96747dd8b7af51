import { query } from '../engine/operation.ts'

export const templateStates = query({
  name: 'templates.states',
  params: { account_id: 'text' },
  returns: {
    id: 'text',
    name: 'text',
    language: 'text',
    channel_kind: 'text',
    status: 'text',
    status_reason: 'text?',
    updated_at: 'int',
    submitted_at: 'int?',
  },
  lane: 'list',
  sql: `select id, name, language, channel_kind, status, status_reason, updated_at, submitted_at from templates
        where account_id = :account_id and status <> 'deleted' order by updated_at desc limit 500`,
})

/** The newest call that was turned away for who made it, unless a key of the account was let in since. */
export const lastTurnedAway = query({
  name: 'request_log.last_turned_away',
  params: { account_id: 'text' },
  returns: { id: 'text', at: 'int', code: 'text' },
  lane: 'list',
  sql: `select r.id, r.at, r.code from request_log r
        where r.account_id = :account_id and r.status in (401, 403) and r.code is not null
          and not exists (select 1 from api_keys k join token_chains c on c.key_id = k.id
            where k.account_id = :account_id and c.created_at >= r.at)
        order by r.at desc, r.id desc limit 1`,
})

export const firstMessages = query({
  name: 'messages.first',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: `select id from messages where account_id = :account_id and direction = 'outbound' limit 1`,
})
