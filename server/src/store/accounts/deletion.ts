import { operation, query } from '../engine/operation.ts'
import { accountColumns } from './accounts.ts'

/** Accounts whose time has come, or whose deletion is under way. */
export const listDueDeletions = query({
  name: 'accounts.due_deletions',
  params: { now: 'int', count: 'int' },
  returns: accountColumns,
  sql: `select ${Object.keys(accountColumns).join(', ')} from accounts
        where delete_at is not null and delete_at <= :now order by delete_at, id limit :count`,
})

/** Planned, or taken back with nulls. Follows `updateAccount`, whose condition holds for both. */
export const setDeletion = operation({
  name: 'accounts.set_deletion',
  input: { id: 'text', delete_at: 'int?', delete_asked_by: 'text?' },
  key: ['id'],
  sql: `update accounts set delete_at = rows.delete_at, delete_asked_by = rows.delete_asked_by from rows
        where accounts.id = rows.id`,
})

/** From here on nothing takes it back. Fails where it was taken back, or has begun. */
export const beginDeletion = operation({
  name: 'accounts.begin_deletion',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update accounts set deleting_at = rows.now, updated_at = rows.now, revision = accounts.revision + 1
        from rows where accounts.id = rows.id and accounts.delete_at <= rows.now and accounts.deleting_at is null
        returning accounts.id`,
})

/** When the deletion last found a row: the account itself goes a while after. */
export const noteDeleted = operation({
  name: 'accounts.note_deleted',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: `update accounts set updated_at = rows.now from rows
        where accounts.id = rows.id and accounts.deleting_at is not null`,
})

export const endDeletion = operation({
  name: 'accounts.end_deletion',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: 'delete from accounts where id in (select id from rows) and deleting_at is not null returning id',
})

/** Members of an account with what has to go with them. */
export const membersToDelete = query({
  name: 'members.to_delete',
  params: { account_id: 'text', count: 'int' },
  returns: { id: 'text', person_id: 'text', joined: 'int' },
  sql: `select id, person_id, case when joined_at is null then 0 else 1 end as joined from members
        where account_id = :account_id order by id limit :count`,
})

/** The last owner too; the count of the person goes with it, once. */
export const dropMember = operation({
  name: 'members.drop',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: 'delete from members where id in (select id from rows) returning id',
})

/** Operators who could sign in nowhere without this account. */
export const operatorsOnlyHere = query({
  name: 'members.operators_only_here',
  params: { account_id: 'text' },
  returns: { name: 'text' },
  sql: `select p.name from members m join people p on p.id = m.person_id
        where m.account_id = :account_id and m.joined_at is not null and p.operator is not null and p.joined = 1
        order by p.name limit 3`,
})

/** Owners with an address that mail reaches. */
export const ownersToTell = query({
  name: 'members.owners_to_tell',
  params: { account_id: 'text' },
  returns: { user_id: 'text', email: 'text' },
  sql: `select m.id as user_id, p.email from members m join people p on p.id = m.person_id
        where m.account_id = :account_id and m.role = 'owner' and m.joined_at is not null and p.email is not null
        order by m.id limit 100`,
})

export const blobsToDelete = query({
  name: 'blobs.to_delete',
  params: { account_id: 'text', count: 'int' },
  returns: { id: 'text' },
  sql: 'select id from blobs where account_id = :account_id limit :count',
})

/** No file counts on it any more. */
export const abandonBlob = operation({
  name: 'blobs.abandon',
  input: { id: 'text' },
  key: ['id'],
  sql: 'update blobs set refs = 0 from rows where blobs.id = rows.id',
})

/** Bytes that are not removed yet. */
export const countBytesLeft = query({
  name: 'blobs.left_of_account',
  params: { account_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from loose_blobs where account_id = :account_id',
})
