import type { Member } from '../access/console-member.ts'
import { validationFailed } from '../contract/app-error.ts'
import { type AlertKind, alertKinds } from '../contract/console/people.ts'
import { type Action, mayDo, type Role } from '../contract/console/roles.ts'
import type { EventType } from '../contract/events.ts'
import { bodyProblem } from '../contract/schema.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import {
  type AlertRecipient,
  findAlertChoice,
  listAlertRecipients,
  noteAlertFailure,
  saveAlertChoice,
} from '../store/accounts/mails.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { type ClaimedJob, enqueueJob } from '../store/jobs/jobs.ts'
import { addMail, mayMail } from './mail.ts'

export const alertJobKind = 'alerts.tell'

type Data = Record<string, unknown>
type AlertRow = { kind: AlertKind; text: (data: Data) => string; when?: (data: Data) => boolean }

const worse = ({ status, new_status, state }: Data) =>
  /reject|paused|disabled/.test(String(new_status ?? status ?? state))
const nameIn = (data: Data) => String(data.name ?? data.template ?? data.phone_number ?? '')

/** The events that trigger alerts, and their texts. None contains customer data. */
const alerts: Partial<Record<EventType, AlertRow>> = {
  'number.quality_changed': { kind: 'quality', text: (data) => `The quality of ${nameIn(data)} changed.` },
  'template.quality_changed': {
    kind: 'quality',
    text: (data) => `The quality of the template ${nameIn(data)} changed.`,
  },
  'account.restricted': { kind: 'quality', text: () => 'Meta restricted your WhatsApp Business account.' },
  'account.warned': { kind: 'quality', text: () => 'Meta warned your WhatsApp Business account.' },
  'template.status_changed': {
    kind: 'template',
    when: worse,
    text: (data) => `The template ${nameIn(data)} was rejected, paused or disabled.`,
  },
  'webhook.failing': { kind: 'webhook', text: () => 'A webhook has been failing for a day.' },
  'webhook.disabled': { kind: 'webhook', text: () => 'A failing webhook was disabled.' },
  'channel.token_expiring': { kind: 'token', text: () => 'The access token of a channel expires soon.' },
  'channel.token_lost': { kind: 'token', text: () => 'Meta rejects the access token of a channel.' },
  'budget.warned': { kind: 'budget', text: (data) => `Most of the budget ${nameIn(data)} is used.` },
  'budget.exceeded': { kind: 'budget', text: (data) => `The budget ${nameIn(data)} is used up.` },
  'broadcast.paused': {
    kind: 'budget',
    when: ({ reason }) => reason !== 'by_person',
    text: (data) => `The broadcast ${nameIn(data)} is paused.`,
  },
  'broadcast.held': { kind: 'budget', text: (data) => `The broadcast ${nameIn(data)} is held.` },
  'account.quota_warning': { kind: 'budget', text: () => 'Most of the requests of your plan are used.' },
}

const needs: Record<AlertKind, Action> = {
  quality: 'channel:read',
  template: 'templates:read',
  webhook: 'webhooks:read',
  token: 'channel:read',
  budget: 'usage:read',
}

/** In the unit of the event, so that nobody is alerted of what did not happen. */
export function addAlert(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  unit: Unit,
  { id, type, accountId, data }: { id: string; type: EventType; accountId: string; data: Data },
): void {
  const row = alerts[type]
  if (!row || (row.when && !row.when(data))) return
  const now = rt.clock.now()
  const payload = JSON.stringify({ id, type, kind: row.kind, text: row.text(data), at: formatInstant(now) })
  unit.add(enqueueJob, {
    ...{ id: rt.newId('job'), lane: 'main', kind: alertJobKind, subject: id },
    ...{ account_id: accountId, payload, run_at: now, now },
  })
}

type Alert = { id: string; type: string; kind: AlertKind; text: string; at: string }

/** Everybody of the account who chose this, may see it, and has a way to be reached. */
export async function tellPeople(rt: Runtime, job: ClaimedJob): Promise<'done'> {
  const alert = JSON.parse(job.payload) as Alert
  const accountId = job.account_id ?? ''
  for (const one of await rt.store.read(listAlertRecipients, { account_id: accountId })) {
    if (!one.kinds.split(' ').includes(alert.kind) || !mayDo(one.role as Role, needs[alert.kind])) continue
    if (one.mail === 1) await mailAlert(rt, accountId, one, alert)
    if (one.url !== null) await postAlert(rt, one, alert)
  }
  return 'done'
}

async function mailAlert(
  rt: Runtime,
  accountId: string,
  { user_id: userId, email, account_name }: AlertRecipient,
  alert: Alert,
) {
  if (email === null || !(await mayMail(rt, email))) return
  const subject = `${account_name}: ${alert.text}`
  const lines = [alert.text, `Account: ${account_name}`, `When: ${alert.at}`, `Look: ${rt.urls.console}/`, ending(rt)]
  const unit = new Unit()
  addMail(rt, unit, { accountId, userId, kind: 'alert', to: email, subject, lines })
  await rt.store.write(unit)
}

const ending = ({ urls }: Runtime) => `You chose these alerts under ${urls.console}/settings/alerts.`

/** Once, through the guard: the alert is also in the events of the account, and what failed is shown to its person. */
async function postAlert(
  rt: Runtime,
  { user_id, url, account_name }: AlertRecipient,
  { id, type, kind, text, at }: Alert,
) {
  const body = { text: `${account_name}: ${text}`, account: account_name, event_id: id, type, kind, timestamp: at }
  const outcome = await rt.deliver.post({
    url: url ?? '',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    allowLoopback: rt.config.env !== 'production',
  })
  const isReceived = outcome.kind === 'response' && outcome.statusCode >= 200 && outcome.statusCode < 300
  const error = isReceived ? null : outcome.kind === 'response' ? `HTTP ${outcome.statusCode}` : outcome.code
  await rt.store.write(unitOf(noteAlertFailure, { user_id, error, failed_at: isReceived ? null : rt.clock.now() }))
}

export async function describeAlerts(rt: Runtime, { userId, role }: Member) {
  const [row] = await rt.store.read(findAlertChoice, { user_id: userId })
  return {
    kinds: (row?.kinds ?? '').split(' ').filter(Boolean) as AlertKind[],
    mail: row?.mail === 1,
    url: row?.url ?? null,
    possible: alertKinds.filter((kind) => mayDo(role, needs[kind])),
    mail_available: rt.mailer !== null,
    failure: row?.error ? { error: row.error, at: formatInstant(row.failed_at) } : null,
  }
}

type AlertChoice = { kinds: readonly AlertKind[]; mail: boolean; url: string | null }

export async function chooseAlerts(rt: Runtime, member: Member, { kinds, mail, url }: AlertChoice) {
  const parsed = url === null ? null : URL.parse(url)
  const isPlain = parsed?.protocol === 'http:' && rt.config.env !== 'production'
  if (url !== null && parsed?.protocol !== 'https:' && !isPlain) {
    throw validationFailed([bodyProblem('url', 'invalid_format', 'Write an address that begins with https://.')])
  }
  await rt.store.write(
    unitOf(saveAlertChoice, {
      ...{ user_id: member.userId, account_id: member.accountId, kinds: [...new Set(kinds)].join(' ') },
      ...{ mail: mail ? 1 : 0, url, updated_at: rt.clock.now() },
    }),
  )
  return describeAlerts(rt, member)
}
