import { operation, query, type RowOf } from '../engine/operation.ts'
import { personColumns } from './people.ts'

const memberColumns = {
  id: 'text',
  account_id: 'text',
  person_id: 'text',
  name: 'text',
  role: 'text',
  joined_at: 'int?',
  created_at: 'int',
  updated_at: 'int',
} as const

export type MemberRow = RowOf<typeof memberColumns>
const newColumns = Object.keys(memberColumns).join(', ')

/** A member with the person behind it. Until they join, the account sees the name it gave them. */
const userColumns = {
  ...memberColumns,
  email: personColumns.email,
  password_hash: personColumns.password_hash,
  two_factor_secret: personColumns.two_factor_secret,
  two_factor_since: personColumns.two_factor_since,
  two_factor_step: personColumns.two_factor_step,
  operator: personColumns.operator,
} as const

export type UserRow = RowOf<typeof userColumns>
const columns = `m.id, m.account_id, m.person_id, case when m.joined_at is null then m.name else p.name end as name, m.role,
          m.joined_at, m.created_at, m.updated_at, p.email, p.password_hash, p.two_factor_secret, p.two_factor_since,
          p.two_factor_step, p.operator`
const tables = 'members m join people p on p.id = m.person_id'

export const insertMember = operation({
  name: 'members.insert',
  input: memberColumns,
  key: ['id'],
  sql: `insert into members (${newColumns}) select ${newColumns} from rows`,
})

const anotherOwner = `exists (select 1 from members other where other.account_id = members.account_id
            and other.role = 'owner' and other.id <> members.id and other.joined_at is not null)`

/** A person takes up an invitation. */
export const joinMember = operation({
  name: 'members.join',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update members set joined_at = rows.now, entered_at = rows.now, updated_at = rows.now
        from rows where members.id = rows.id and members.joined_at is null returning members.id`,
})

/** A person whose sign-in exists already takes the place of a record that nobody has taken over. */
export const moveMember = operation({
  name: 'members.move',
  input: { id: 'text', person_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update members set person_id = rows.person_id
        from rows where members.id = rows.id returning members.id`,
})

/** A member has to join anew; an owner only while another one stays. */
export const suspendMember = operation({
  name: 'members.suspend',
  input: { id: 'text', name: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update members set joined_at = null, name = rows.name, updated_at = rows.now from rows
        where members.id = rows.id and members.joined_at is not null
          and (members.role <> 'owner' or ${anotherOwner})
        returning members.id`,
})

/** The account that a person enters at the next sign-in. */
export const enterMember = operation({
  name: 'members.enter',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update members set entered_at = rows.now
        from rows where members.id = rows.id and members.joined_at is not null returning members.id`,
})

/** A person leaves; an owner only while another one stays. `was_joined`: as it was read, for the count of the person. */
export const deleteMember = operation({
  name: 'members.delete',
  input: { id: 'text', account_id: 'text', was_joined: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `delete from members where id in (select id from rows) and exists (
          select 1 from rows where rows.id = members.id and rows.account_id = members.account_id
            and rows.was_joined = case when members.joined_at is null then 0 else 1 end)
          and (role <> 'owner' or ${anotherOwner})
        returning id`,
})

/** The last owner who can sign in keeps the role. */
export const changeMemberRole = operation({
  name: 'members.change_role',
  input: { id: 'text', account_id: 'text', role: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update members set role = rows.role, updated_at = rows.now from rows
        where members.id = rows.id and members.account_id = rows.account_id
          and (members.role <> 'owner' or rows.role = 'owner' or ${anotherOwner})
        returning members.id`,
})

export const findUser = query({
  name: 'members.find',
  params: { id: 'text' },
  returns: userColumns,
  sql: `select ${columns} from ${tables} where m.id = :id`,
})

/** The person who signs in with an address, in the account they were in last; one they have yet to join comes after all others. */
export const findUserByEmail = query({
  name: 'members.by_email',
  params: { email: 'text' },
  returns: userColumns,
  sql: `select ${columns} from ${tables} join accounts a on a.id = m.account_id where p.email = :email
        order by case when m.joined_at is null then 1 else 0 end, case when a.status = 'active' then 0 else 1 end,
          m.entered_at desc, m.id
        limit 1`,
})

/** The same person by their id, as `findUserByEmail` finds them. */
export const findUserOfPerson = query({
  name: 'members.by_person',
  params: { person_id: 'text' },
  returns: userColumns,
  sql: `select ${columns} from ${tables} join accounts a on a.id = m.account_id where p.id = :person_id
        order by case when m.joined_at is null then 1 else 0 end, case when a.status = 'active' then 0 else 1 end,
          m.entered_at desc, m.id
        limit 1`,
})

/** The accounts of a person. */
export const listAccountsOf = query({
  name: 'members.accounts_of',
  params: { person_id: 'text' },
  returns: { user_id: 'text', account_id: 'text', name: 'text', role: 'text', status: 'text' },
  sql: `select m.id as user_id, a.id as account_id, a.name, m.role, a.status
        from members m join accounts a on a.id = m.account_id
        where m.person_id = :person_id and m.joined_at is not null order by a.name, a.id limit 200`,
})

/** The owner record exists from the start, long before anyone has signed in. */
export const findOwner = query({
  name: 'members.owner',
  params: { account_id: 'text' },
  returns: userColumns,
  sql: `select ${columns} from ${tables} where m.account_id = :account_id and m.role = 'owner'
        order by m.created_at, m.id limit 1`,
})

export const listUsers = query({
  name: 'members.list',
  params: { account_id: 'text' },
  returns: userColumns,
  lane: 'list',
  sql: `select ${columns} from ${tables} where m.account_id = :account_id order by m.created_at, m.id`,
})

export const listOwnerNames = query({
  name: 'members.owner_names',
  params: { account_id: 'text' },
  returns: { name: 'text' },
  sql: `select case when m.joined_at is null then m.name else p.name end as name from ${tables}
        where m.account_id = :account_id and m.role = 'owner' order by m.created_at, m.id limit 3`,
})
