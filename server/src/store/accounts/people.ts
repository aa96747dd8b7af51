import { operation, query, type RowOf } from '../engine/operation.ts'

export const newPersonColumns = {
  id: 'text',
  email: 'text?',
  name: 'text',
  password_hash: 'text?',
  accounts: 'int',
  joined: 'int',
  operator: 'text?',
  created_at: 'int',
  updated_at: 'int',
} as const
export const personColumns = {
  ...newPersonColumns,
  two_factor_secret: 'text?',
  two_factor_since: 'int?',
  two_factor_step: 'int?',
} as const

export type PersonRow = RowOf<typeof personColumns>
const newColumns = Object.keys(newPersonColumns).join(', ')
const columns = Object.keys(personColumns).join(', ')

export const insertPerson = operation({
  name: 'people.insert',
  input: newPersonColumns,
  key: ['id'],
  sql: `insert into people (${newColumns}) select ${newColumns} from rows`,
})

// Each change sets its own columns and nothing else.

export const renamePerson = operation({
  name: 'people.rename',
  input: { id: 'text', name: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set name = rows.name, updated_at = rows.now
        from rows where people.id = rows.id returning people.id`,
})

/** By the person, who knew the one before: a password that was reset or changed meanwhile is not brought back. */
export const changePasswordHash = operation({
  name: 'people.change_password',
  input: { id: 'text', password_hash: 'text', hash_before: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set password_hash = rows.password_hash, updated_at = rows.now
        from rows where people.id = rows.id and people.password_hash = rows.hash_before
        returning people.id`,
})

/**
 * The person still has the password and the second factor that were checked. It writes, though nothing new: the lock makes a
 * change of either wait, which then ends the session that this unit begins.
 */
export const requireCredentials = operation({
  name: 'people.require_credentials',
  input: { id: 'text', password_hash: 'text', two_factor_since: 'int?' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set updated_at = people.updated_at
        from rows where people.id = rows.id and people.password_hash = rows.password_hash
          and people.two_factor_since is not distinct from rows.two_factor_since
        returning people.id`,
})

/** Nobody signs in with the old password any more; a link leads to a new one. */
export const clearPassword = operation({
  name: 'people.clear_password',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set password_hash = null, updated_at = rows.now
        from rows where people.id = rows.id returning people.id`,
})

/**
 * Password and second factor of a person who is a member of no account any more go: the next invitation starts anew. Those
 * of a person who is elsewhere, or an operator, are not for one account to end.
 */
export const clearIfNowhere = operation({
  name: 'people.clear_if_nowhere',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `update people set password_hash = null, two_factor_secret = null, two_factor_since = null, two_factor_step = null,
          updated_at = rows.now
        from rows where people.id = rows.id and people.joined = 0 and people.operator is null
        returning people.id`,
})

/**
 * A person sets a password behind a link; an email address that they have already stays. Only with the second factor that
 * was asked for: one that was switched on meanwhile asks for a code. An invitation (`only_new`) sets the password of nobody
 * who has one, or who joined an account.
 */
export const takeOverPerson = operation({
  name: 'people.take_over',
  input: {
    id: 'text',
    name: 'text',
    email: 'text?',
    password_hash: 'text',
    two_factor_since: 'int?',
    only_new: 'int',
    now: 'int',
  },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set name = rows.name, email = coalesce(people.email, rows.email),
          password_hash = rows.password_hash, updated_at = rows.now
        from rows where people.id = rows.id
          and people.two_factor_since is not distinct from rows.two_factor_since
          and (rows.only_new = 0 or (people.password_hash is null and people.joined = 0))
        returning people.id`,
})

/** A person nobody has met yet joins without a password. */
export const claimPerson = operation({
  name: 'people.claim',
  input: { id: 'text', name: 'text', email: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set name = rows.name, email = coalesce(people.email, rows.email), updated_at = rows.now
        from rows where people.id = rows.id and people.password_hash is null and people.joined = 0
        returning people.id`,
})

/** A member more or less; together with the change of the member. */
export const countMembers = operation({
  name: 'people.count_members',
  input: { id: 'text', accounts: 'int', joined: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set accounts = people.accounts + rows.accounts, joined = people.joined + rows.joined
        from rows where people.id = rows.id returning people.id`,
})

/** Who belongs to no account any more is forgotten. */
export const deleteIfAlone = operation({
  name: 'people.delete_if_alone',
  input: { id: 'text' },
  key: ['id'],
  sql: 'delete from people where id in (select id from rows) and accounts = 0',
})

export const findPerson = query({
  name: 'people.find',
  params: { id: 'text' },
  returns: personColumns,
  sql: `select ${columns} from people where id = :id`,
})

export const findPersonByEmail = query({
  name: 'people.by_email',
  params: { email: 'text' },
  returns: personColumns,
  sql: `select ${columns} from people where email = :email`,
})

/** Whether a person can sign in at all. */
export const findAnyJoined = query({
  name: 'people.any_joined',
  params: {},
  returns: { id: 'text' },
  lane: 'list',
  sql: 'select id from people where joined > 0 limit 1',
})
