import { buildProgram } from './build-program.ts'

let built: Promise<string> | null = null

/** Builds the program once for all projects of a run; `startPostern` finds it in the environment. */
export default async function globalProgram(): Promise<void> {
  built ??= buildProgram()
  process.env.TEST_POSTERN = await built
}
