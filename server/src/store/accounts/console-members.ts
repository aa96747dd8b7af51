import { operation, query } from '../engine/operation.ts'

/** A person leaves; an owner only while another one stays. */
export const deleteMember = operation({
  name: 'users.delete',
  input: { id: 'text', account_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `delete from users where id in (select id from rows) and exists (
          select 1 from rows where rows.id = users.id and rows.account_id = users.account_id)
          and (role <> 'owner' or exists (select 1 from users other where other.account_id = users.account_id
            and other.role = 'owner' and other.id <> users.id and other.password_hash is not null))
        returning id`,
})

/** The last owner who can sign in keeps the role. */
export const changeMemberRole = operation({
  name: 'users.change_role',
  input: { id: 'text', account_id: 'text', role: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set role = rows.role, updated_at = rows.now from rows
        where users.id = rows.id and users.account_id = rows.account_id
          and (users.role <> 'owner' or rows.role = 'owner' or exists (select 1 from users other
            where other.account_id = users.account_id and other.role = 'owner' and other.id <> users.id
              and other.password_hash is not null))
        returning users.id`,
})

export const listOwnerNames = query({
  name: 'users.owner_names',
  params: { account_id: 'text' },
  returns: { name: 'text' },
  sql: `select name from users where account_id = :account_id and role = 'owner' order by created_at, id limit 3`,
})

/** Older invitations and reset links of a person end when a new one is made. */
export const endSetupLinks = operation({
  name: 'setup_links.end',
  input: { user_id: 'text', now: 'int' },
  key: ['user_id'],
  sql: `update setup_links set used_at = rows.now from rows
        where setup_links.user_id = rows.user_id and setup_links.used_at is null`,
})
