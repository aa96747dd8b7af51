import { operation, query, type RowOf } from '../engine/operation.ts'

export const tokenColumns = {
  id: 'text',
  chain_id: 'text',
  key_id: 'text',
  account_id: 'text',
  scopes: 'text',
  issued_at: 'int',
  expires_at: 'int',
} as const

export const insertChain = operation({
  name: 'token_chains.insert',
  input: { id: 'text', account_id: 'text', key_id: 'text', created_at: 'int' },
  key: ['id'],
  sql: 'insert into token_chains (id, account_id, key_id, created_at) select id, account_id, key_id, created_at from rows',
})

export const insertToken = operation({
  name: 'tokens.insert',
  input: tokenColumns,
  key: ['id'],
  sql: `insert into tokens (id, chain_id, key_id, account_id, scopes, issued_at, expires_at)
        select id, chain_id, key_id, account_id, scopes, issued_at, expires_at from rows`,
})

/**
 * Names the successor of a token, once: of two refreshes at the same moment one wins, and both are told the winner. A
 * token that was revoked meanwhile gets none.
 */
export const replaceToken = operation({
  name: 'tokens.replace',
  input: { id: 'text', successor_id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update tokens set successor_id = rows.successor_id, replaced_at = rows.now
        from rows where tokens.id = rows.id and tokens.successor_id is null and tokens.revoked_at is null
        returning tokens.id`,
})

export const revokeToken = operation({
  name: 'tokens.revoke',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text', revoked_at: 'int?' },
  sql: `update tokens set revoked_at = coalesce(tokens.revoked_at, rows.now) from rows where tokens.id = rows.id
        returning tokens.id, tokens.revoked_at`,
})

export const revokeChain = operation({
  name: 'token_chains.revoke',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: `update token_chains set revoked_at = coalesce(token_chains.revoked_at, rows.now) from rows
        where token_chains.id = rows.id`,
})

/** Nobody refreshes this chain any more. Fails when that is so already and none of its other tokens lives. */
export const closeReusedChain = operation({
  name: 'token_chains.close_reused',
  input: { chain_id: 'text', spared_token_id: 'text', now: 'int' },
  key: ['chain_id'],
  returns: { chain_id: 'text' },
  required: true,
  sql: `update token_chains set refresh_closed_at = coalesce(token_chains.refresh_closed_at, rows.now) from rows
        where token_chains.id = rows.chain_id and (token_chains.refresh_closed_at is null or exists (
          select 1 from tokens t
          where t.chain_id = rows.chain_id and t.id <> rows.spared_token_id and t.revoked_at is null))
        returning token_chains.id as chain_id`,
})

export const revokeOthersOfChain = operation({
  name: 'tokens.revoke_others',
  input: { chain_id: 'text', spared_token_id: 'text', now: 'int' },
  key: ['chain_id'],
  sql: `update tokens set revoked_at = coalesce(tokens.revoked_at, rows.now) from rows
        where tokens.chain_id = rows.chain_id and tokens.id <> rows.spared_token_id`,
})

/** Everything a request with this token depends on, in one read by index. */
export const readAccess = query({
  name: 'tokens.access',
  params: { id: 'text' },
  returns: {
    id: 'text',
    chain_id: 'text',
    key_id: 'text',
    account_id: 'text',
    scopes: 'text',
    issued_at: 'int',
    expires_at: 'int',
    revoked_at: 'int?',
    successor_id: 'text?',
    replaced_at: 'int?',
    chain_created_at: 'int',
    chain_revoked_at: 'int?',
    chain_refresh_closed_at: 'int?',
    key_status: 'text',
    key_scopes: 'text',
    key_expires_at: 'int?',
    allowed_ips: 'text?',
    phone_number_ids: 'text?',
    epoch: 'int',
    account_status: 'text',
    plan: 'text',
  },
  sql: `select t.id, t.chain_id, t.key_id, t.account_id, t.scopes, t.issued_at, t.expires_at, t.revoked_at,
          t.successor_id, t.replaced_at, c.created_at as chain_created_at, c.revoked_at as chain_revoked_at,
          c.refresh_closed_at as chain_refresh_closed_at, k.status as key_status, k.scopes as key_scopes,
          k.expires_at as key_expires_at, k.allowed_ips, k.phone_number_ids, k.epoch, a.status as account_status, a.plan
        from tokens t join token_chains c on c.id = t.chain_id join api_keys k on k.id = t.key_id
        join accounts a on a.id = t.account_id where t.id = :id`,
})

export type AccessRow = RowOf<(typeof readAccess)['returns']>

/** Tokens that can neither be used nor refreshed any more. */
export const expireTokens = operation({
  name: 'tokens.expire',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  sql: `delete from tokens where id in (
          select id from tokens where expires_at < (select before from rows) order by expires_at
          limit (select count from rows))
        returning id`,
})

/** A key keeps at most this many refreshable tokens: the oldest chains beyond lose refresh, and nothing else. */
export const closeOldestChains = operation({
  name: 'token_chains.close_oldest',
  input: { key_id: 'text', keep: 'int', now: 'int' },
  alone: true,
  sql: `update token_chains set refresh_closed_at = (select now from rows)
        where key_id = (select key_id from rows) and refresh_closed_at is null and (created_at, id) < (
          select created_at, id from token_chains where key_id = (select key_id from rows) and refresh_closed_at is null
          order by created_at desc, id desc limit 1 offset (select keep - 1 from rows))`,
})
