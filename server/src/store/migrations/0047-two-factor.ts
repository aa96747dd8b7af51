import type { Migration } from './migration.ts'

/**
 * Two-factor sign-in. The secret is sealed and counts once `two_factor_since` is set; `two_factor_step` is the last
 * 30-second step whose code was used. An account may require it of sessions that begin later.
 */
export const twoFactor: Migration = {
  id: 47,
  name: 'two factor',
  statements: [
    'alter table users add column two_factor_secret text',
    'alter table users add column two_factor_since bigint',
    'alter table users add column two_factor_step bigint',
    'alter table accounts add column two_factor_required_at bigint',
    `create table recovery_codes (
      user_id {key} not null,
      code_mac {key} not null,
      used_at bigint,
      primary key (user_id, code_mac)
    )`,
  ],
}
