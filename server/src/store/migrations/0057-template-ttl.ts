import type { Migration } from './migration.ts'

/** For how long Meta tries to deliver messages of a template, where the template says so. */
export const templateTtl: Migration = {
  id: 57,
  name: 'template ttl',
  statements: ['alter table templates add column message_send_ttl_seconds bigint'],
}
