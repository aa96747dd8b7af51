/** Everything that can be said about the sources without running them: `npm run check`. Exits with 1 if anything fails. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, collect, npm, root, script, tool } from './run-command.ts'

type Check = readonly [name: string, command: Command]

const rooms = ['server', 'sandbox', 'sdk', 'cli', 'console', 'test', 'bench', 'scripts', 'examples']

const results = await Promise.all(checks().map(run))
process.exitCode = results.every(Boolean) ? 0 : 1

function checks(): Check[] {
  const folders = rooms.filter((room) => existsSync(join(root, room)))
  return [
    ['types', tool('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json')],
    ['types of the console', tool('typescript/bin/tsc', '--noEmit', '-p', 'console/tsconfig.json')],
    ['format and lint', tool('@biomejs/biome/bin/biome', 'check', '--colors=off')],
    ['promises', tool('oxlint/bin/oxlint', '--type-aware', ...folders)],
    ['generated files', script('scripts/generate.ts', '--check')],
    ['bugs to plant', script('scripts/mutants.ts', '--check')],
    ...documents().map((file): Check => [`lint of ${file}`, redocly(file)]),
    ['licences', script('scripts/release/check-licences.ts')],
    ['lock file', npm('ci', '--dry-run', '--no-audit', '--no-fund')],
  ]
}

function documents(): string[] {
  return ['docs/api/openapi.json', 'docs/api/console.json'].filter((file) => existsSync(join(root, file)))
}

function redocly(file: string): Command {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return { ...tool('@redocly/cli/bin/cli.js', 'lint', file, '--config', 'scripts/redocly.yaml'), env: quiet }
}

/** Each check reports when it is done; the output is shown only for those that fail. */
async function run([name, command]: Check): Promise<boolean> {
  const { ok, output, seconds } = await collect(command)
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)\n`)
  if (!ok) process.stdout.write(`${output.trimEnd().replaceAll(/^/gm, '        ')}\n`)
  return ok
}
