import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

/** A person is the same subject of the same issuer, never an address. */
export const insertIdentity = operation({
  name: 'identities.insert',
  input: { issuer: 'text', subject: 'text', person_id: 'text', linked_at: 'int' },
  key: ['issuer', 'subject'],
  sql: `insert into identities (issuer, subject, person_id, linked_at)
        select issuer, subject, person_id, linked_at from rows`,
})

/** Also locks them: an identity that is removed meanwhile signs nobody in. */
export const requireIdentity = operation({
  name: 'identities.require',
  input: { issuer: 'text', subject: 'text', person_id: 'text' },
  key: ['issuer', 'subject'],
  returns: { issuer: 'text', subject: 'text' },
  required: true,
  sql: `update identities set linked_at = identities.linked_at from rows
        where identities.issuer = rows.issuer and identities.subject = rows.subject
          and identities.person_id = rows.person_id
        returning identities.issuer, identities.subject`,
})

export const findIdentity = query({
  name: 'identities.find',
  params: { issuer: 'text', subject: 'text' },
  returns: { person_id: 'text' },
  sql: 'select person_id from identities where issuer = :issuer and subject = :subject',
})

export const findIdentityOf = query({
  name: 'identities.of_person',
  params: { person_id: 'text' },
  returns: { issuer: 'text', subject: 'text', linked_at: 'int' },
  sql: 'select issuer, subject, linked_at from identities where person_id = :person_id',
})

export const deleteIdentity = operation({
  name: 'identities.delete',
  input: { person_id: 'text' },
  key: ['person_id'],
  sql: 'delete from identities where person_id in (select person_id from rows)',
})

/** Of a person who is a member of no account any more: the next invitation starts anew. */
export const deleteIdentityIfNowhere = operation({
  name: 'identities.delete_if_nowhere',
  input: { person_id: 'text' },
  key: ['person_id'],
  sql: `delete from identities where person_id in (select person_id from rows)
          and not exists (select 1 from people where people.id = identities.person_id
            and (people.joined > 0 or people.operator is not null))`,
})

/** What a flow that comes again under the same hash brings anew. */
const flowState = {
  purpose: 'text',
  bound: 'text?',
  nonce: 'text',
  verifier: 'text',
  return_to: 'text',
  expires_at: 'int',
} as const
const flowColumns = { state_hash: 'text', browser_hash: 'text', ...flowState } as const
export type FlowRow = RowOf<typeof flowColumns>
const columns = Object.keys(flowColumns).join(', ')

/** A browser that is away at the provider, or has come back and is asked for a code. */
export const insertFlow = operation({
  name: 'sign_in_flows.insert',
  input: flowColumns,
  key: ['state_hash'],
  sql: `insert into sign_in_flows (${columns}) select ${columns} from rows where true
        on conflict (state_hash) do update set ${Object.keys(flowState).map((name) => `${name} = excluded.${name}`)}`,
})

/** It is used once, by the browser that began it. */
export const takeFlow = operation({
  name: 'sign_in_flows.take',
  input: { state_hash: 'text', browser_hash: 'text', now: 'int' },
  key: ['state_hash'],
  returns: { state_hash: 'text' },
  required: true,
  sql: `delete from sign_in_flows where state_hash in (select state_hash from rows)
          and exists (select 1 from rows where rows.state_hash = sign_in_flows.state_hash
            and rows.browser_hash = sign_in_flows.browser_hash and rows.now < sign_in_flows.expires_at)
        returning state_hash`,
})

export const findFlow = query({
  name: 'sign_in_flows.find',
  params: { state_hash: 'text', browser_hash: 'text', now: 'int' },
  returns: flowColumns,
  sql: `select ${columns} from sign_in_flows
        where state_hash = :state_hash and browser_hash = :browser_hash and expires_at > :now`,
})

export const expireFlows = expireBefore({ table: 'sign_in_flows', key: ['state_hash'], time: 'expires_at' })
