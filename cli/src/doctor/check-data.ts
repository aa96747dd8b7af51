import { allAccounts } from '@postern/server/accounts.ts'
import { checkChannel, isFailed, listChannels } from '@postern/server/channels.ts'
import { EmptyDatabase, measureTraffic, platformUrls } from '@postern/server/doctor.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { explainStartFailure, wrongMasterKey } from '@postern/server/settings.ts'
import { reach } from './check-addresses.ts'
import { checkMediaStore } from './check-media-store.ts'
import { type Finding, found, problem, warning } from './finding.ts'

export async function checkData(rt: Runtime): Promise<Finding[]> {
  await rt.store.probeWrite()
  await rt.store.probeRead()
  const database = found('database', `${rt.store.engine}: a write reached the disk`)
  const key = await checkMasterKey(rt)
  // What the channels need is sealed too.
  if (key.status === 'problem') return [database, key]
  return [
    database,
    key,
    ...(await checkClock(rt)),
    ...(await checkMediaStore(rt)),
    ...(await checkCapacity(rt)),
    ...(await checkChannels(rt)),
  ]
}

export function databaseProblem(error: unknown): Finding {
  if (error instanceof EmptyDatabase) {
    const start = 'the first start of the gateway creates its tables'
    return warning(
      'database',
      `This database is empty: ${start}. If it should contain data, check its name and address.`,
    )
  }
  const sentence = explainStartFailure(error) ?? (error instanceof Error ? error.message : String(error))
  return problem('database', sentence)
}

async function checkMasterKey(rt: Runtime): Promise<Finding> {
  try {
    await rt.pepper()
    return found('master key', 'decrypts the stored secrets')
  } catch {
    return problem('master key', wrongMasterKey)
  }
}

/**
 * What `postern channels check` finds wrong, for every account. Nothing is stored: with other settings than those of the
 * server, a base URL above all, it would be wrong.
 */
async function checkChannels(rt: Runtime): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const account of allAccounts(rt)) {
    for (const { id } of await listChannels(rt, account.id)) {
      const result = await checkChannel(rt, account.id, id, { record: false })
      const bad = result?.steps.filter((step) => isFailed(step) || step.status === 'warning') ?? []
      if (result && bad.length === 0) findings.push(found('channel', `${id} of ${account.name} is healthy`))
      for (const step of bad) {
        const sentence = `${id} of ${account.name}: ${step.sentence}${step.fix === null ? '' : ` ${step.fix}`}`
        findings.push(isFailed(step) ? problem('channel', sentence) : warning('channel', sentence))
      }
    }
  }
  return findings
}

const check = 'capacity'
const days = 7

/** Measured by `npm run bench growth`; docs/capacity.md explains each. Kilobytes a message. */
const kilobytes = {
  shared: { message: 2.0, record: 1.7, deliveries: 3.1, rest: 6 },
  embedded: { message: 1.4, record: 1.3, deliveries: 2.8, rest: 4 },
} as const

/** How much is sent and received, what it takes now, and what it will take once the oldest records go. */
async function checkCapacity(rt: Runtime): Promise<Finding[]> {
  const { perDay, databaseBytes } = await measureTraffic(rt, days)
  const taken = sizeText(databaseBytes)
  if (perDay === 0)
    return [found(check, `the database takes ${taken}; too few messages in the last ${days} days to project it`)]
  const projected = sizeText(projectedBytes(perDay, rt))
  const retention = `${rt.config.retentionMetadataDays} days`
  return [
    found(
      check,
      `${perDay} messages a day; the database takes ${taken}, and about ${projected} after ${retention} at this rate`,
    ),
  ]
}

/** The model of docs/capacity.md: what a message takes, for as many days as each part of it is kept. */
export function projectedBytes(messagesPerDay: number, { config, store }: Pick<Runtime, 'config' | 'store'>): number {
  const of = store.shared ? kilobytes.shared : kilobytes.embedded
  const { retentionContentDays: content, retentionMetadataDays: metadata, retentionDeliveriesDays: deliveries } = config
  const whole = Math.min(content, metadata)
  const kilobyteDays = of.message * whole + of.record * (metadata - whole) + of.deliveries * deliveries + of.rest
  return messagesPerDay * kilobyteDays * 1_000
}

function sizeText(bytes: number): string {
  const units = ['MB', 'GB', 'TB'] as const
  let value = bytes / 1e6
  let unit = 0
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000
  return `${value.toFixed(1)} ${units[unit]}`
}

/** Signatures and tokens are accepted for minutes; beyond this they begin to fail. */
const clockOffMaxMs = 30_000
const databaseClockOffMaxMs = 2_000

/** Against the database, and against whatever else tells the time: Meta puts it into every response. */
async function checkClock(rt: Runtime): Promise<Finding[]> {
  const databaseOffMs = Math.round(Math.abs(rt.store.clockOffsetMs()))
  const findings = await Promise.all((await platformUrls(rt)).map((url) => compareClock(rt, url)))
  const ofDatabase = `${databaseOffMs} ms from the database's clock`
  const first =
    databaseOffMs > databaseClockOffMaxMs
      ? warning('clock', `${ofDatabase}: run a time service such as chrony on both machines.`)
      : found('clock', ofDatabase)
  return [first, ...findings.flat()]
}

async function compareClock(rt: Runtime, address: string): Promise<Finding[]> {
  const response = await reach(address)
  if (!response)
    return [warning('channel', `${address} does not respond: check DNS and the firewall for outgoing calls.`)]
  const theirs = Date.parse(response.headers.get('date') ?? '')
  const offMs = Math.abs(rt.clock.now() - theirs)
  if (!(offMs > clockOffMaxMs)) return [found('channel', `${address} responds`)]
  const seconds = Math.round(offMs / 1_000)
  return [
    problem(
      'clock',
      `${seconds} s from the clock of ${address}: set this clock, or signatures and tokens will be rejected.`,
    ),
  ]
}
