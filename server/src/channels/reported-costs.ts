import { AppError } from '../contract/app-error.ts'
import { dayMs, secondMs } from '../lib/durations.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { connectedChannels, dropUnreported, saveReported } from '../store/costs/reported-days.ts'
import { Unit } from '../store/engine/unit.ts'
import { requireNumber } from './require-number.ts'

const batch = 100

/** The job: what Meta counts and charges itself, of each business account. One that cannot be asked is asked tomorrow. */
export async function fetchReported(rt: Runtime): Promise<'done'> {
  for (let after = ''; ; ) {
    const channels = await rt.store.read(connectedChannels, { after, count: batch })
    for (const channel of channels) {
      try {
        await fetchOf(rt, channel)
      } catch (error) {
        // Of a channel that was disconnected just now, too.
        if (!(error instanceof PlatformError || error instanceof AppError)) throw error
        rt.log.info({ channel_id: channel.id, account_id: channel.account_id, code: error.code }, 'costs.not_reported')
      }
    }
    const last = channels.at(-1)
    if (!last || channels.length < batch) return 'done'
    after = last.id
  }
}

type Channel = { id: string; account_id: string; time_zone: string | null; number_id: string | null }

/** This month and the last: figures of closed days still change. */
async function fetchOf(rt: Runtime, { id, account_id, time_zone, number_id }: Channel): Promise<void> {
  if (number_id === null) return
  const number = await requireNumber(rt, account_id, { from: number_id })
  const now = rt.clock.now()
  const zone = time_zone ?? 'UTC'
  const today = calendarDayOf(now, zone)
  const month = new Date(today).setUTCDate(1)
  const since = new Date(month - dayMs).setUTCDate(1)
  const points = await rt.platform.reportedPrices(number.credentials, { from: since, to: now + secondMs })
  const unit = new Unit()
  const place = { account_id, channel_id: id }
  for (const { at, volume, cost, ...what } of points) {
    const cost_micros = cost === null ? null : Math.round(cost * 1_000_000)
    unit.add(saveReported, { ...place, ...what, day: calendarDayOf(at, zone), volume, cost_micros, fetched_at: now })
  }
  unit.add(dropUnreported, { ...place, since, fetched_at: now })
  await rt.store.write(unit)
}
