import { type ChannelNumber, requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { secondMs } from '../../lib/durations.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { BroadcastRow } from '../../store/broadcasts/broadcasts.ts'
import { findSendRate } from '../../store/broadcasts/results.ts'
import type { TemplateRecord } from '../../templates/content/template-types.ts'
import { requireSendableTemplate } from '../../templates/find-template.ts'
import { markOf } from '../broadcast.ts'
import { type Stop, stopFor } from './stop-broadcast.ts'

export type Ready = { number: ChannelNumber; template: TemplateRecord; tier: string | null }

/** Number and template as they are now, or what is in the way of all recipients. */
export async function readyToSend(
  rt: Runtime,
  row: BroadcastRow,
  seen: { quality: string | null | undefined },
): Promise<Ready | Stop> {
  const [facts] = await rt.store.read(findSendRate, { number_id: row.number_id })
  const quality = facts?.quality ?? null
  const wasBetter = seen.quality !== undefined && seen.quality !== quality
  seen.quality = quality
  // A person who resumes it has seen the quality.
  if (quality === 'low' && wasBetter) return { pause: 'quality_low' }
  try {
    const number = await requireNumber(rt, row.account_id, { from: row.number_id })
    if (row.reason === 'meta_unavailable' && !(await answers(rt, number))) {
      return { hold: 'meta_unavailable', forMs: 30 * secondMs }
    }
    const template = await requireSendableTemplate(rt, number, { name: row.template, language: row.language }, 0)
    if (row.template_mark !== null && markOf(template) !== row.template_mark) return { pause: 'template_changed' }
    return { number, template, tier: facts?.messaging_limit ?? null }
  } catch (error) {
    const stop = error instanceof AppError ? stopFor(error.code) : null
    if (!stop) throw error
    return stop
  }
}

/** Asks for something harmless: no recipient is used to find out. */
async function answers(rt: Runtime, { credentials }: ChannelNumber): Promise<boolean> {
  try {
    await rt.platform.getNumber(credentials)
    return true
  } catch (error) {
    if (error instanceof PlatformError) return error.outcome === 'refused'
    throw error
  }
}
