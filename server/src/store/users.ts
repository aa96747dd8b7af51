import { operation, query, type RowOf } from './operation.ts'

export const userColumns = {
  id: 'text',
  account_id: 'text',
  email: 'text?',
  name: 'text',
  role: 'text',
  password_hash: 'text?',
  created_at: 'int',
  updated_at: 'int',
} as const

export type UserRow = RowOf<typeof userColumns>
const columns = Object.keys(userColumns).join(', ')

export const insertUser = operation({
  name: 'users.insert',
  input: userColumns,
  key: ['id'],
  sql: `insert into users (${columns}) select ${columns} from rows`,
})

export const updateUser = operation({
  name: 'users.update',
  input: userColumns,
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update users set email = rows.email, name = rows.name, role = rows.role, password_hash = rows.password_hash,
          updated_at = rows.updated_at
        from rows where users.id = rows.id and users.account_id = rows.account_id returning users.id`,
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
