import { AppError } from '../contract/app-error.ts'
import { minuteMs } from '../lib/durations.ts'
import { takeNow } from '../limits/rate.ts'
import type { Runtime } from '../runtime.ts'
import type { Connection } from './connection.ts'

/** A tool that asks again and again cannot use up what the plan allows to all. */
export async function requirePace(rt: Runtime, { id, options }: Connection): Promise<void> {
  const most = options.max_per_minute
  if (most === null) return
  const waitMs = await takeNow(rt.sharedRate, [{ key: `connection ${id}`, everyMs: minuteMs / most, burst: most }])
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', `This connection may make ${most} requests a minute.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
