import type { Reporter, TestModule } from 'vitest/node'

const shown = 10

/** Prints the ten slowest test files after a run of many, so that slowness is seen on the day it comes. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const rows = modules
      .map((module) => ({ file: module.relativeModuleId, ms: totalMs(module) }))
      .sort((a, b) => b.ms - a.ms)
    const total = rows.reduce((sum, { ms }) => sum + ms, 0)
    const lines = rows.slice(0, shown).map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
    process.stdout.write(`\nThe ${shown} slowest of ${rows.length} files (${(total / 1000).toFixed(0)} s in all):\n`)
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}

/** With what a file costs before its first test: its environment, its imports, its hooks. */
function totalMs(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}
