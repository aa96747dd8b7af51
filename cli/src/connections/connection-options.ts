import {
  type ConnectionOptions,
  callbackFieldPattern,
  callbackHostPattern,
  perMinuteMax,
  repeatWindowSecondsMax,
} from '@postern/server/words.ts'
import { type Flags, textOption } from '../command.ts'
import { wrongUsage } from '../exit-codes.ts'
import { choiceFlag, listFlag, textFlag } from '../read-flags.ts'

/** How a connection behaves. */
export const behaviour = {
  unknown: textOption('Response to a send with an unknown outcome: alias (a success; the default) or error.'),
  repeats: textOption('Whether retries of a request without a response are sent once: on (the default) or off.'),
  'repeat-window': textOption(
    `Seconds after a response in which an identical request counts as a retry, unless the customer has written since: 0 to ${repeatWindowSecondsMax} (default: 60).`,
  ),
  'max-per-minute': textOption('Maximum requests per minute: a number, or none (the default).'),
  window: textOption('Who checks the 24-hour window: check (Postern; the default) or meta.'),
  statuses: textOption('Which statuses it gets: own (the default) or all.'),
  echoes: textOption('Whether it gets messages that others send from its numbers: off (the default) or others.'),
  grouping: textOption('One message or status per callback: one (the default), or as_received.'),
  fields: textOption("Fields of Meta that it gets, comma-separated; '*' for all. Default: messages."),
  hosts: textOption("Hosts that the tool itself may set as its callback address, comma-separated; '*' for any."),
}

export function optionsOf(flags: Flags): Partial<ConnectionOptions> {
  const unknown = choiceFlag(flags, 'unknown', ['alias', 'error'] as const)
  const repeats = choiceFlag(flags, 'repeats', ['on', 'off'] as const)
  const window = choiceFlag(flags, 'window', ['check', 'meta'] as const)
  const statuses = choiceFlag(flags, 'statuses', ['own', 'all'] as const)
  const echoes = choiceFlag(flags, 'echoes', ['off', 'others'] as const)
  const grouping = choiceFlag(flags, 'grouping', ['one', 'as_received'] as const)
  const fields = listFlag(flags, 'fields')
  const hosts = listFlag(flags, 'hosts')
  const seconds = textFlag(flags, 'repeat-window')
  if (seconds !== null && !(/^\d{1,3}$/.test(seconds) && Number(seconds) <= repeatWindowSecondsMax)) {
    throw wrongUsage(`--repeat-window is a number of seconds from 0 to ${repeatWindowSecondsMax}.`)
  }
  const most = textFlag(flags, 'max-per-minute')
  if (most !== null && most !== 'none' && !(/^[1-9]\d{0,5}$/.test(most) && Number(most) <= perMinuteMax)) {
    throw wrongUsage(`--max-per-minute is a number from 1 to ${perMinuteMax}, or none.`)
  }
  return {
    ...(most !== null && { max_per_minute: most === 'none' ? null : Number(most) }),
    ...(unknown && { unknown }),
    ...(repeats && { repeats: repeats === 'on' }),
    ...(window && { window }),
    ...(statuses && { statuses }),
    ...(echoes && { echoes }),
    ...(grouping && { grouping }),
    ...(fields && { fields: matching('--fields', fields, callbackFieldPattern) }),
    ...(hosts && { hosts: matching('--hosts', hosts, callbackHostPattern) }),
    ...(seconds !== null && { repeat_window: Number(seconds) }),
  }
}

export function shownOptions(options: ConnectionOptions): [string, string][] {
  return Object.entries(options).map(([name, value]) => [name, String(value)])
}

function matching(flag: string, values: string[], pattern: string): string[] {
  const wrong = values.find((value) => !new RegExp(pattern).test(value))
  if (wrong !== undefined) throw wrongUsage(`${flag} cannot have '${wrong}'.`)
  return values
}
