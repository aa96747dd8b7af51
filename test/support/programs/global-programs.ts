import { buildPrograms } from './build-programs.ts'

let built: Promise<string> | null = null

/** Bundles what tests start, once for all projects of a run; `programFile` finds the folder in the environment. */
export default async function globalPrograms(): Promise<void> {
  built ??= buildPrograms()
  process.env.TEST_PROGRAMS = await built
}
