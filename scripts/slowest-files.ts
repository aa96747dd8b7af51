import type { Reporter, TestModule } from 'vitest/node'

const shown = 10
const budgetMs = 20_000

/** Prints the ten slowest test files after a run of many, with their processor time, and which are over the budget of a file (CONTRIBUTING.md). */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const rows = modules
      .map((module) => ({ file: module.relativeModuleId, ms: totalMs(module), cpuMs: module.meta().cpuMs ?? 0 }))
      .sort((a, b) => b.ms - a.ms)
    const over = rows.filter(({ ms }) => ms > budgetMs)
    const listed = rows.slice(0, Math.max(shown, over.length))
    const lines = listed.map(
      ({ file, ms, cpuMs }) =>
        `${seconds(ms).padStart(7)} s${seconds(cpuMs).padStart(7)} s  ${file}${ms > budgetMs ? '  (over)' : ''}`,
    )
    const [total, cpu] = [rows.reduce((sum, { ms }) => sum + ms, 0), rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0)]
    process.stdout.write(
      `\nThe ${listed.length} slowest of ${rows.length} files (${seconds(total)} s in all, with ${seconds(cpu)} s of ` +
        'processor time, without PostgreSQL and browsers that outlive a file), ' +
        `${over.length} of them over the budget of ${budgetMs / 1000} s:\n${lines.join('\n')}\n`,
    )
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

/** With what a file costs before its first test: its environment, its imports, its hooks. */
function totalMs(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}
