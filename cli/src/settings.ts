import { type LoadedConfig, loadConfig, settingFlags } from '@postern/server/settings.ts'
import { type Flags, type Host, type Options, switchOption, textOption } from './command.ts'

/** Flags that any command which needs the settings understands. */
export const settingOptions: Options = {
  ...Object.fromEntries(
    settingFlags().map(({ flag, type, name, description }) => [flag, { type, help: `${description} (${name})` }]),
  ),
  config: textOption('JSON file with settings; environment variables and flags take precedence.'),
  json: switchOption('One JSON object per line on stdout.'),
}

/** Which data, and the form of the result. */
export const dataOptions: Options = Object.fromEntries(
  Object.entries(settingOptions).filter(([flag]) => ['data', 'config', 'json'].includes(flag)),
)

export function loadSettings(flags: Flags, { env, stderr }: Host): LoadedConfig {
  const { config: file, json: _, ...rest } = flags
  return loadConfig({
    env,
    flags: rest as Record<string, string | boolean>,
    file: typeof file === 'string' ? file : undefined,
    terminal: stderr.isTTY === true,
  })
}
