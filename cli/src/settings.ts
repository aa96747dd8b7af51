import type { ParseArgsOptionsConfig } from 'node:util'
import { type LoadedConfig, loadConfig, settingFlags } from '@postern/server/config/config.ts'
import type { Flags } from './command.ts'

const own = {
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

/** Flags that any command which needs the settings understands. */
export const settingOptions: ParseArgsOptionsConfig = {
  ...Object.fromEntries(settingFlags().map(({ flag, type }) => [flag, { type }])),
  ...own,
}

export const settingHelp: Record<string, string> = {
  ...Object.fromEntries(settingFlags().map(({ flag, name, description }) => [flag, `${description} (${name})`])),
  config: 'JSON file with settings; the environment and flags win over it.',
  json: 'One JSON object per line on stdout.',
}

export function loadSettings(flags: Flags): LoadedConfig {
  const { config: file, json: _, ...rest } = flags
  return loadConfig({
    flags: rest as Record<string, string | boolean>,
    file: typeof file === 'string' ? file : undefined,
  })
}
