import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDocs } from '../../../scripts/build-docs.ts'
import { buildPrograms } from './build-programs.ts'

let built: Promise<string> | null = null

/**
 * Bundles what tests start, once for all projects of a run, and renders the documentation that it serves; `programFile` finds the folder in the environment, and
 * `runPostern` one in which the workers note which commands have been started.
 */
export default async function globalPrograms(): Promise<() => void> {
  built ??= buildPrograms()
  buildDocs()
  process.env.TEST_PROGRAMS = await built
  const noted = mkdtempSync(join(tmpdir(), 'postern-started-'))
  process.env.TEST_STARTED_COMMANDS = noted
  return () => rmSync(noted, { recursive: true, force: true })
}
