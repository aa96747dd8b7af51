import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Database } from '../store/engine/database.ts'
import { chooseDatabase } from './config-database.ts'
import { type Environment, type Setting, type SettingKey, settings, type ValueOf } from './config-schema.ts'
import {
  type Env,
  type Findings,
  type Flags,
  type Found,
  readSources,
  settingKeys,
  type Texts,
} from './config-sources.ts'

type Values = { readonly [Key in SettingKey]: ValueOf<(typeof settings)[Key]> }

/** The effective configuration: one field for each row of the table, with defaults resolved. */
export type Config = Omit<Values, 'databaseUrl' | 'logFormat' | 'processes'> & {
  readonly database: Database
  readonly processes: number
  readonly logFormat: 'json' | 'pretty'
}

export type LoadedConfig = {
  readonly config: Config
  readonly origins: Readonly<Record<SettingKey, string>>
  readonly warnings: readonly string[]
}

export type ConfigSources = {
  readonly env?: Env
  /** By flag name; flags that are no settings are left to the command line. */
  readonly flags?: Flags
  /** Path of the JSON file given by `--config`. */
  readonly file?: string | undefined
  /** Whether stderr is a terminal: people get pretty logs. */
  readonly terminal?: boolean
}

/** Carries every problem found, one sentence each, so that an operator fixes them all in one go. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Flags win over the environment, the environment over the file, the file over defaults. */
export function loadConfig({
  env = process.env,
  flags = {},
  file,
  terminal = process.stderr.isTTY === true,
}: ConfigSources = {}): LoadedConfig {
  const findings: Findings = { problems: [], warnings: [] }
  const texts = readSources({ env, flags, file }, findings)
  const environment = readEnvironment(texts)
  const read = settingKeys.map(
    (key) => [key, readSetting(settings[key], texts.get(key), environment, findings)] as const,
  )
  const values = Object.fromEntries(read.map(([key, { value }]) => [key, value])) as Values
  const origins = Object.fromEntries(read.map(([key, { origin }]) => [key, origin])) as Record<SettingKey, string>
  checkTogether(values, origins, findings)
  if (findings.problems.length > 0) throw new ConfigError(findings.problems)
  return { config: decide(values, terminal), origins, warnings: findings.warnings }
}

/** The settings that the command line takes as flags, for its parser and its help. */
export function settingFlags() {
  return settingKeys.flatMap((key) => {
    const { flag, name, kind, description }: Setting<unknown> = settings[key]
    const type = kind.type === 'bool' ? ('boolean' as const) : ('string' as const)
    return flag === undefined ? [] : [{ flag, name, type, description }]
  })
}

/** The effective settings for people; of a secret only whether it is set. */
export function describeConfig({ config, origins }: LoadedConfig) {
  const values: Partial<Record<SettingKey, unknown>> = config
  return settingKeys.map((key) => {
    const { name, description, secret, kind }: Setting<unknown> = settings[key]
    const value = values[key]
    const isSet = secret ? origins[key] !== 'default' : value !== null
    const shown = isSet ? (secret ? 'set' : kind.show(value)) : ''
    return { name, value: shown || 'not set', origin: origins[key], description }
  })
}

/** For operators: the settings of a running node. Of a secret only whether there is one. */
export function settingsInForce(config: Config) {
  const values: Partial<Record<SettingKey, unknown>> = config
  return settingKeys.flatMap((key) => {
    if (!(key in values)) return []
    const { name, description, secret, kind }: Setting<unknown> = settings[key]
    const value = values[key]
    const shown = value === null || value === undefined ? '' : secret ? 'set' : kind.show(value)
    return [{ name, value: shown || 'not set', description }]
  })
}

/** Known before the rest, because defaults depend on it. A wrong value is reported when its own row is read. */
function readEnvironment(texts: Texts): Environment {
  return texts.get('env')?.below?.text === 'production' ? 'production' : 'development'
}

type Reading = { readonly value: unknown; readonly origin: string }

function readSetting(
  row: Setting<unknown>,
  texts: { flag: Found | undefined; below: Found | undefined } | undefined,
  environment: Environment,
  findings: Findings,
): Reading {
  const { kind } = row
  let reading: Reading = { value: defaultValue(row, environment), origin: 'default' }
  for (const found of [texts?.below, texts?.flag]) {
    if (found === undefined) continue
    const isPort = found === texts?.flag && kind.withPort !== undefined
    const value = isPort ? kind.withPort?.(found.text, reading.value) : kind.parse(found.text)
    if (value === undefined) findings.problems.push(refusal(row, found, isPort))
    else reading = { value, origin: found.origin }
  }
  return reading
}

/** Repeats what was written, so that a typo is seen at once; never for a secret. */
function refusal({ name, kind, secret }: Setting<unknown>, { text, origin }: Found, isPort: boolean): string {
  const got = secret ? '' : `, not ${JSON.stringify(text.slice(0, 80))}`
  return isPort ? `The ${origin} must be a port from 0 to 65535${got}.` : `${name} ${kind.must}${got} (${origin}).`
}

function defaultValue(row: Setting<unknown>, environment: Environment): unknown {
  if (row.default === null) return null
  const value = row.kind.parse(typeof row.default === 'string' ? row.default : row.default[environment])
  if (value === undefined) throw new Error(`The default of ${row.name} does not fit its own kind`)
  return value
}

function checkOidc({ env, oidcIssuer, oidcClientId, passwordSignIn }: Values, problems: string[]): void {
  if (oidcIssuer === null) {
    if (!passwordSignIn)
      problems.push('POSTERN_PASSWORD_SIGN_IN=false needs POSTERN_OIDC_ISSUER: nobody could sign in.')
    return
  }
  if (oidcClientId === null) problems.push('POSTERN_OIDC_CLIENT_ID is required with POSTERN_OIDC_ISSUER.')
  const isLocal = env !== 'production' && /^http:\/\/(localhost|127\.0\.0\.1)([:/]|$)/.test(oidcIssuer)
  if (oidcIssuer.startsWith('http:') && !isLocal) problems.push('POSTERN_OIDC_ISSUER needs https.')
}

/** Rules that no single setting can know. */
function checkTogether(values: Values, origins: Record<SettingKey, string>, { problems, warnings }: Findings): void {
  checkOidc(values, problems)
  if (values.smtpUrl !== null && values.mailFrom === null) {
    problems.push('POSTERN_MAIL_FROM is required with POSTERN_SMTP_URL.')
  }
  const { env, listen, adminListen, sandboxListen, webhookCaFile, webhookDevAllow } = values
  const withSandbox = env !== 'production' && sandboxListen !== 'off'
  const ports = [listen, adminListen, ...(withSandbox ? [sandboxListen] : [])]
    .map(({ port }) => port)
    .filter((port) => port !== 0)
  if (new Set(ports).size < ports.length) {
    problems.push('POSTERN_LISTEN, POSTERN_ADMIN_LISTEN and POSTERN_SANDBOX_LISTEN need three different ports.')
  }
  if (webhookCaFile !== null && !hasCertificate(webhookCaFile)) {
    problems.push(`The file of POSTERN_WEBHOOK_CA_FILE, ${webhookCaFile}, cannot be read as certificates in PEM form.`)
  }
  const everybody = values.trustProxy.find((range) => range.endsWith('/0'))
  if (everybody !== undefined) {
    warnings.push(`POSTERN_TRUST_PROXY contains ${everybody}: every client could then forge its own address.`)
  }
  checkMediaStore(values, origins, { problems, warnings })
  const { retentionContentDays: content, retentionDeliveriesDays: deliveries } = values
  if (deliveries > content && origins.retentionDeliveriesDays !== 'default') {
    warnings.push(
      `POSTERN_RETENTION_DELIVERIES_DAYS (${deliveries}) is reduced to POSTERN_RETENTION_CONTENT_DAYS (${content}): events contain message texts.`,
    )
  }
  if (values.databaseUrl === null && values.processes !== 1) {
    problems.push(
      'POSTERN_PROCESSES must be 1 on SQLite, which only one process can write to: set POSTERN_DATABASE_URL to use PostgreSQL and more processes.',
    )
  }
  if (env === 'production') checkProduction(values, origins, { problems, warnings })
  else if (webhookDevAllow.length > 0) {
    warnings.push('POSTERN_WEBHOOK_DEV_ALLOW lets webhooks reach private addresses: for development only.')
  }
}

/** A key that could not be read has its own sentence already. */
function checkMediaStore(values: Values, origins: Record<SettingKey, string>, { problems, warnings }: Findings): void {
  const keys = ['mediaStoreAccessKeyId', 'mediaStoreSecretAccessKey'] as const
  if (values.mediaStore === null) {
    const rest = [...keys, 'mediaStoreEndpoint', 'mediaStoreRegion'] as const
    const named = rest.find((key) => origins[key] !== 'default')
    if (named && !problems.some((problem) => problem.includes('POSTERN_MEDIA_STORE '))) {
      warnings.push(`${settings[named].name} has no effect without POSTERN_MEDIA_STORE.`)
    }
    return
  }
  for (const key of keys) {
    const { name } = settings[key]
    if (values[key] === null && !problems.some((problem) => problem.includes(name))) {
      problems.push(`${name} (or ${name}_FILE) is required with POSTERN_MEDIA_STORE.`)
    }
  }
  if (values.mediaStoreEndpoint?.startsWith('http:')) {
    warnings.push('POSTERN_MEDIA_STORE_ENDPOINT is not https: files are sent to it unencrypted.')
  }
}

function checkProduction(values: Values, origins: Record<SettingKey, string>, { problems, warnings }: Findings): void {
  // A key that could not be read has its own sentence already.
  if (values.masterKey === null && !problems.some((problem) => problem.includes('POSTERN_MASTER_KEY'))) {
    problems.push(
      'POSTERN_MASTER_KEY (or POSTERN_MASTER_KEY_FILE) is required when POSTERN_ENV=production: create one with `openssl rand -hex 32`.',
    )
  }
  if (values.webhookDevAllow.length > 0) {
    problems.push('POSTERN_WEBHOOK_DEV_ALLOW is not allowed when POSTERN_ENV=production: remove it.')
  }
  if (values.sandboxListen !== 'off') {
    warnings.push(`The sandbox is not started when POSTERN_ENV=production (${origins.sandboxListen} is ignored).`)
  }
  if (values.baseUrl === null) {
    warnings.push('POSTERN_BASE_URL is not set: links point to localhost.')
  } else if (!values.baseUrl.startsWith('https:')) {
    warnings.push('POSTERN_BASE_URL is not https: Meta calls only https addresses, and passwords are sent unencrypted.')
  }
}

function decide({ databaseUrl, ...values }: Values, terminal: boolean): Config {
  const { env, dataDir, logFormat, sandboxListen, processes } = values
  return Object.freeze({
    ...values,
    database: chooseDatabase(dataDir, databaseUrl),
    processes: processes === 'auto' ? availableParallelism() : processes,
    logFormat: logFormat === 'auto' ? (terminal ? 'pretty' : 'json') : logFormat,
    sandboxListen: env === 'production' ? 'off' : sandboxListen,
    // Events repeat what was written, and receivers what they were sent: neither outlives the message.
    retentionDeliveriesDays: Math.min(values.retentionDeliveriesDays, values.retentionContentDays),
  })
}

function hasCertificate(path: string): boolean {
  try {
    return Boolean(new X509Certificate(readFileSync(path, 'utf8')))
  } catch {
    return false
  }
}
