import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { childEnvironment, chownTree, type RunAs } from './postgres-binaries.ts'

/** Sorts as a language does, like most databases: where the order of bytes matters, a statement has to see to it. */
const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', ...locale, '--no-sync', '--no-instructions']
const cache = path.resolve(import.meta.dirname, '../../../node_modules/.cache/postgres')

/**
 * Fills `data` with what `initdb` makes, for a server of these binaries. To make it takes a second of processor time, to
 * copy it a tenth, and a test run starts about ten servers.
 */
export function copyInitialised(bin: string, data: string, runAs: RunAs): void {
  const kept = path.join(cache, nameOf(bin))
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true })
    return
  }
  chownTree(path.dirname(data), runAs)
  initialise(bin, data, runAs)
  keep(data, kept)
}

function keep(data: string, kept: string): void {
  const staging = `${kept}.${process.pid}`
  try {
    cpSync(data, staging, { recursive: true })
    renameSync(staging, kept)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(kept)) throw error
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Other binaries, or other options, make other data. */
function nameOf(bin: string): string {
  const { size, mtimeMs } = statSync(path.join(bin, 'postgres'))
  return createHash('sha256')
    .update(JSON.stringify([size, mtimeMs, options]))
    .digest('hex')
    .slice(0, 16)
}

function initialise(bin: string, data: string, runAs: RunAs): void {
  const cwd = path.dirname(data)
  const child = { ...runAs, cwd, env: childEnvironment(cwd), encoding: 'utf8' } as const
  const result = spawnSync(path.join(bin, 'initdb'), ['-D', data, ...options], child)
  if (result.status === 0) return
  rmSync(cwd, { recursive: true, force: true })
  throw new Error(`initdb failed: ${result.error?.message ?? ''}${result.stderr}${result.stdout}`)
}
