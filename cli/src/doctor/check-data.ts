import { checkChannel } from '@postern/server/channels/check/check-channel.ts'
import { isFailed } from '@postern/server/channels/check/check-step.ts'
import { listChannels } from '@postern/server/channels/list-channels.ts'
import type { Runtime } from '@postern/server/runtime.ts'
import { explainStartFailure } from '@postern/server/start-failure.ts'
import { channelAddresses } from '@postern/server/store/channels/channel-addresses.ts'
import { allAccounts } from '../choose-account.ts'
import { reach } from './check-addresses.ts'
import { type Finding, found, problem, warning } from './finding.ts'

/** Signatures and tokens are accepted for minutes; beyond this they begin to fail. */
const clockOffMaxMs = 30_000
const databaseClockOffMaxMs = 2_000

export async function checkData(rt: Runtime): Promise<Finding[]> {
  await rt.store.probeWrite()
  await rt.store.probeRead()
  const database = found('database', `${rt.store.engine}: a write reached the disk`)
  const key = await checkMasterKey(rt)
  // What the channels need is sealed too.
  if (key.status === 'problem') return [database, key]
  return [database, key, ...(await checkClock(rt)), ...(await checkChannels(rt))]
}

export function databaseProblem(error: unknown): Finding {
  const sentence = explainStartFailure(error) ?? (error instanceof Error ? error.message : String(error))
  return problem('database', sentence)
}

async function checkMasterKey(rt: Runtime): Promise<Finding> {
  try {
    await rt.pepper()
    return found('master key', 'decrypts the stored secrets')
  } catch {
    return problem(
      'master key',
      'This key cannot decrypt the stored secrets: set the master key that was used to create this data.',
    )
  }
}

/** Against the database, and against whatever else tells the time: Meta puts it into every response. */
async function checkClock(rt: Runtime): Promise<Finding[]> {
  const databaseOffMs = Math.round(Math.abs(rt.store.clockOffsetMs()))
  const addresses = await rt.store.read(channelAddresses, {})
  const findings = await Promise.all(addresses.map(({ base_url }) => compareClock(rt, base_url)))
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
    return [warning('channel', `${address} does not answer: check DNS and the firewall for outgoing calls.`)]
  const theirs = Date.parse(response.headers.get('date') ?? '')
  const offMs = Math.abs(rt.clock.now() - theirs)
  if (!(offMs > clockOffMaxMs)) return [found('channel', `${address} answers`)]
  const seconds = Math.round(offMs / 1_000)
  return [
    problem(
      'clock',
      `${seconds} s from the clock of ${address}: set this clock, or signatures and tokens will be refused.`,
    ),
  ]
}

/** What `postern channels check` finds wrong, for every account. */
async function checkChannels(rt: Runtime): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const account of allAccounts(rt)) {
    for (const { id } of await listChannels(rt, account.id)) {
      const result = await checkChannel(rt, account.id, id)
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
