import { readConnectionLimit } from '@postern/server/database.ts'
import type { Config } from '@postern/server/settings.ts'
import { type Finding, found, problem, warning } from './finding.ts'

/** Whether PostgreSQL has connections for all processes at full load, and for one that starts while another stops. */
export async function checkConnections(config: Config): Promise<Finding[]> {
  const { database, databasePoolReadMax: readConnections, databasePoolWriteMax: writeConnections } = config
  const limit = await readConnectionLimit(database, { readConnections, writeConnections })
  if (!limit) return []
  const check = 'connections'
  const { perProcess: each, left } = limit
  // Those of other machines show once they run.
  const processes = Math.max(config.processes, limit.processes)
  const who = processes === 1 ? 'One process opens' : `${processes} processes open`
  const used = `${who} up to ${processes * each} of the ${left} connections that PostgreSQL leaves for them`
  const needed = (processes + 1) * each
  if (needed <= left) return [found(check, used)]
  const advice = `raise max_connections by ${needed - left}, or lower POSTERN_DATABASE_POOL_READ`
  if (processes * each > left) return [problem(check, `${used}: ${advice}.`)]
  return [warning(check, `${used}, and one that starts while another stops opens ${each} more: ${advice}.`)]
}
