import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

export const insertSetupLink = operation({
  name: 'setup_links.insert',
  input: { token_hash: 'text', user_id: 'text', purpose: 'text', expires_at: 'int' },
  key: ['token_hash'],
  sql: `insert into setup_links (token_hash, user_id, purpose, expires_at)
        select token_hash, user_id, purpose, expires_at from rows`,
})

/** A link works once. */
export const useSetupLink = operation({
  name: 'setup_links.use',
  input: { token_hash: 'text', now: 'int' },
  key: ['token_hash'],
  returns: { token_hash: 'text', user_id: 'text' },
  required: true,
  sql: `update setup_links set used_at = rows.now from rows
        where setup_links.token_hash = rows.token_hash and setup_links.used_at is null
          and setup_links.expires_at > rows.now
        returning setup_links.token_hash, setup_links.user_id`,
})

export const findSetupLink = query({
  name: 'setup_links.find',
  params: { token_hash: 'text' },
  returns: { token_hash: 'text', user_id: 'text', purpose: 'text', expires_at: 'int', used_at: 'int?' },
  sql: 'select token_hash, user_id, purpose, expires_at, used_at from setup_links where token_hash = :token_hash',
})

/** Links that nobody can use any more. */
export const expireSetupLinks = expireBefore({ table: 'setup_links', key: ['token_hash'], time: 'expires_at' })

/** Older links of a member end when a new one is made; those of other accounts stay. */
export const endSetupLinks = operation({
  name: 'setup_links.end',
  input: { user_id: 'text', now: 'int' },
  key: ['user_id'],
  sql: `update setup_links set used_at = rows.now from rows
        where setup_links.user_id = rows.user_id and setup_links.used_at is null`,
})

/** A new password, or a new link to one, ends all links to set the password of a person. */
export const endResetLinks = operation({
  name: 'setup_links.end_resets',
  input: { person_id: 'text', now: 'int' },
  key: ['person_id'],
  sql: `update setup_links set used_at = rows.now from rows, members
        where members.person_id = rows.person_id and setup_links.user_id = members.id
          and setup_links.purpose = 'reset' and setup_links.used_at is null`,
})
