import type { TableStatements } from './table-statements.ts'

/**
 * A person signs in once and is a member of one or more accounts. Accounts know the ids of their members (`usr_`), never
 * that of the person, which would show an account that its member is somewhere else too. Tokens of links and cookies are
 * stored as hashes: a stolen table signs nobody in.
 */
export const people: TableStatements = {
  statements: [
    // The two-factor secret is sealed and counts once two_factor_since is set; two_factor_step is the last 30-second step
    // whose code was used. accounts and joined count the members of the person, all and those that joined: a condition on
    // them locks this row. operator: null, 'named', or 'first' for the first owner until an operator is named.
    `create table people (
      id {key} primary key,
      email {key} unique,
      name text not null,
      password_hash text,
      two_factor_secret text,
      two_factor_since bigint,
      two_factor_step bigint,
      accounts bigint not null,
      joined bigint not null,
      operator {key},
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index people_operators on people (operator) where operator is not null',
    // name: what the account calls a person who has not joined.
    `create table members (
      id {key} primary key,
      account_id {key} not null,
      person_id {key} not null,
      name text not null,
      role text not null,
      joined_at bigint,
      entered_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      unique (account_id, person_id)
    )`,
    'create index members_person on members (person_id)',
    `create table recovery_codes (
      person_id {key} not null,
      code_mac {key} not null,
      used_at bigint,
      primary key (person_id, code_mac)
    )`,
    `create table setup_links (
      token_hash {key} primary key,
      user_id {key} not null,
      purpose text not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    'create index setup_links_age on setup_links (expires_at)',
    'create index setup_links_of_user on setup_links (user_id) where used_at is null',
    `create table sessions (
      id {key} primary key,
      token_hash {key} not null unique,
      person_id {key} not null,
      user_id {key} not null,
      account_id {key} not null,
      ip text,
      user_agent text,
      created_at bigint not null,
      last_seen_at bigint not null,
      expires_at bigint not null,
      confirmed_at bigint not null
    )`,
    'create index sessions_person on sessions (person_id)',
    'create index sessions_user on sessions (user_id)',
    'create index sessions_account on sessions (account_id, last_seen_at)',
    'create index sessions_age on sessions (expires_at)',
    'create index sessions_idle on sessions (last_seen_at)',
    // Who a person is at the provider of OpenID Connect.
    `create table identities (
      issuer {key} not null,
      subject {key} not null,
      person_id {key} not null unique,
      linked_at bigint not null,
      primary key (issuer, subject)
    )`,
    `create table sign_in_flows (
      state_hash {key} primary key,
      browser_hash {key} not null,
      purpose text not null,
      bound text,
      nonce text not null,
      verifier text not null,
      return_to text not null,
      expires_at bigint not null
    )`,
    'create index sign_in_flows_age on sign_in_flows (expires_at)',
    // What was sent to members, without address and text. status: waiting, sent, failed.
    `create table mails (
      id {key} primary key,
      account_id {key} not null,
      user_id {key} not null,
      kind {key} not null,
      status text not null,
      error text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index mails_account on mails (account_id, kind, user_id)',
    'create index mails_age on mails (created_at)',
    `create index mails_failed on mails (updated_at) where status = 'failed'`,
    // What a member is alerted of, and how. error: why the last alert to the address did not arrive.
    `create table alert_choices (
      user_id {key} primary key,
      account_id {key} not null,
      kinds text not null,
      mail bigint not null,
      url text,
      error text,
      failed_at bigint,
      updated_at bigint not null
    )`,
    'create index alert_choices_account on alert_choices (account_id)',
    // Attempts to sign in, by a keyed hash of who and from where: several processes count them together.
    `create table guesses (
      slot_key {key} primary key,
      tries bigint not null,
      open_at bigint not null
    )`,
    'create index guesses_age on guesses (open_at)',
  ],
}
