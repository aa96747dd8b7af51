import { dayMs, hourMs } from '../lib/durations.ts'
import { MailRejected } from '../lib/mailer.ts'
import { takeNow } from '../limits/rate.ts'
import type { Runtime } from '../runtime.ts'
import { expireMails, insertMail, settleMail } from '../store/accounts/mails.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { type Unit, unitOf } from '../store/engine/unit.ts'
import { type ClaimedJob, enqueueJob } from '../store/jobs/jobs.ts'

export type MailKind = 'invite' | 'reset' | 'alert' | 'account'
/** `to`: the address of a member of this account. */
export type NewMail = {
  accountId: string
  userId: string
  kind: MailKind
  to: string
  subject: string
  lines: readonly string[]
}

export const mailJobKind = 'mail.send'
export const mailAttemptsMax = 10
const sealPurpose = 'mail'
const mailsPerPerson = { everyMs: hourMs / 10, burst: 10 }
const keptMs = 90 * dayMs

/** Whether mail can go to this person now: there is a server, and they did not get many in a short time. */
export async function mayMail(rt: Runtime, to: string | null): Promise<boolean> {
  if (rt.mailer === null || to === null) return false
  const slot = rt.secrets.mac('attempts', `mail ${to.toLowerCase()}`).toString('base64url')
  return (await takeNow(rt.sharedRate, [{ key: `mail ${slot}`, ...mailsPerPerson }])) === 0
}

/** In the unit of what it tells of. A link in it opens something, so it waits sealed. */
export function addMail(rt: Runtime, unit: Unit, { accountId, userId, kind, to, subject, lines }: NewMail): void {
  const id = rt.newId('mai')
  const now = rt.clock.now()
  const text = `${lines.join('\n\n')}\n`
  const payload = rt.secrets.seal(sealPurpose, id, JSON.stringify({ to, subject, text }))
  unit.add(insertMail, { id, account_id: accountId, user_id: userId, kind, created_at: now })
  unit.add(enqueueJob, {
    ...{ id: rt.newId('job'), lane: 'main', kind: mailJobKind, subject: id },
    ...{ account_id: accountId, payload, run_at: now, now },
  })
}

/** A server that is away is tried again for about a day; one that says no for good is believed, and the reason shown. */
export async function sendMail(rt: Runtime, { subject: id, payload, attempts }: ClaimedJob): Promise<'done'> {
  const mail = JSON.parse(rt.secrets.open(sealPurpose, id, payload).toString()) as {
    to: string
    subject: string
    text: string
  }
  try {
    if (rt.mailer === null) throw new MailRejected('No mail server is set.')
    await rt.mailer.send(mail)
  } catch (error) {
    const isFinal = error instanceof MailRejected || attempts >= mailAttemptsMax
    const reason = withoutAddress(error instanceof Error ? error.message : 'unknown', mail.to)
    await settle(rt, id, isFinal ? 'failed' : 'waiting', reason)
    rt.log.warn({ mail_id: id, reason, final: isFinal }, 'mail.not_sent')
    if (isFinal) return 'done'
    throw new Error(reason)
  }
  await settle(rt, id, 'sent', null)
  return 'done'
}

async function settle(rt: Runtime, id: string, status: string, error: string | null): Promise<void> {
  await rt.store.write(unitOf(settleMail, { id, status, error, now: rt.clock.now() }))
}

/** Servers repeat the address in what they say; logs and pages of operators do not. */
function withoutAddress(text: string, address: string): string {
  return text.replaceAll(address, 'the address').slice(0, 200)
}

export async function expireOldMails(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - keptMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireMails, { before, count }))
  return 'done'
}
