import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.ts'

/**
 * Bundles what tests start; `programFile` finds the folder in the environment, and `runPostern` one in which the workers note
 * which commands have been started.
 */
export default async function globalPrograms(): Promise<() => void> {
  process.env.TEST_PROGRAMS = await buildPrograms()
  const noted = mkdtempSync(join(tmpdir(), 'postern-started-'))
  process.env.TEST_STARTED_COMMANDS = noted
  return () => rmSync(noted, { recursive: true, force: true })
}
