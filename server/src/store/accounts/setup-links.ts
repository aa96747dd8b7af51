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

const sessionColumns = {
  id: 'text',
  token_hash: 'text',
  person_id: 'text',
  user_id: 'text',
  account_id: 'text',
  ip: 'text?',
  user_agent: 'text?',
  created_at: 'int',
  last_seen_at: 'int',
  expires_at: 'int',
  confirmed_at: 'int',
} as const

const columns = Object.keys(sessionColumns).join(', ')

export const insertSession = operation({
  name: 'sessions.insert',
  input: sessionColumns,
  key: ['id'],
  sql: `insert into sessions (${columns}) select ${columns} from rows`,
})

/** Everything a request of the console needs to know about who sends it, in one read. */
export const findSession = query({
  name: 'sessions.find',
  params: { token_hash: 'text' },
  returns: {
    id: 'text',
    person_id: 'text',
    user_id: 'text',
    account_id: 'text',
    created_at: 'int',
    last_seen_at: 'int',
    expires_at: 'int',
    confirmed_at: 'int',
    user_name: 'text',
    user_email: 'text?',
    user_role: 'text',
    operator: 'text?',
    account_name: 'text',
    account_plan: 'text',
    account_status: 'text',
    two_factor_since: 'int?',
    two_factor_required_at: 'int?',
  },
  sql: `select s.id, s.person_id, s.user_id, s.account_id, s.created_at, s.last_seen_at, s.expires_at, s.confirmed_at,
          p.name as user_name, p.email as user_email, m.role as user_role, p.operator, p.two_factor_since,
          a.name as account_name, a.plan as account_plan, a.status as account_status, a.two_factor_required_at
        from sessions s join members m on m.id = s.user_id and m.joined_at is not null
          join people p on p.id = s.person_id join accounts a on a.id = s.account_id
        where s.token_hash = :token_hash`,
})

export const touchSession = operation({
  name: 'sessions.touch',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: 'update sessions set last_seen_at = rows.now from rows where sessions.id = rows.id',
})

/** The password was given again. */
export const confirmSession = operation({
  name: 'sessions.confirm',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: 'update sessions set confirmed_at = rows.now, last_seen_at = rows.now from rows where sessions.id = rows.id',
})

/** Of the account, or of the person themselves. */
export const deleteSession = operation({
  name: 'sessions.delete',
  input: { id: 'text', account_id: 'text', person_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `delete from sessions where id in (select id from rows) and exists (
          select 1 from rows where rows.id = sessions.id
            and (rows.account_id = sessions.account_id or rows.person_id = sessions.person_id)) returning id`,
})

/** Every session of a person but one, in all accounts; `keep_id` is empty when none is to stay. */
export const deleteSessionsOfPerson = operation({
  name: 'sessions.delete_of_person',
  input: { person_id: 'text', keep_id: 'text' },
  key: ['person_id'],
  sql: `delete from sessions where person_id in (select person_id from rows) and exists (
          select 1 from rows where rows.person_id = sessions.person_id and rows.keep_id <> sessions.id)`,
})

/** Every session of a member: those of the person in other accounts stay. */
export const deleteSessionsOfMember = operation({
  name: 'sessions.delete_of_member',
  input: { user_id: 'text' },
  key: ['user_id'],
  sql: 'delete from sessions where user_id in (select user_id from rows)',
})

/** Those of the account if `all` is 1, and those of the person in every account. */
export const listSessions = query({
  name: 'sessions.list',
  params: { account_id: 'text', all: 'int', person_id: 'text', idle_before: 'int', now: 'int' },
  returns: {
    id: 'text',
    user_id: 'text',
    user_name: 'text',
    account_name: 'text',
    ip: 'text?',
    user_agent: 'text?',
    created_at: 'int',
    last_seen_at: 'int',
  },
  lane: 'list',
  sql: `select s.id, s.user_id, p.name as user_name, a.name as account_name, s.ip, s.user_agent, s.created_at,
          s.last_seen_at
        from sessions s join people p on p.id = s.person_id join accounts a on a.id = s.account_id
        where ((s.account_id = :account_id and :all = 1) or s.person_id = :person_id)
          and s.last_seen_at > :idle_before and s.expires_at > :now
        order by s.last_seen_at desc, s.id limit 200`,
})

/** What has ended cannot sign anyone in; some of it goes whenever a person signs in. */
export const expireSessions = operation({
  name: 'sessions.expire',
  input: { idle_before: 'int', now: 'int' },
  alone: true,
  sql: `delete from sessions where id in (
          select id from (select id from sessions where expires_at < (select now from rows) limit 100) ended
          union all
          select id from (select id from sessions where last_seen_at < (select idle_before from rows) limit 100) idle)`,
})
