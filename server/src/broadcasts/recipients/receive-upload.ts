import { requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Plan, plans } from '../../contract/plans.ts'
import { addressKey } from '../../lib/phone.ts'
import { csvLine } from '../../lib/text/csv.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../../store/accounts/accounts.ts'
import { type BroadcastRow, beginUpload, leaseUpload } from '../../store/broadcasts/broadcasts.ts'
import { findGroups, readAddresses } from '../../store/broadcasts/recipients.ts'
import {
  dropReceiving,
  findUpload,
  insertUpload,
  readProblems,
  type UploadRow,
} from '../../store/broadcasts/uploads.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import { requireSendableTemplate } from '../../templates/find-template.ts'
import { type Owner, patternOf, requireBroadcast } from '../broadcast.ts'
import { refusingOf } from '../estimate.ts'
import { AddressSet } from './address-set.ts'
import type { LineProblem } from './check-row.ts'
import { groupsMax, Intake, type Upload, type UploadOptions, uploadLeaseMs } from './intake.ts'
import type { RowSource } from './read-rows.ts'

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

/**
 * Recipients as they stream in: checked line by line, stored in groups by country and time zone, and part of the broadcast
 * with the last unit. What breaks off before that was never there.
 */
async function uploadRecipients(rt: Runtime, upload: Upload, options: UploadOptions) {
  const { broadcast, source } = upload
  const max = await recipientsMax(rt, broadcast.account_id)
  const receiving = options.dryRun ? null : await begin(rt, broadcast)
  const addresses = new AddressSet()
  try {
    const before = options.replace ? 0 : await readKnown(rt, broadcast, addresses)
    const intake = new Intake(rt, upload, { receiving, addresses, room: max - before })
    for await (const rows of source.rows) await intake.take(rows)
    return await intake.finish(options)
  } catch (error) {
    if (receiving) await giveUp(rt, broadcast).catch(() => {})
    if (error instanceof ConditionFailed) throw notTaken()
    throw error
  }
}

async function recipientsMax(rt: Runtime, accountId: string): Promise<number> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  return plans[(account?.plan ?? 'free') as Plan].broadcastRecipients
}

function notTaken(): AppError {
  return new AppError('broadcast_state', 'The broadcast was started or changed during the upload. Nothing was added.')
}

async function begin(rt: Runtime, { id, account_id }: BroadcastRow): Promise<UploadRow> {
  const now = rt.clock.now()
  const unit = new Unit()
  const call = unit.add(beginUpload, { id, count: groupsMax, now, until: now + uploadLeaseMs })
  unit.add(dropReceiving, { broadcast_id: id })
  const result = await rt.store.write(unit).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('upload_in_progress', 'Another upload to this broadcast is running.')
  })
  const last_group = result.first(call)?.next_group ?? 0
  const row: UploadRow = {
    id: rt.newId('upl'),
    broadcast_id: id,
    account_id,
    state: 'receiving',
    lease_until: now + uploadLeaseMs,
    first_group: last_group - groupsMax,
    last_group,
    columns: '[]',
    lines: 0,
    accepted: 0,
    invalid: 0,
    duplicates: 0,
    created_at: now,
  }
  await rt.store.write(unitOf(insertUpload, row))
  return row
}

async function giveUp(rt: Runtime, { id }: BroadcastRow): Promise<void> {
  const unit = new Unit()
  unit.add(dropReceiving, { broadcast_id: id })
  unit.add(leaseUpload, { id, until: null })
  await rt.store.write(unit)
}

const pageOfAddresses = 5_000

/** The recipients already in the broadcast. */
async function readKnown(rt: Runtime, { id: broadcast_id }: BroadcastRow, addresses: AddressSet): Promise<number> {
  let known = 0
  for (const { group_no } of await rt.store.read(findGroups, { broadcast_id })) {
    for (let after = 0; ; ) {
      const rows = await rt.store.read(readAddresses, { broadcast_id, group_no, after, count: pageOfAddresses })
      for (const { address } of rows) if (addresses.add(addressKey(address))) known++
      after = rows.at(-1)?.place ?? 0
      if (rows.length < pageOfAddresses) break
    }
  }
  return known
}
