import { expireBefore } from '../engine/expire-before.ts'
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
 * Locks the chain until the end of its unit. A refresh and a revocation of one chain then follow each other, so that no
 * token is born from one that is being revoked.
 */
export const lockChain = operation({
  name: 'token_chains.lock',
  input: { id: 'text' },
  key: ['id'],
  sql: 'update token_chains set revision = token_chains.revision + 1 from rows where token_chains.id = rows.id',
})

/** Fails when the parent, or its chain, was revoked or lost its refresh meanwhile. */
export const insertRefreshedToken = operation({
  name: 'tokens.insert_refreshed',
  input: { ...tokenColumns, parent_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `insert into tokens (id, chain_id, key_id, account_id, scopes, issued_at, expires_at, parent_id)
        select r.id, r.chain_id, r.key_id, r.account_id, r.scopes, r.issued_at, r.expires_at, r.parent_id
        from rows r join tokens p on p.id = r.parent_id join token_chains c on c.id = p.chain_id
        where p.revoked_at is null and p.refresh_closed_at is null
          and c.revoked_at is null and c.refresh_closed_at is null
        returning id`,
})

/** The oldest tokens of a chain beyond `keep` lose refresh, and nothing else. */
export const closeOldestTokens = operation({
  name: 'tokens.close_oldest',
  input: { chain_id: 'text', keep: 'int', now: 'int' },
  alone: true,
  sql: `update tokens set refresh_closed_at = (select now from rows)
        where chain_id = (select chain_id from rows) and refresh_closed_at is null and revoked_at is null
          and (issued_at, id) < (
            select issued_at, id from tokens
            where chain_id = (select chain_id from rows) and refresh_closed_at is null and revoked_at is null
            order by issued_at desc, id desc limit 1 offset (select keep - 1 from rows))`,
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

/** Every token that was refreshed from this one, directly or not. */
export const revokeDescendants = operation({
  name: 'tokens.revoke_descendants',
  input: { id: 'text', now: 'int' },
  alone: true,
  sql: `update tokens set revoked_at = (select now from rows)
        where revoked_at is null and id in (
          with recursive descendants(id) as (
            select t.id from tokens t where t.parent_id = (select id from rows)
            union select t.id from tokens t join descendants d on t.parent_id = d.id)
          select id from descendants)`,
})

/** Everything a request with this token depends on, in one read by index. */
export const readAccess = query({
  name: 'tokens.access',
  params: { id: 'text' },
  returns: {
    ...tokenColumns,
    revoked_at: 'int?',
    refresh_closed_at: 'int?',
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
          t.refresh_closed_at, c.created_at as chain_created_at, c.revoked_at as chain_revoked_at,
          c.refresh_closed_at as chain_refresh_closed_at, k.status as key_status, k.scopes as key_scopes,
          k.expires_at as key_expires_at, k.allowed_ips, k.phone_number_ids, k.epoch, a.status as account_status, a.plan
        from tokens t join token_chains c on c.id = t.chain_id join api_keys k on k.id = t.key_id
        join accounts a on a.id = t.account_id where t.id = :id`,
})

export type AccessRow = RowOf<(typeof readAccess)['returns']>

/** Tokens that can neither be used nor refreshed any more. */
export const expireTokens = expireBefore({ table: 'tokens', key: ['id'], time: 'expires_at' })

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

/** Old chains, oldest first, and whether a token of theirs is left. */
export const listOldChains = query({
  name: 'token_chains.old',
  params: { before: 'int', after_at: 'int', after_id: 'text', count: 'int' },
  returns: { id: 'text', created_at: 'int', tokens: 'int' },
  lane: 'list',
  sql: `select c.id, c.created_at,
          case when exists (select 1 from tokens t where t.chain_id = c.id) then 1 else 0 end as tokens
        from token_chains c where (c.created_at, c.id) > (:after_at, :after_id) and c.created_at < :before
        order by c.created_at, c.id limit :count`,
})

export const deleteEmptyChain = operation({
  name: 'token_chains.delete_empty',
  input: { id: 'text' },
  key: ['id'],
  sql: `delete from token_chains where id in (select id from rows)
          and not exists (select 1 from tokens t where t.chain_id = token_chains.id)`,
})

const columns = { kid: 'text', sealed: 'text', status: 'text', created_at: 'int', retired_at: 'int?' } as const

/** Only one key is active: a second insert at the same moment finds the first and does nothing. */
export const insertFirstSigningKey = operation({
  name: 'signing_keys.insert_first',
  input: { kid: 'text', sealed: 'text', created_at: 'int' },
  alone: true,
  sql: `insert into signing_keys (kid, sealed, status, created_at)
        select kid, sealed, 'active', created_at from rows
        where not exists (select 1 from signing_keys where status = 'active')`,
})

export const retireSigningKeys = operation({
  name: 'signing_keys.retire',
  input: { now: 'int' },
  alone: true,
  sql: `update signing_keys set status = 'retired', retired_at = (select now from rows) where status = 'active'`,
})

export const deleteRetiredSigningKeys = operation({
  name: 'signing_keys.delete_retired',
  input: { before: 'int' },
  alone: true,
  sql: `delete from signing_keys where status = 'retired' and retired_at < (select before from rows)`,
})

export const listSigningKeys = query({
  name: 'signing_keys.list',
  params: {},
  returns: columns,
  sql: 'select kid, sealed, status, created_at, retired_at from signing_keys order by created_at desc',
})
