import { accessSync, constants, statSync } from 'node:fs'
import type { Config } from '@postern/server/config/config.ts'
import type { Runtime } from '@postern/server/runtime.ts'
import { channelAddresses } from '@postern/server/store/channels/channel-addresses.ts'
import { factsOf } from '@postern/server/store/engine/facts-of.ts'
import type { Command } from '../command.ts'
import { isServed } from '../control/data-lock.ts'
import { exitCodes } from '../exit-codes.ts'
import { requireData } from '../find-data.ts'
import { loadSettings, settingHelp } from '../settings.ts'
import { table } from '../table.ts'
import { withRuntime } from '../with-runtime.ts'

type Finding = { check: string; status: 'ok' | 'warning' | 'problem'; detail: string }

const clockOffMaxMs = 2_000
const reachMs = 5_000

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look at the data folder, the database, the clock and the channels. Exits with 1 when something is wrong.',
  examples: ['postern doctor', 'postern doctor --data /var/lib/postern --json'],
  options: { data: { type: 'string' }, config: { type: 'string' }, json: { type: 'boolean' } },
  help: settingHelp,
  async run({ flags, output }) {
    const { config, warnings } = loadSettings(flags)
    const findings: Finding[] = [
      ...warnings.map((detail): Finding => ({ check: 'settings', status: 'warning', detail })),
      folderFinding(config),
      serverFinding(config),
      ...(await inspectData(config).catch((error: unknown): Finding[] => [databaseProblem(error)])),
    ]
    const ok = findings.every(({ status }) => status !== 'problem')
    const rows = findings.map(({ check, status, detail }) => [status, check, detail])
    output.result({ ok, findings }, table(['', 'check', ''], rows))
    return ok ? exitCodes.ok : exitCodes.failure
  },
}

function folderFinding({ dataDir }: Config): Finding {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK)
    const open = (statSync(dataDir).mode & 0o077) !== 0
    return open
      ? { check: 'data folder', status: 'warning', detail: `Other users can look into ${dataDir}: chmod 700.` }
      : { check: 'data folder', status: 'ok', detail: dataDir }
  } catch {
    return { check: 'data folder', status: 'problem', detail: `${dataDir} is missing or cannot be written.` }
  }
}

function serverFinding(config: Config): Finding {
  if (factsOf(config.database).shared) return { check: 'server', status: 'ok', detail: 'any number may run' }
  return { check: 'server', status: 'ok', detail: isServed(config) ? 'running on these data' : 'not running' }
}

async function inspectData(config: Config): Promise<Finding[]> {
  requireData(config)
  return withRuntime(config, inspect)
}

async function inspect(rt: Runtime): Promise<Finding[]> {
  await rt.store.probeWrite()
  await rt.store.probeRead()
  const database: Finding = { check: 'database', status: 'ok', detail: `${rt.store.engine}: a write reached the disk` }
  const addresses = await rt.store.read(channelAddresses, {})
  return [database, clockFinding(rt), ...(await Promise.all(addresses.map(({ base_url }) => channelFinding(base_url))))]
}

function clockFinding(rt: Runtime): Finding {
  const offMs = Math.round(Math.abs(rt.store.clockOffsetMs()))
  const detail = `${offMs} ms from the database's clock`
  return { check: 'clock', status: offMs > clockOffMaxMs ? 'warning' : 'ok', detail }
}

/** Any answer will do: whether the token is right is for the channel's own check. */
async function channelFinding(address: string): Promise<Finding> {
  try {
    await fetch(address, { signal: AbortSignal.timeout(reachMs), redirect: 'manual' })
    return { check: 'channel', status: 'ok', detail: `${address} answers` }
  } catch {
    return { check: 'channel', status: 'warning', detail: `${address} does not answer.` }
  }
}

function databaseProblem(error: unknown): Finding {
  return { check: 'database', status: 'problem', detail: error instanceof Error ? error.message : String(error) }
}
