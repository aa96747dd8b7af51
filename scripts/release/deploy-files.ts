import { join } from 'node:path'
import { root } from '../run-command.ts'
import type { Part } from './write-tarball.ts'

/** The image and the compose files are built in a clone. */
const shipped = ['systemd', 'proxy', 'kubernetes', 'prometheus-alerts.yaml', 'grafana-dashboard.json']

/** What an operator copies from: the unit, the proxies, the alerts and the dashboard, of the version they belong to. */
export function deployFiles(folder: string): Part[] {
  return shipped.map((name) => [join(root, 'deploy', name), `${folder}/deploy/${name}`] as const)
}
