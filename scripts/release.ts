/**
 * Everything that a release publishes, in dist/, for both architectures: `npm run release`. Then it installs what can run on
 * this host and sends a message with it. Options are those of scripts/build.ts, such as `--node-image` and `--base-image`.
 */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, script, show } from './run-command.ts'

const { values } = parseArgs({ options: { out: { type: 'string' } }, strict: false })
const out = typeof values.out === 'string' ? values.out : join(root, 'dist')

try {
  await show(script('scripts/build.ts', '--arch', 'x64,arm64', ...process.argv.slice(2)))
  await show(script('scripts/release/check-release.ts', out))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
