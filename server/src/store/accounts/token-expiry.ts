import { operation } from '../engine/operation.ts'

/** Chains of which no token is left. */
export const expireChains = operation({
  name: 'token_chains.expire',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  sql: `delete from token_chains where id in (
          select c.id from token_chains c where c.created_at < (select before from rows)
            and not exists (select 1 from tokens t where t.chain_id = c.id)
          order by c.created_at limit (select count from rows))
        returning id`,
})

/** Links that nobody can use any more. */
export const expireSetupLinks = operation({
  name: 'setup_links.expire',
  input: { before: 'int' },
  alone: true,
  sql: 'delete from setup_links where expires_at < (select before from rows)',
})
