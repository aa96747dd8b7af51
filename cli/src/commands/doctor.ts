import { factsOf, migrationStates } from '@postern/server/database.ts'
import { findInstallationId } from '@postern/server/doctor.ts'
import { type Runtime, withRuntime } from '@postern/server/gateway.ts'
import type { Config } from '@postern/server/settings.ts'
import type { Command } from '../command.ts'
import { isServed } from '../control/data-lock.ts'
import { servedAt } from '../control/served-at.ts'
import { checkBaseUrl, checkServer } from '../doctor/check-addresses.ts'
import { checkConnections } from '../doctor/check-connections.ts'
import { checkData, databaseProblem } from '../doctor/check-data.ts'
import { checkDisk, checkFolder, checkMasterKeyFile } from '../doctor/check-machine.ts'
import { type Finding, warning } from '../doctor/finding.ts'
import { exitCodes } from '../exit-codes.ts'
import { table } from '../output/table.ts'
import { noWords } from '../read-flags.ts'
import { loadSettings, settingOptions } from '../settings.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Diagnose disk, ports, database, master key, clock and channels. Exits with 1 if a check fails.',
  examples: ['postern doctor', 'postern doctor --data /var/lib/postern --json'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config, warnings } = loadSettings(flags, host)
    output.progress.step('Checking')
    const folder = checkFolder(config)
    // A shared database does not tell whether one of its servers runs on this machine.
    const isServedHere = folder.status !== 'problem' && !factsOf(config.database).shared && isServed(config)
    // Flags of `serve`, such as --port, are no settings of this command: the running server tells its own address.
    const address = isServedHere ? await servedAt(config) : null
    const data = await inspectData({ ...config, baseUrl: config.baseUrl ?? address })
    const served = { isServed: isServedHere, address, installation: data.installation }
    const findings = [
      ...warnings.map((detail) => warning('settings', detail)),
      folder,
      ...checkDisk(config),
      ...(await checkServer(config, served)),
      ...(await checkBaseUrl(config, served)),
      ...data.findings,
    ]
    output.progress.end()
    const ok = findings.every(({ status }) => status !== 'problem')
    const rows = findings.map(({ check, status, detail }) => [status, check, detail])
    output.result({ ok, findings }, table(['', 'check', ''], rows))
    return ok ? exitCodes.ok : exitCodes.failure
  },
}

type Inspected = { findings: Finding[]; installation: string | null }

async function inspectData(config: Config): Promise<Inspected> {
  const key = checkMasterKeyFile(config)
  try {
    if (!factsOf(config.database).hasData()) {
      const detail = 'There is no data yet: the first start of the gateway creates it.'
      return { findings: [warning('database', detail)], installation: null }
    }
    if (key.length > 0) {
      await migrationStates(config.database)
      return { findings: key, installation: null }
    }
    const look = async (rt: Runtime) => ({ findings: await checkData(rt), installation: await findInstallationId(rt) })
    const data = await withRuntime(config, look, { anyKey: true }).catch((error: unknown) => ({
      findings: [databaseProblem(error)],
      installation: null,
    }))
    return { ...data, findings: [...data.findings, ...(await checkConnections(config))] }
  } catch (error) {
    return { findings: [...key, databaseProblem(error)], installation: null }
  }
}
