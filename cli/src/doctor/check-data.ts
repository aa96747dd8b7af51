import { checkChannel } from '@postern/server/channels/check/check-channel.ts'
import { isFailed } from '@postern/server/channels/check/check-step.ts'
import { listChannels } from '@postern/server/channels/list-channels.ts'
import { wrongMasterKey } from '@postern/server/master-key.ts'
import type { Runtime } from '@postern/server/runtime.ts'
import { explainStartFailure } from '@postern/server/start-failure.ts'
import { EmptyDatabase } from '@postern/server/store/engine/store-error.ts'
import { allAccounts } from '../choose-account.ts'
import { checkCapacity } from './check-capacity.ts'
import { checkClock } from './check-clock.ts'
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
