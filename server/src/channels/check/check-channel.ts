import type { Runtime } from '../../runtime.ts'
import { findChannel } from '../../store/channels/channels.ts'
import type { ChannelRecord } from '../channel-record.ts'
import { readChannel } from '../list-channels.ts'
import { type OpenChannel, openRow } from '../open-channel.ts'
import { numbersOf } from '../refresh-channel.ts'
import { checkAccess } from './check-access.ts'
import { checkCallback, pointCallback } from './check-callback.ts'
import { checkHealth } from './check-health.ts'
import { checkNumber } from './check-number.ts'
import { type CheckStep, isFailed, skipped } from './check-step.ts'
import { type HealthReport, recordHealth } from './record-health.ts'

export type CheckResult = { ok: boolean; channel: ChannelRecord; steps: CheckStep[] }
export type CheckOptions = {
  /** Points the callbacks at this gateway again where they go elsewhere. */
  repair?: boolean
}

/** Looks at a connected channel as connecting did, and keeps what it finds. Null: there is no such channel. */
export async function checkChannel(
  rt: Runtime,
  accountId: string,
  channelId: string,
  { repair = false }: CheckOptions = {},
): Promise<CheckResult | null> {
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  const channel = row && openRow(rt, row)
  if (!channel) return null
  const { steps, report } = await runSteps(rt, channel, repair)
  await recordHealth(rt, channel, { ...report, steps })
  const record = await readChannel(rt, accountId, channelId)
  return record && { ok: !steps.some(isFailed), channel: record, steps }
}

async function runSteps(
  rt: Runtime,
  channel: OpenChannel,
  repair: boolean,
): Promise<{ steps: CheckStep[]; report: HealthReport }> {
  const numbers = await numbersOf(rt, channel)
  const firstId = numbers[0]?.phone_number_id ?? ''
  const access = await checkAccess(rt, channel, firstId)
  if (!access.token?.valid) {
    const rest = (['number', 'subscription', 'callback', 'health'] as const).map((name) => skipped(name, noToken))
    return { steps: [...access.steps, ...rest], report: { token: access.token, business: null } }
  }
  const looks = []
  for (const number of numbers) {
    looks.push({ id: number.id, ...(await checkNumber(rt, channel, number.phone_number_id)) })
  }
  const callback = await checkCallback(rt, channel, firstId)
  const mended = repair && callback.some(isFailed) ? await pointCallback(rt, channel, firstId) : callback
  const facts = looks.flatMap(({ facts }) => facts ?? [])
  const health = facts[0] ? await checkHealth(rt, channel, facts[0]) : null
  return {
    steps: [...access.steps, ...looks.map(({ step }) => step), ...mended, health?.step ?? skipped('health', noNumber)],
    report: {
      token: access.token,
      business: health?.business ?? null,
      numbers: looks.flatMap(({ id, health: found }) => (found ? [{ id, health: found }] : [])),
    },
  }
}

const noToken = 'Not looked at: the token does not work.'
const noNumber = 'Not looked at: no number could be read.'
