import { AppError } from '../../contract/app-error.ts'
import type { Plan } from '../../contract/plans.ts'
import { plans } from '../../contract/plans.ts'
import { addressKey } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../../store/accounts/accounts.ts'
import { type BroadcastRow, beginUpload, leaseUpload } from '../../store/broadcasts/broadcasts.ts'
import { findGroups, readAddresses } from '../../store/broadcasts/recipients.ts'
import { dropReceiving, insertUpload, type UploadRow } from '../../store/broadcasts/uploads.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import { AddressSet } from './address-set.ts'
import { groupsMax, Intake, type Upload, type UploadOptions, uploadLeaseMs } from './intake.ts'

/**
 * Recipients as they stream in: checked line by line, stored in groups by country and time zone, and part of the broadcast
 * with the last unit. What breaks off before that was never there.
 */
export async function uploadRecipients(rt: Runtime, upload: Upload, options: UploadOptions) {
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

/** Who is in the broadcast already. */
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
