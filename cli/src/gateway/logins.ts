import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Env } from '@postern/server/settings.ts'
import { readEnvironment } from '../env.ts'
import { CommandFailure } from '../exit-codes.ts'

export type Login = { base_url: string; api_key: string; api_secret: string }

/** Readable by this user alone, as main.ts sets the umask; `XDG_CONFIG_HOME` as other programs read it. */
function loginsFile(env: Env): string {
  return join(readEnvironment(env).configHome || join(homedir(), '.config'), 'postern', 'logins.json')
}

/** Newest first. */
export function readLogins(env: Env): Login[] {
  const file = loginsFile(env)
  if (!existsSync(file)) return []
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { logins: Login[] }).logins
  } catch {
    throw new CommandFailure(`${file} is damaged: delete it, and sign in again with 'postern login'.`)
  }
}

/** The login for this gateway, or the newest one when no gateway was named. */
export function findLogin(env: Env, baseUrl: string | null): Login | null {
  return readLogins(env).find(({ base_url }) => baseUrl === null || sameAddress(base_url, baseUrl)) ?? null
}

export function keepLogin(env: Env, login: Login): string {
  const others = readLogins(env).filter(({ base_url }) => !sameAddress(base_url, login.base_url))
  return writeLogins(env, [login, ...others])
}

/** False: there was none. */
export function dropLogin(env: Env, baseUrl: string): boolean {
  const logins = readLogins(env)
  const rest = logins.filter(({ base_url }) => !sameAddress(base_url, baseUrl))
  if (rest.length === logins.length) return false
  if (rest.length > 0) writeLogins(env, rest)
  else rmSync(loginsFile(env))
  return true
}

/** The file appears whole or stays as it was. */
function writeLogins(env: Env, logins: readonly Login[]): string {
  const file = loginsFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
  return file
}

export function sameAddress(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '')
}
