import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

const newUserColumns = {
  id: 'text',
  account_id: 'text',
  email: 'text?',
  name: 'text',
  role: 'text',
  password_hash: 'text?',
  created_at: 'int',
  updated_at: 'int',
} as const
const userColumns = {
  ...newUserColumns,
  two_factor_secret: 'text?',
  two_factor_since: 'int?',
  two_factor_step: 'int?',
} as const

export type NewUserRow = RowOf<typeof newUserColumns>
export type UserRow = RowOf<typeof userColumns>
const newColumns = Object.keys(newUserColumns).join(', ')
const columns = Object.keys(userColumns).join(', ')

export const insertUser = operation({
  name: 'users.insert',
  input: newUserColumns,
  key: ['id'],
  sql: `insert into users (${newColumns}) select ${newColumns} from rows`,
})

// Each change sets its own columns and nothing else: a role taken away meanwhile stays away.

export const renameUser = operation({
  name: 'users.rename',
  input: { id: 'text', account_id: 'text', name: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set name = rows.name, updated_at = rows.now
        from rows where users.id = rows.id and users.account_id = rows.account_id returning users.id`,
})

/** By the person, who knew the one before: a password that was reset or changed meanwhile is not brought back. */
export const changePasswordHash = operation({
  name: 'users.change_password',
  input: { id: 'text', account_id: 'text', password_hash: 'text', hash_before: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set password_hash = rows.password_hash, updated_at = rows.now
        from rows where users.id = rows.id and users.account_id = rows.account_id
          and users.password_hash = rows.hash_before
        returning users.id`,
})

/**
 * The person still has the password and the second factor that were checked. It writes, though nothing new: the lock makes a
 * change of either wait, which then ends the session that this unit begins.
 */
export const requireCredentials = operation({
  name: 'users.require_credentials',
  input: { id: 'text', password_hash: 'text', two_factor_since: 'int?' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set updated_at = users.updated_at
        from rows where users.id = rows.id and users.password_hash = rows.password_hash
          and users.two_factor_since is not distinct from rows.two_factor_since
        returning users.id`,
})

/** Nobody signs in with the old password any more; a link leads to a new one. */
export const clearPassword = operation({
  name: 'users.clear_password',
  input: { id: 'text', account_id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set password_hash = null, updated_at = rows.now
        from rows where users.id = rows.id and users.account_id = rows.account_id returning users.id`,
})

/**
 * The person behind a link becomes this record; an email address that it has already stays. Only with the second factor
 * that was asked for: one that was switched on meanwhile asks for a code.
 */
export const takeOverUser = operation({
  name: 'users.take_over',
  input: {
    id: 'text',
    account_id: 'text',
    name: 'text',
    email: 'text?',
    password_hash: 'text',
    two_factor_since: 'int?',
    now: 'int',
  },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set name = rows.name, email = coalesce(users.email, rows.email),
          password_hash = rows.password_hash, updated_at = rows.now
        from rows where users.id = rows.id and users.account_id = rows.account_id
          and users.two_factor_since is not distinct from rows.two_factor_since
        returning users.id`,
})

export const findUser = query({
  name: 'users.find',
  params: { id: 'text' },
  returns: userColumns,
  sql: `select ${columns} from users where id = :id`,
})

export const findUserByEmail = query({
  name: 'users.by_email',
  params: { email: 'text' },
  returns: userColumns,
  sql: `select ${columns} from users where email = :email`,
})

/** The owner record exists from the start, long before anyone has signed in. */
export const findOwner = query({
  name: 'users.owner',
  params: { account_id: 'text' },
  returns: userColumns,
  sql: `select ${columns} from users where account_id = :account_id and role = 'owner' order by created_at, id limit 1`,
})

export const listUsers = query({
  name: 'users.list',
  params: { account_id: 'text' },
  returns: userColumns,
  lane: 'list',
  sql: `select ${columns} from users where account_id = :account_id order by created_at, id`,
})

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
