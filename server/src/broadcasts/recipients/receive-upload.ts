import { requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { csvLine } from '../../lib/text/csv.ts'
import type { Runtime } from '../../runtime.ts'
import type { BroadcastRow } from '../../store/broadcasts/broadcasts.ts'
import { findUpload, readProblems } from '../../store/broadcasts/uploads.ts'
import { requireSendableTemplate } from '../../templates/find-template.ts'
import { type Owner, patternOf, requireBroadcast } from '../broadcast.ts'
import { refusingOf } from '../estimate.ts'
import type { LineProblem } from './check-row.ts'
import type { UploadOptions } from './intake.ts'
import type { RowSource } from './read-rows.ts'
import { uploadRecipients } from './upload-recipients.ts'

/** Adds recipients to a draft. */
export async function receiveUpload(rt: Runtime, owner: Owner, id: string, source: RowSource, options: UploadOptions) {
  const row = await requireBroadcast(rt, owner, id)
  if (row.status !== 'draft') {
    throw new AppError('broadcast_state', `The broadcast is ${row.status}. Recipients can be added to a draft only.`)
  }
  const taken = await uploadTo(rt, row, source, options)
  // An upload is followed by a look at the estimate.
  if (!options.dryRun) {
    requireBroadcast(rt, owner, id)
      .then((filled) => refusingOf(rt, filled))
      .catch((error: unknown) => rt.log.warn({ err: error, broadcast_id: id }, 'broadcast.not_estimated'))
  }
  return taken
}

export async function uploadTo(rt: Runtime, row: BroadcastRow, source: RowSource, options: UploadOptions) {
  const number = await requireNumber(rt, row.account_id, { from: row.number_id })
  const template = await requireSendableTemplate(rt, number, { name: row.template, language: row.language })
  return uploadRecipients(rt, { broadcast: row, template, pattern: patternOf(row), source }, options)
}

/** Every line of an upload that was not taken, as CSV. */
export async function readUploadProblems(
  rt: Runtime,
  owner: Owner,
  { broadcast_id, upload_id }: { broadcast_id: string; upload_id: string },
): Promise<AsyncGenerator<string>> {
  const row = await requireBroadcast(rt, owner, broadcast_id)
  const [upload] = await rt.store.read(findUpload, { broadcast_id: row.id, id: upload_id })
  if (!upload) throw new AppError('upload_not_found', 'This broadcast has no upload with this id.')
  return linesOf(rt, upload_id)
}

async function* linesOf(rt: Runtime, upload_id: string): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(['line', 'column', 'code', 'message'])}`
  for (let page = 0; ; page++) {
    const [stored] = await rt.store.read(readProblems, { upload_id, page })
    if (!stored) return
    const problems = JSON.parse(stored.problems) as LineProblem[]
    yield problems.map(({ line, column, code, message }) => csvLine([line, column, code, message])).join('')
  }
}
