import { setTimeout as delay } from 'node:timers/promises'
import type { CheckStep, ConnectResult, ManualSetup } from '@postern/server/channels.ts'
import type { Invocation } from '../command.ts'
import { carryOut, type DataCommand } from '../data-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { countFlag } from '../read-flags.ts'
import { loadSettings } from '../settings.ts'

const lookEveryMs = 1_000
const waitSecondsDefault = 600

/**
 * Connects, prints what a person enters in the App Dashboard, waits until Meta has verified the address, and then sets
 * what needed it: the platform refuses the override before the app is subscribed.
 */
export async function connectByHand(
  { flags, output, host }: Invocation,
  args: object,
  { connect, manual: look, check: checkAll }: Verbs,
): Promise<number> {
  const { config } = loadSettings({ data: flags.data, config: flags.config }, host)
  const waitSeconds = countFlag(flags, 'wait', { max: 86_400 }) ?? waitSecondsDefault
  const { steps, channel, manual } = (await carryOut(config, connect, args)) as ConnectResult
  if (!channel || !manual) {
    output.result({ ok: false, channel, steps }, `${stepLines(steps)}There is nothing to enter manually.\n`)
    return exitCodes.failure
  }
  output.result({ channel: channel.id, manual }, manualText(manual))
  const named = { account: typeof flags.account === 'string' ? flags.account : null, channel: channel.id }
  const endsMs = performance.now() + waitSeconds * 1_000
  output.note(`Waiting up to ${waitSeconds} s for Meta to verify the address. Press Ctrl+C to stop; nothing is lost.`)
  while (!((await carryOut(config, look, named)) as ManualSetup).verified) {
    if (performance.now() >= endsMs) {
      output.note(`Meta has not verified the address yet. Later: postern channels check ${channel.id} --repair`)
      return exitCodes.failure
    }
    await delay(lookEveryMs)
  }
  const check = (await carryOut(config, checkAll, { ...named, repair: true, takeOver: false })) as Checked
  output.result(check, check.checks.map((one) => stepLines(one.steps)).join(''))
  return check.ok ? exitCodes.ok : exitCodes.failure
}

type Verbs = { connect: DataCommand; manual: DataCommand; check: DataCommand }
type Checked = { ok: boolean; checks: { steps: ConnectResult['steps'] }[] }

export function manualText({ callback_url, verify_token, fields, verified }: ManualSetup): string {
  return `In Meta's App Dashboard, under Use cases, Customize, Configuration, enter

  Callback URL   ${callback_url}
  Verify token   ${verify_token}

choose "Verify and save", then subscribe these fields:

${fields.map((field) => `  ${field}\n`).join('')}
${verified ? 'Meta has verified this address.' : 'Meta has not verified this address yet.'}
`
}

/** The steps of a check for people: what was found, and what to do where it is wrong. */
export function stepLines(steps: readonly CheckStep[]): string {
  return steps
    .map(({ name, status, sentence, fix }) => {
      const line = `${status.padEnd(8)}${name.padEnd(17)}${sentence}\n`
      return fix === null ? line : `${line}${' '.repeat(25)}Fix: ${fix}\n`
    })
    .join('')
}
