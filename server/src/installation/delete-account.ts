import { type Actor, gateway, installationLog, writeAudited } from '../audit/audit.ts'
import { disconnectChannel } from '../connect/console-channels.ts'
import { AppError } from '../contract/app-error.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { removeLooseBlobs } from '../media/blobs/loose-blobs.ts'
import { addMail, mayMail } from '../people/mail.ts'
import type { Runtime } from '../runtime.ts'
import { accountRows } from '../store/account-rows.ts'
import { type AccountRow, findAccount, updateAccount } from '../store/accounts/accounts.ts'
import { touchAccountEpochs } from '../store/accounts/api-keys.ts'
import {
  abandonBlob,
  beginDeletion,
  blobsToDelete,
  countBytesLeft,
  dropMember,
  endDeletion,
  listDueDeletions,
  membersToDelete,
  noteDeleted,
  operatorsOnlyHere,
  ownersToTell,
  setDeletion,
} from '../store/accounts/deletion.ts'
import { deleteIdentityIfNowhere } from '../store/accounts/identities.ts'
import { clearIfNowhere, countMembers, deleteIfAlone } from '../store/accounts/people.ts'
import { deleteRecoveryCodesIfOff } from '../store/accounts/two-factor.ts'
import { listChannels } from '../store/channels/channels.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { dropUnusedBlob, loosenUnusedBlob } from '../store/media/blobs.ts'
import { forgetPlatformUploads } from '../store/media/media.ts'

/** From the request to the deletion: time to export, and to change one's mind. */
export const graceMs = 7 * dayMs
/** By then, requests in flight when the account was closed have ended on every node. */
const quietMs = minuteMs
const portion = 500
/** In one run of the job: a few seconds of work, then others have their turn. */
const portionsMax = 200
const accountsAtOnce = 20

/**
 * Suspends an account at once and says when it will be deleted. `changeAccount` takes it back until then. Null: there is
 * no such account.
 */
export async function planDeletion(rt: Runtime, accountId: string, actor: Actor): Promise<AccountRow | null> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  if (!account || account.deleting_at !== null) return null
  if (account.delete_at !== null) return account
  await requireOperatorsElsewhere(rt, account)
  const now = rt.clock.now()
  const next = { ...account, status: 'suspended', delete_at: now + graceMs, delete_asked_by: actor.name }
  const day = formatInstant(next.delete_at)
  const told = await ownersByMail(rt, account, `${account.name} will be deleted on ${day}`, [
    `The operator of the gateway is deleting the account ${account.name}. It is suspended from now on, and on ${day} all its data is permanently deleted.`,
    `Until then you can sign in, read everything and export it: ${rt.urls.console}/`,
    'To keep the account, ask the operator of the gateway before that time.',
  ])
  const entry = { accountId, action: 'account.deletion_planned', actor, targets: [targetOf(account)] }
  await unlessChanged(
    writeAudited(rt, { ...entry, metadata: { from: account.status, delete_at: day } }, (unit) => {
      unit.add(updateAccount, { ...next, now })
      unit.add(setDeletion, { id: accountId, delete_at: next.delete_at, delete_asked_by: actor.name })
      unit.add(touchAccountEpochs, { account_id: accountId })
      told(unit)
    }),
  )
  return next
}

/** The deletion is canceled; the owners were notified of it, so they are notified again. */
export function keptByMail(rt: Runtime, account: AccountRow): Promise<(unit: Unit) => void> {
  return ownersByMail(rt, account, `${account.name} will not be deleted`, [
    `The operator of the gateway canceled the deletion of the account ${account.name}. Nothing was deleted.`,
    `Look: ${rt.urls.console}/`,
  ])
}

async function ownersByMail(rt: Runtime, { id }: AccountRow, subject: string, lines: readonly string[]) {
  const owners = await rt.store.read(ownersToTell, { account_id: id })
  const reached: typeof owners = []
  for (const owner of owners) if (await mayMail(rt, owner.email)) reached.push(owner)
  return (unit: Unit) => {
    for (const { user_id: userId, email: to } of reached) {
      addMail(rt, unit, { accountId: id, userId, kind: 'account', to, subject, lines })
    }
  }
}

async function requireOperatorsElsewhere(rt: Runtime, { id, name }: AccountRow): Promise<void> {
  const only = await rt.store.read(operatorsOnlyHere, { account_id: id })
  if (only.length === 0) return
  const names = only.map((one) => one.name).join(', ')
  throw new AppError('operator_only_here', `${names}: operator of the gateway, and a member of ${name} only.`)
}

const targetOf = ({ id, name }: AccountRow) => ({ type: 'account', id, name })

/** Another operator decided at the same moment. */
export async function unlessChanged<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('concurrent_change', 'The account was changed at the same time. Reload it, then try again.')
  }
}

/**
 * The regular job. An account whose time has come is closed; after a moment of quiet its rows and files go in portions; when a
 * while after the last of them nothing is left anywhere, the account itself goes. Each step is one unit, and what is left tells
 * the next run where to go on: it may be killed anywhere, and run twice.
 */
export async function deleteDueAccounts(rt: Runtime): Promise<'done' | { againAt: number }> {
  const due = await rt.store.read(listDueDeletions, { now: rt.clock.now(), count: accountsAtOnce })
  const steps = { left: portionsMax }
  let againAt: number | null = null
  for (const account of due) {
    const at = await deleteStep(rt, account, steps)
    if (at !== null) againAt = Math.min(at, againAt ?? at)
  }
  return againAt === null ? 'done' : { againAt }
}

type Steps = { left: number }

/** Null: nothing is to be done for this account soon. */
async function deleteStep(rt: Runtime, account: AccountRow, steps: Steps): Promise<number | null> {
  const now = rt.clock.now()
  if (account.deleting_at === null) return (await begin(rt, account)) ? now + quietMs : null
  await closeChannels(rt, account)
  const quietAt = account.deleting_at + quietMs
  if (now < quietAt) return quietAt
  const found = await deletePass(rt, account.id, steps)
  if (found > 0) await rt.store.write(unitOf(noteDeleted, { id: account.id, now: rt.clock.now() }))
  if (steps.left <= 0) return rt.clock.now()
  if (found > 0 || now < account.updated_at + quietMs) return rt.clock.now() + quietMs
  await end(rt, account)
  return null
}

async function begin(rt: Runtime, account: AccountRow): Promise<boolean> {
  if ((await rt.store.read(operatorsOnlyHere, { account_id: account.id })).length > 0) {
    rt.log.error({ account_id: account.id }, 'account.deletion_blocked')
    return false
  }
  const actor: Actor = { type: 'operator', id: null, name: account.delete_asked_by ?? 'Operator' }
  return noteInLog(rt, account, actor, 'account.deletion_begun', (unit) =>
    unit.add(beginDeletion, { id: account.id, now: rt.clock.now() }),
  )
}

async function end(rt: Runtime, account: AccountRow): Promise<void> {
  await noteInLog(rt, account, gateway, 'account.deleted', (unit) => unit.add(endDeletion, { id: account.id }))
  await rt.store.dropRemains()
  rt.log.info({ account_id: account.id }, 'account.deleted')
}

/** False: another node was first, or it was taken back. */
async function noteInLog(
  rt: Runtime,
  account: AccountRow,
  actor: Actor,
  action: string,
  build: (unit: Unit) => void,
): Promise<boolean> {
  try {
    await writeAudited(rt, { accountId: installationLog, action, actor, targets: [targetOf(account)] }, build)
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** Meta is asked to stop its callbacks. What it says does not matter, nor that a channel cannot be opened any more. */
async function closeChannels(rt: Runtime, { id: accountId }: AccountRow): Promise<void> {
  const channels = await rt.store.read(listChannels, { account_id: accountId })
  for (const { id: channelId, status } of channels) {
    if (status === 'disconnected') continue
    await disconnectChannel(rt, { accountId, channelId, actor: gateway }).catch((error: unknown) => {
      rt.log.warn({ err: error, account_id: accountId, channel_id: channelId }, 'account.channel_not_closed')
    })
  }
}

/** How many portions it found. Stops when the run has done enough. */
async function deletePass(rt: Runtime, accountId: string, steps: Steps): Promise<number> {
  let found = 0
  const all = async (deletePortion: () => Promise<number>) => {
    while (steps.left > 0) {
      const rows = await deletePortion()
      if (rows === 0) return
      found++
      steps.left--
    }
  }
  for (const place of accountRows()) {
    await all(async () => {
      const rows = await rt.store.read(place.find, { account_id: accountId, count: portion })
      if (rows.length === 0) return 0
      const unit = new Unit()
      for (const { operation, inputOf } of place.remove) {
        unit.add(operation, ...rows.map((row) => inputOf(row as Record<string, string | number>)))
      }
      await rt.store.writeApart(unit)
      return rows.length
    })
  }
  await all(() => deleteBlobs(rt, accountId))
  await all(() => deleteMembers(rt, accountId))
  if (steps.left > 0) found += await bytesLeft(rt, accountId)
  return found
}

async function deleteBlobs(rt: Runtime, accountId: string): Promise<number> {
  const ids = await rt.store.read(blobsToDelete, { account_id: accountId, count: portion })
  if (ids.length === 0) return 0
  const now = rt.clock.now()
  const unit = unitOf(abandonBlob, ...ids)
  unit.add(loosenUnusedBlob, ...ids.map(({ id }) => ({ id, now })))
  unit.add(dropUnusedBlob, ...ids)
  unit.add(forgetPlatformUploads, ...ids.map(({ id }) => ({ blob_id: id })))
  await rt.store.writeApart(unit)
  return ids.length
}

/** The rounds that remove loose bytes go on until these are gone, also where the store of the files is away. */
async function bytesLeft(rt: Runtime, accountId: string): Promise<number> {
  const count = async () => (await rt.store.read(countBytesLeft, { account_id: accountId }))[0]?.count ?? 0
  if ((await count()) === 0) return 0
  while ((await removeLooseBlobs(rt)) > 0) {}
  return 1
}

/** A person who is a member of no account any more goes too. */
async function deleteMembers(rt: Runtime, accountId: string): Promise<number> {
  const members = await rt.store.read(membersToDelete, { account_id: accountId, count: portion })
  const now = rt.clock.now()
  for (const { id, person_id, joined } of members) {
    const unit = unitOf(dropMember, { id })
    unit.add(countMembers, { id: person_id, accounts: -1, joined: -joined })
    unit.add(clearIfNowhere, { id: person_id, now })
    unit.add(deleteRecoveryCodesIfOff, { person_id })
    unit.add(deleteIdentityIfNowhere, { person_id })
    unit.add(deleteIfAlone, { id: person_id })
    await rt.store.write(unit).catch((error: unknown) => {
      // Another node deleted this member just now.
      if (!(error instanceof ConditionFailed)) throw error
    })
  }
  return members.length
}
