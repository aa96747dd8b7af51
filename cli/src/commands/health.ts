import type { Command } from '../command.ts'
import { CommandFailure, exitCodes } from '../exit-codes.ts'
import { localAddress } from '../local-address.ts'
import { noWords } from '../read-flags.ts'
import { loadSettings, settingOptions } from '../settings.ts'

/** The gateway answers within 2 s, also when its database does not. */
const answerMs = 4_000

export const health: Command = {
  name: 'health',
  summary: 'Check whether the gateway on this machine is ready. Exits with 1 if it is not.',
  examples: ['postern health', 'postern health --port 9000 --json'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config } = loadSettings(flags, host)
    const address = localAddress(config.listen)
    const response = await ask(`${address}/readyz`)
    if (!response) throw new CommandFailure(`No gateway responds at ${address}.`)
    if (!response.ok)
      throw new CommandFailure(`The gateway at ${address} is not ready: ${await failingChecks(response)}.`)
    output.result({ ready: true }, 'The gateway is ready.\n')
    return exitCodes.ok
  },
}

async function ask(url: string): Promise<Response | null> {
  return fetch(url, { signal: AbortSignal.timeout(answerMs), redirect: 'manual' }).catch(() => null)
}

async function failingChecks(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { checks?: { name: string; status: string }[] } | null
  const failing = body?.checks?.filter(({ status }) => status === 'failing').map(({ name }) => name) ?? []
  return failing.length > 0 ? failing.join(', ') : `status ${response.status}`
}
