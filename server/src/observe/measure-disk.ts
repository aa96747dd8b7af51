import { statfs } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import type { Metrics } from './metrics.ts'

/** For the operator's gauges: what is left for us, which is less than what is free for root. */
export async function measureDisk({ config, metrics }: { config: Config; metrics: Metrics }): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  metrics.diskFree.set({}, bavail * bsize)
  metrics.diskSize.set({}, blocks * bsize)
}
