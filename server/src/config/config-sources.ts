import { readFileSync } from 'node:fs'
import { nearest } from '../lib/text/edit-distance.ts'
import { type SettingKey, settings } from './config-schema.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Flags = Readonly<Record<string, string | boolean | undefined>>

/** The text of a setting and where it was found. `flag` is kept apart because it may hold a part of the value only. */
export type Found = { readonly text: string; readonly origin: string }
export type Texts = ReadonlyMap<SettingKey, { readonly flag: Found | undefined; readonly below: Found | undefined }>

export type Findings = { readonly problems: string[]; readonly warnings: string[] }

type Sources = { readonly env: Env; readonly flags: Flags; readonly file: string | undefined }
type FileValues = ReadonlyMap<string, string>

export const settingKeys = Object.keys(settings) as SettingKey[]

/** Finds each setting's text, environment before file, and names what nobody will read. */
export function readSources({ env, flags, file }: Sources, findings: Findings): Texts {
  const fileValues = file === undefined ? new Map<string, string>() : readConfigFile(file, findings)
  checkEnvNames(env, findings)
  return new Map(
    settingKeys.map((key) => {
      const below = fromEnv(key, env, findings) ?? fromFile(key, file, fileValues, findings)
      return [key, { flag: fromFlag(key, flags), below }]
    }),
  )
}

/** The key of a setting in the configuration file: `token_ttl` for POSTERN_TOKEN_TTL. */
export function fileKey(name: string): string {
  return name.replace(/^POSTERN_/, '').toLowerCase()
}

function fromFlag(key: SettingKey, flags: Flags): Found | undefined {
  const { flag } = settings[key]
  const given = flag === undefined ? undefined : flags[flag]
  return given === undefined ? undefined : { text: String(given), origin: `flag --${flag}` }
}

function fromEnv(key: SettingKey, env: Env, findings: Findings): Found | undefined {
  return eitherOf(settings[key], { lookUp: (name) => env[name], origin: 'environment' }, findings)
}

function fromFile(
  key: SettingKey,
  file: string | undefined,
  values: FileValues,
  findings: Findings,
): Found | undefined {
  return eitherOf(settings[key], { lookUp: (name) => values.get(fileKey(name)), origin: `file ${file}` }, findings)
}

/** A secret may stand in the variable itself or in the file that `<name>_FILE` names, not in both. */
function eitherOf(
  { name, secret }: { name: string; secret?: boolean },
  { lookUp, origin }: { lookUp: (name: string) => string | undefined; origin: string },
  findings: Findings,
): Found | undefined {
  // Compose files and charts pass empty variables for "not set".
  const text = lookUp(name)?.trim() || undefined
  const secretPath = secret ? lookUp(`${name}_FILE`)?.trim() || undefined : undefined
  if (secretPath === undefined) return text === undefined ? undefined : { text, origin }
  if (text !== undefined) {
    findings.problems.push(`${name} and ${name}_FILE are both set: keep one of them.`)
    return undefined
  }
  const content = readText(secretPath, `${name}_FILE`, findings)?.trim()
  if (content === '') findings.problems.push(`${name}_FILE names an empty file.`)
  return content ? { text: content, origin: `${origin} ${name}_FILE` } : undefined
}

function readConfigFile(file: string, findings: Findings): FileValues {
  const content = readText(file, '--config', findings)
  const parsed = content === undefined ? {} : parseObject(content)
  if (parsed === undefined) findings.problems.push(`The file of --config, ${file}, is not one JSON object.`)
  const values = new Map<string, string>()
  const known = new Set(knownNames().map(fileKey))
  for (const [key, value] of Object.entries(parsed ?? {})) {
    const text = asText(value)
    if (!known.has(key)) findings.problems.push(`"${key}" in ${file} is not a setting${didYouMean(key, known)}`)
    else if (text === undefined)
      findings.problems.push(`"${key}" in ${file} must be text, a number, true, false or a list.`)
    else values.set(key, text)
  }
  return values
}

/** Near a known name it is a typo and an error; further away it may belong to other software, so it is a warning. */
function checkEnvNames(env: Env, findings: Findings): void {
  const known = new Set(knownNames())
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('POSTERN_') || known.has(name) || isForOthers(name)) continue
    const guess = nearest(name, known, 2)
    if (guess === undefined) findings.warnings.push(`${name} is not a setting of Postern and is ignored.`)
    else findings.problems.push(`${name} is not a setting: did you mean ${guess}?`)
  }
}

/** The variables of the client, of `postern channels connect` and `postern verify`, and those Kubernetes injects into every pod beside a service called `postern`. */
function isForOthers(name: string): boolean {
  return /^POSTERN_(API_KEY$|API_SECRET$|CHANNEL_(TOKEN|APP_SECRET|PIN)$|WEBHOOK_SECRET$|SERVICE_|PORT)/.test(name)
}

function knownNames(): string[] {
  return settingKeys.flatMap((key) => {
    const { name, secret } = settings[key]
    return secret ? [name, `${name}_FILE`] : [name]
  })
}

function didYouMean(word: string, known: Iterable<string>): string {
  const guess = nearest(word, known, 2)
  return guess === undefined ? '.' : `: did you mean "${guess}"?`
}

function readText(path: string, setting: string, findings: Findings): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    findings.problems.push(`The file of ${setting}, ${path}, cannot be read (${reason}).`)
    return undefined
  }
}

function parseObject(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function asText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(asText)
    return parts.every((part) => part !== undefined) ? parts.join(',') : undefined
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}
