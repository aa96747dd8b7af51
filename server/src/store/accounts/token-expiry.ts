import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

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

/** Links that nobody can use any more. */
export const expireSetupLinks = expireBefore({ table: 'setup_links', key: ['token_hash'], time: 'expires_at' })
