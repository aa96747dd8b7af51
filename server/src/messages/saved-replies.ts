import { type Author, writeAudited } from '../audit/audit.ts'
import { AppError, validationFailed } from '../contract/app-error.ts'
import { savedRepliesMax } from '../contract/messages/conversations.ts'
import { bodyProblem } from '../contract/schema.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import {
  deleteSavedReply,
  insertSavedReply,
  listSavedReplyRows,
  type SavedReplyRow,
  updateSavedReply,
} from '../store/messages/saved-replies.ts'

type Content = { shortcut: string; text: string }

/** All of them, by shortcut. */
export async function listSavedReplies(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(listSavedReplyRows, { account_id: accountId })
  return { saved_replies: rows.map(describe) }
}

function describe({ id, shortcut, text, updated_at }: SavedReplyRow) {
  return { saved_reply_id: id, shortcut, text, updated_at: formatInstant(updated_at) }
}

export async function createSavedReply(rt: Runtime, accountId: string, content: Content, author: Author) {
  const row = rowOf(rt, accountId, rt.newId('rpl'), content)
  await unlessTaken(
    row,
    new AppError('saved_reply_limit_reached', `The account has ${savedRepliesMax} saved replies.`),
    writeAudited(rt, entryAbout(row, 'saved_reply.created', author), (unit) =>
      unit.add(insertSavedReply, { ...row, most: savedRepliesMax }),
    ),
  )
  return describe(row)
}

export async function changeSavedReply(
  rt: Runtime,
  accountId: string,
  { id, ...content }: Content & { id: string },
  author: Author,
) {
  const row = rowOf(rt, accountId, id, content)
  await unlessTaken(
    row,
    notFound(),
    writeAudited(rt, entryAbout(row, 'saved_reply.changed', author), (unit) => unit.add(updateSavedReply, row)),
  )
  return describe(row)
}

export async function removeSavedReply(rt: Runtime, accountId: string, id: string, author: Author) {
  const rows = await rt.store.read(listSavedReplyRows, { account_id: accountId })
  const row = rows.find((one) => one.id === id)
  if (!row) throw notFound()
  await unlessTaken(
    row,
    notFound(),
    writeAudited(rt, entryAbout(row, 'saved_reply.deleted', author), (unit) =>
      unit.add(deleteSavedReply, { id, account_id: accountId }),
    ),
  )
  return { saved_reply_id: id, deleted: true as const }
}

const notFound = () => new AppError('saved_reply_not_found', 'The account has no such saved reply.')

/** Shortcuts are typed in a hurry: their capitals do not matter. */
function rowOf(rt: Runtime, accountId: string, id: string, { shortcut, text }: Content): SavedReplyRow {
  const now = rt.clock.now()
  return { id, account_id: accountId, shortcut: shortcut.toLowerCase(), text: text.trim(), updated_at: now }
}

function entryAbout({ id, account_id, shortcut }: SavedReplyRow, action: string, author: Author) {
  return { ...author, accountId: account_id, action, targets: [{ type: 'saved_reply', id, name: `/${shortcut}` }] }
}

async function unlessTaken({ shortcut }: SavedReplyRow, failed: AppError, change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (error instanceof ConditionFailed) throw failed
    if (!(error instanceof UniqueViolation && error.table === 'saved_replies')) throw error
    const message = `There is a saved reply /${shortcut} already. Choose another word, or change that one.`
    throw validationFailed([bodyProblem('shortcut', 'duplicate', message)])
  }
}
