import type { Runtime } from '@postern/server/runtime.ts'
import { channelAddresses } from '@postern/server/store/channels/channels.ts'
import { reach } from './check-addresses.ts'
import { type Finding, found, problem, warning } from './finding.ts'

/** Signatures and tokens are accepted for minutes; beyond this they begin to fail. */
const clockOffMaxMs = 30_000
const databaseClockOffMaxMs = 2_000

/** Against the database, and against whatever else tells the time: Meta puts it into every response. */
export async function checkClock(rt: Runtime): Promise<Finding[]> {
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
