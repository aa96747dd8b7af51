import { readFileSync } from 'node:fs'
import type { Env } from '@postern/server/settings.ts'
import { readEnvironment } from '../env.ts'
import { wrongUsage } from '../exit-codes.ts'

export type ChannelSecrets = { accessToken: string; appSecret: string | null; pin: string | null }

/** From a JSON file or stdin where one is named, otherwise from the  Never from flags: others can read those. */
export function readChannelSecrets(file: string | null, env: Env): ChannelSecrets {
  const { channelToken, channelAppSecret, channelPin } = readEnvironment(env)
  const given = file === null ? {} : readJson(file)
  return {
    accessToken: required(given.access_token, channelToken, 'access_token', 'POSTERN_CHANNEL_TOKEN'),
    // Where the operator's app is used, its secret is a setting of the gateway.
    appSecret: textOf(given.app_secret) ?? textOf(channelAppSecret),
    pin: textOf(given.pin) ?? textOf(channelPin),
  }
}

function required(given: unknown, fromEnvironment: string | undefined, field: string, variable: string): string {
  const value = textOf(given) ?? textOf(fromEnvironment)
  if (value === null) throw wrongUsage(`Set ${variable}, or put ${field} into the file of --secrets.`)
  return value
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function readJson(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw wrongUsage(`The file ${file} does not exist.`)
  }
  throw wrongUsage('--secrets needs one JSON object: {"access_token": "…", "app_secret": "…"}.')
}
