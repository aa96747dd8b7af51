/**
 * Builds the console's static files into console/dist: `node scripts/build-console.ts [--if-needed]`. `npm start` and
 * `npm test` call it with `--if-needed`: a hash of the sources, 0.1 s, decides. Speaks on stderr only.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, show, tool } from './run-command.ts'

const room = join(root, 'console')
const target = join(room, 'dist')
const stamp = '.sources'

export function consoleHasSources(): boolean {
  return existsSync(join(room, 'index.html'))
}

/** True when it built something. */
export async function buildConsole({ ifNeeded }: { ifNeeded: boolean }): Promise<boolean> {
  if (!consoleHasSources()) return false
  const hash = hashOfSources()
  if (ifNeeded && readStamp() === hash) return false
  const staging = join(room, `.dist-${process.pid}`)
  try {
    process.stderr.write('Building the console; this happens once and takes about 15 seconds.\n')
    await show(
      tool(
        'vite/bin/vite.js',
        'build',
        room,
        '--outDir',
        relative(room, staging),
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ),
    )
    mkdirSync(staging, { recursive: true })
    writeFileSync(join(staging, stamp), hash)
    replaceTarget(staging)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  process.stderr.write('Built the console.\n')
  return true
}

/** Moves aside, moves in, then removes: a reader finds old files or new ones, never half of them. */
function replaceTarget(staging: string): void {
  const old = join(room, `.dist-old-${process.pid}`)
  try {
    if (existsSync(target)) renameSync(target, old)
    renameSync(staging, target)
  } catch (error) {
    // Another process has just put its own build of the same sources there.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

function readStamp(): string | null {
  const file = join(target, stamp)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function hashOfSources(): string {
  const files = globSync('{index.html,package.json,tsconfig.json,vite.config.ts,src/**/*,public/**/*}', {
    cwd: room,
    withFileTypes: true,
  })
  const hash = createHash('sha256')
  // The changelog is one of the pages.
  for (const name of ['package-lock.json', 'CHANGELOG.md']) hash.update(readFileSync(join(root, name)))
  for (const file of files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(relative(room, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

if (import.meta.main) {
  try {
    await buildConsole({ ifNeeded: process.argv.includes('--if-needed') })
  } catch (error) {
    const missing = existsSync(join(root, 'node_modules', 'vite')) ? '' : ' Run "npm ci --include=dev" first.'
    process.stderr.write(`The console could not be built: ${(error as Error).message}.${missing}\n`)
    process.exitCode = 1
  }
}
