import { operation, query } from '../engine/operation.ts'

/** A message names a file; in the unit of the message. */
export const nameFile = operation({
  name: 'message_files.name',
  input: { media_id: 'text', message_id: 'text' },
  key: ['media_id', 'message_id'],
  sql: `insert into message_files (media_id, message_id) select media_id, message_id from rows where true
        on conflict (media_id, message_id) do nothing`,
})

/** A file is gone, and who named it with it. */
export const forgetFileNames = operation({
  name: 'message_files.forget',
  input: { media_id: 'text' },
  key: ['media_id'],
  sql: 'delete from message_files where media_id in (select media_id from rows)',
})

/**
 * Files that belong to a person: what they sent, and what was sent to nobody else. A brochure that went to thousands is
 * the account's own. `addresses` are the person's; a message without any belongs to a person who was erased before.
 */
export const findFilesOf = query({
  name: 'message_files.of_person',
  params: { message_ids: 'text[]', addresses: 'text[]' },
  returns: { media_id: 'text' },
  lane: 'list',
  sql: `select distinct f.media_id from message_files f join messages m on m.id = f.message_id
        where f.message_id in {list:message_ids} and (m.direction = 'inbound' or not exists (
          select 1 from message_files o join messages other on other.id = o.message_id
          where o.media_id = f.media_id and coalesce(other.phone, other.user_id) is not null
            and coalesce(other.phone, '') not in {list:addresses}
            and coalesce(other.user_id, '') not in {list:addresses}))`,
})
