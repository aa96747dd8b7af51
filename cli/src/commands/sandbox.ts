import { readFileSync } from 'node:fs'
import { type Scenario, scenarioProblem } from '@postern/sandbox/messages/scenario.ts'
import { type Command, switchOption, textOption } from '../command.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { noWords, textFlag } from '../read-flags.ts'
import { untilAskedToStop } from '../signals.ts'

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'Run the sandbox, a WhatsApp mock, for your own tests. `serve` includes one.',
  examples: [
    'postern sandbox --approved --development',
    'postern sandbox --port 0 --scenario slow.json --unlimited --json',
  ],
  options: {
    port: textOption('Port on 127.0.0.1; 0 means any free port. Default 8081.'),
    scenario: textOption('JSON file with the behavior of the sandbox.'),
    state: textOption('File that stores the state of the sandbox. Without it, each run starts empty.'),
    approved: switchOption(
      "The first number has passed Meta's reviews. Without it: the number is new and not reviewed.",
    ),
    development: switchOption('Accept callback addresses with plain http or a self-signed certificate.'),
    unlimited: switchOption('Disable throughput, pair, portfolio and management limits.'),
    json: switchOption('One JSON object per line on stdout.'),
  },
  async run({ flags, positionals, output }) {
    noWords(positionals)
    const port = Number(textFlag(flags, 'port') ?? '8081')
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw wrongUsage('--port is a number from 0 to 65535.')
    const { startSandbox } = await import('@postern/sandbox/sandbox.ts')
    const running = await startSandbox({
      port,
      scenario: { ...readScenario(textFlag(flags, 'scenario')), ...(flags.unlimited ? { throttle: false } : {}) },
      stateFile: textFlag(flags, 'state'),
      approved: flags.approved === true,
      development: flags.development === true,
    })
    const { url, numbers } = running
    output.result({ event: 'ready', sandbox_url: url, numbers }, `The sandbox is ready on ${url}\n`)
    await untilAskedToStop(() => {})
    await running.close()
    return exitCodes.ok
  },
}

function readScenario(file: string | null): Scenario {
  if (file === null) return {}
  let scenario: unknown
  try {
    scenario = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw wrongUsage(`${file} is not a JSON file that can be read.`)
  }
  const problem = scenarioProblem(scenario as Parameters<typeof scenarioProblem>[0])
  if (problem !== null) throw wrongUsage(`${file}: ${problem}.`)
  return scenario as Scenario
}
