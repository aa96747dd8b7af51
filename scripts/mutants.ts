/**
 * Plants bugs one at a time and runs the test that must notice each: `npm run mutants`, or `npm run mutants -- quota tn13`
 * for areas and single bugs. The bug stands in the working tree while its test runs; the file is put back afterwards, also
 * when the run is stopped. With `--check` it only looks whether every bug can still be planted.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { accessMutants } from './mutants/access.ts'
import { broadcastMutants } from './mutants/broadcasts.ts'
import { clientMutants } from './mutants/clients.ts'
import { costMutants } from './mutants/costs.ts'
import { installationMutants } from './mutants/installation.ts'
import { messageMutants } from './mutants/messages.ts'
import type { Mutant } from './mutants/mutant.ts'
import { peopleMutants } from './mutants/people.ts'
import { platformMutants } from './mutants/platform.ts'
import { relayMutants } from './mutants/relays.ts'
import { storeMutants } from './mutants/store.ts'
import { webhookMutants } from './mutants/webhooks.ts'
import { collect, root, tool } from './run-command.ts'

const mutants = [
  ...costMutants,
  ...messageMutants,
  ...platformMutants,
  ...accessMutants,
  ...peopleMutants,
  ...broadcastMutants,
  ...installationMutants,
  ...storeMutants,
  ...webhookMutants,
  ...relayMutants,
  ...clientMutants,
]
const wanted = process.argv.slice(2)
/** Whether a test passes without any bug. */
const passing = new Map<string, Promise<boolean>>()

if (wanted.includes('--check')) report(mutants.flatMap(problemsWith))
else await plantAll()

function report(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

function problemsWith({ id, file, find, replace, test }: Mutant): string[] {
  const times = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(find).length - 1 : 0
  const same = mutants.filter((mutant) => mutant.id === id).length
  return [
    ...(times === 1 ? [] : [`${id}: "${find}" stands ${times} times in ${file}, and must stand there once.`]),
    ...(replace === find ? [`${id} changes nothing.`] : []),
    ...(same === 1 ? [] : [`${id} stands ${same} times in the table.`]),
    ...(existsSync(join(root, test)) ? [] : [`${id}: there is no ${test}.`]),
  ]
}

async function plantAll(): Promise<void> {
  const chosen = mutants.filter(({ id, area }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(area))
  const problems = [...chosen.flatMap(problemsWith), ...(await uncommitted(chosen.map(({ file }) => file)))]
  if (problems.length > 0 || chosen.length === 0) return report([...problems, 'Nothing was planted.'])
  const verdicts = new Map<Mutant, Verdict>()
  for (const mutant of chosen) {
    const { verdict, reason } = await judge(mutant)
    verdicts.set(mutant, verdict)
    process.stdout.write(`${verdict.padEnd(10)} ${mutant.id.padEnd(6)} ${mutant.file}\n${reason}`)
  }
  process.stdout.write('\n')
  for (const [area, some] of Map.groupBy(chosen, (mutant) => mutant.area)) {
    const caught = some.filter((mutant) => verdicts.get(mutant) === 'caught').length
    process.stdout.write(`${area.padEnd(12)} ${caught} of ${some.length} caught\n`)
    if (caught < some.length) process.exitCode = 1
  }
}

/** What `git` would have to bring back if this process were killed must be in it. */
async function uncommitted(files: readonly string[]): Promise<string[]> {
  const { output } = await collect({ program: 'git', args: ['status', '--porcelain', '--', ...new Set(files)] })
  return output.trim() === ''
    ? []
    : [`Commit these changes first, bugs are planted in their files:\n${output.trimEnd()}`]
}

/** `not judged`: the test fails without the bug, or no test ran with it. */
type Verdict = 'caught' | 'survived' | 'not judged'

async function judge({ file, find, replace, test }: Mutant): Promise<{ verdict: Verdict; reason: string }> {
  const passes = passing.get(test) ?? runTest(test).then(({ ok }) => ok)
  passing.set(test, passes)
  if (!(await passes)) return { verdict: 'not judged', reason: `  ${test} fails without the bug\n` }
  const path = join(root, file)
  const original = readFileSync(path, 'utf8')
  const restore = () => writeFileSync(path, original)
  const stop = () => process.exit(130)
  process.once('exit', restore).once('SIGINT', stop).once('SIGTERM', stop)
  try {
    writeFileSync(
      path,
      original.replace(find, () => replace),
    )
    const { ok, output } = await runTest(test)
    if (ok) return { verdict: 'survived', reason: '' }
    const plain = stripVTControlCharacters(output)
    return { verdict: noticed(plain) ? 'caught' : 'not judged', reason: firstFailure(plain) }
  } finally {
    restore()
    process.off('exit', restore).off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** A test that failed, or a story that could not begin; not a bug that does not even load. */
function noticed(output: string): boolean {
  return (
    /^ +Tests .*\d+ failed/m.test(output) ||
    (/Failed Suites/.test(output) && !/SyntaxError|Transform failed/.test(output))
  )
}

/** Which test failed and with what: a bug that is only caught by a time limit, or by accident, is not caught. */
function firstFailure(output: string): string {
  const lines = output.split('\n')
  const at = lines.findIndex((line) => line.startsWith(' FAIL '))
  if (at < 0) return ''
  const said = lines.slice(at).find((line) => !line.startsWith(' FAIL ')) ?? ''
  return [lines[at] ?? '', said].map((line) => `  ${line.trim().slice(0, 300)}\n`).join('')
}

function runTest(test: string) {
  return collect(tool('vitest/vitest.mjs', 'run', '--bail=1', test))
}
