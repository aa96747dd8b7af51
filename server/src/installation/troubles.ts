import { dayMs, minuteMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listSizeDays } from '../store/accounts/installation.ts'
import { countFailedMails } from '../store/accounts/mails.ts'
import { countQueues, listFailingJobs, listLostTokens, listRestrictions } from '../store/accounts/tenants.ts'
import { oldestUnappliedCallback } from '../store/channels/callbacks.ts'
import { databaseBytes, listTableBytes } from '../store/engine/database.ts'
import { queueDepth } from '../store/webhooks/deliveries.ts'
import { listFailingWebhooks } from '../webhooks/find-webhook.ts'
import { readBackup } from './backups.ts'
import { describeNodes, isApart, type NodeView } from './nodes.ts'
import { allTenants } from './tenants.ts'

type Trouble = {
  kind: string
  tone: 'error' | 'warn'
  text: string
  fix: string
  since: string | null
  account_id: string | null
}

type Queue = { name: string; waiting: number; oldest_at: number | null }

const lateMs = minuteMs
const slowMs = 250
const diskFullShare = 0.9
const failedTries = 3
const backupOldMs = 2 * dayMs

/** Health of the installation, by counts and states. Nothing is stored: a problem disappears with its cause. */
export async function describeInstallation(rt: Runtime) {
  const now = rt.clock.now()
  const [databaseMs, queues, [size], nodes, backup] = await Promise.all([
    probeMs(rt),
    readQueues(rt, now),
    rt.store.read(databaseBytes, {}),
    describeNodes(rt),
    readBackup(rt),
  ])
  const troubles = [
    ...diskTroubles(nodes),
    ...databaseTroubles(databaseMs),
    ...nodeTroubles(nodes),
    ...backupTroubles(backup.at, now),
    ...queueTroubles(queues, now),
    ...(await mailTroubles(rt, now)),
    ...(await jobTroubles(rt)),
    ...(await channelTroubles(rt)),
    ...(await webhookTroubles(rt)),
    ...(await planTroubles(rt)),
  ]
  troubles.sort((a, b) => rank(a) - rank(b))
  return {
    troubles,
    queues: queues.map((queue) => ({ ...queue, oldest_at: formatInstant(queue.oldest_at) })),
    database: { engine: rt.store.engine, bytes: size?.bytes ?? 0, probe_ms: Math.round(databaseMs) },
    nodes,
    backup,
    growth: await readGrowth(rt, now),
  }
}

/** Asked for by hand: on SQLite the whole file is read for it. */
export async function describeTables(rt: Runtime) {
  return { tables: await rt.store.read(listTableBytes, {}) }
}

const rank = ({ tone }: Trouble) => (tone === 'error' ? 0 : 1)

async function probeMs({ store }: Runtime): Promise<number> {
  const start = performance.now()
  await store.probeRead()
  return performance.now() - start
}

async function readQueues(rt: Runtime, now: number): Promise<Queue[]> {
  const [[counts], [depth], [callback]] = await Promise.all([
    rt.store.read(countQueues, { now }),
    rt.store.read(queueDepth, { now }),
    rt.store.read(oldestUnappliedCallback, {}),
  ])
  if (!counts || !depth) throw new Error('Counts without a row.')
  return [
    { name: 'Waiting messages', waiting: counts.sends, oldest_at: counts.sends_due_at },
    { name: 'Deliveries to webhooks', waiting: depth.ready + depth.scheduled, oldest_at: depth.oldest },
    { name: 'Callbacks of Meta', waiting: counts.callbacks, oldest_at: callback?.at ?? null },
    { name: 'Jobs', waiting: counts.jobs, oldest_at: counts.jobs_due_at },
  ]
}

function trouble(kind: string, text: string, fix: string, other: Partial<Trouble> = {}): Trouble {
  return { kind, tone: 'error', text, fix, since: null, account_id: null, ...other }
}

/** Of every node, whichever responds: they may have their data folders on disks of their own. */
export function diskTroubles(nodes: readonly Pick<NodeView, 'name' | 'state' | 'disk_bytes' | 'disk_free_bytes'>[]) {
  return nodes.flatMap(({ name, state, disk_bytes: bytes, disk_free_bytes: free }) => {
    const share = bytes === 0 || state !== 'running' ? 0 : 1 - free / bytes
    if (share < diskFullShare) return []
    const text = `The disk of the node ${name} is ${Math.floor(share * 100)}% full.`
    return [trouble('disk_full', text, 'Free up space or add a larger disk: when it is full, sends are rejected.')]
  })
}

export function databaseTroubles(probeMs: number): Trouble[] {
  if (probeMs < slowMs) return []
  const text = `The database took ${Math.round(probeMs)} ms for a read that takes a few.`
  return [trouble('database_slow', text, 'Check its load, its disk and the network to it.', { tone: 'warn' })]
}

function nodeTroubles(nodes: readonly NodeView[]): Trouble[] {
  const down = nodes.filter(({ state }) => state === 'down')
  const apart = nodes.filter(isApart)
  return [
    ...down.map(({ name, seen_at: since }) =>
      trouble('node_down', `The node ${name} does not respond.`, 'Check its host and its log, and restart it.', {
        since,
      }),
    ),
    ...apart.map(({ name, clock_offset_ms: offset }) => {
      const text = `The clock of the node ${name} is ${(Math.abs(offset) / 1_000).toFixed(1)} s ${offset > 0 ? 'behind' : 'ahead of'} the database.`
      return trouble('clocks_apart', text, 'Let its host synchronise the time, for example with chrony.')
    }),
  ]
}

function backupTroubles(at: string | null, now: number): Trouble[] {
  if (at === null || now - Date.parse(at) < backupOldMs) return []
  const text = 'The last backup is more than two days old.'
  return [trouble('backup_old', text, 'Check the backup job, and make a backup.', { tone: 'warn', since: at })]
}

async function mailTroubles(rt: Runtime, now: number): Promise<Trouble[]> {
  if (rt.mailer === null) return []
  const [failed] = await rt.store.read(countFailedMails, { since: now - dayMs })
  if (!failed || failed.count === 0) return []
  const text = `${failed.count} ${failed.count === 1 ? 'mail was' : 'mails were'} not delivered since yesterday.`
  const since = formatInstant(failed.since)
  return [trouble('mail_failing', text, 'The log has the reasons, as mail.not_sent.', { tone: 'warn', since })]
}

const growthDays = 30

async function readGrowth(rt: Runtime, now: number) {
  const rows = await rt.store.read(listSizeDays, { from_day: now - growthDays * dayMs })
  return rows.map(({ day, bytes }) => ({ date: formatInstant(day), bytes }))
}

const queueFixes: Record<string, [kind: string, fix: string]> = {
  'Waiting messages': ['sends_late', 'Check that a node with the role all or worker runs.'],
  'Deliveries to webhooks': ['deliveries_late', 'Check that a node with the role all or worker runs, and its load.'],
  'Callbacks of Meta': ['callbacks_late', 'Check the log for callbacks that cannot be applied.'],
  Jobs: ['jobs_late', 'Check that a node with the role all or worker runs.'],
}

function queueTroubles(queues: readonly Queue[], now: number): Trouble[] {
  return queues.flatMap(({ name, oldest_at }) => {
    if (oldest_at === null || now - oldest_at < lateMs) return []
    const [kind = '', fix = ''] = queueFixes[name] ?? []
    return [trouble(kind, `${name} are late.`, fix, { since: formatInstant(oldest_at) })]
  })
}

async function jobTroubles(rt: Runtime): Promise<Trouble[]> {
  const rows = await rt.store.read(listFailingJobs, { attempts: failedTries })
  return rows.map(({ kind, count, attempts, since }) => {
    const text = `The job ${kind} keeps failing: ${count === 1 ? 'one job' : `${count} jobs`}, up to ${attempts} attempts.`
    return trouble('job_failing', text, 'The log of the nodes has the reason, as job.failed.', {
      since: formatInstant(since),
    })
  })
}

async function channelTroubles(rt: Runtime): Promise<Trouble[]> {
  const lost = await rt.store.read(listLostTokens, {})
  const restricted = await rt.store.read(listRestrictions, {})
  return [
    ...lost.map(({ account_id, account_name, since }) =>
      trouble(
        'token_lost',
        `Meta rejects the access token of a channel of ${account_name}.`,
        'The account must reconnect the channel.',
        {
          account_id,
          since: formatInstant(since),
        },
      ),
    ),
    ...restricted.map(({ account_id, account_name, value, since }) => {
      const [type = ''] = value.split(' ')
      const text = `Meta reported ${type} for a number or account of ${account_name}.`
      const tone = type === 'account.warned' ? ('warn' as const) : ('error' as const)
      return trouble('restricted', text, 'The account sees the reason, and can appeal at Meta.', {
        tone,
        account_id,
        since: formatInstant(since),
      })
    }),
  ]
}

async function webhookTroubles(rt: Runtime): Promise<Trouble[]> {
  const failing = await listFailingWebhooks(rt)
  return failing.map(({ account_id, account_name, server, failing_since, last_response }) => {
    const reply = last_response === null ? '' : `: ${last_response}`
    const text = `A webhook of ${account_name ?? account_id} at ${server} fails${reply}.`
    return trouble('webhook_failing', text, 'The account must fix its receiver; deliveries are kept and retried.', {
      tone: 'warn',
      account_id,
      since: failing_since,
    })
  })
}

async function planTroubles(rt: Runtime): Promise<Trouble[]> {
  const accounts = await allTenants(rt)
  return accounts.flatMap(({ id, name, plan, requests_today, requests_quota, media_bytes, media_quota }) => {
    const over = [
      requests_quota !== null && requests_today >= requests_quota ? 'its requests of today' : null,
      media_quota !== null && media_bytes > media_quota ? 'its space for files' : null,
    ].filter((one) => one !== null)
    if (over.length === 0) return []
    const text = `${name} has used up ${over.join(' and ')} of the plan ${plan}.`
    return [trouble('plan_used_up', text, 'Give the account a larger plan.', { tone: 'warn', account_id: id })]
  })
}
