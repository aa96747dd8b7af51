import { writeFileSync } from 'node:fs'
import { requireNumber } from '@postern/server/channels.ts'
import { type Probe, probeContract, probeLines } from '../channels/probe-contract.ts'
import { accountOption, chooseAccount } from '../choose-account.ts'
import { textOption } from '../command.ts'
import { type DataCommand, dataCommand } from '../data-command.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { onlyWord, textFlag } from '../read-flags.ts'

const probe = dataCommand({
  name: 'channels probe',
  summary: "Compare Meta's real responses with the recorded contract. Read-only, unless --send-to is given.",
  examples: [
    'postern channels probe',
    'postern channels probe +351210000000 --account "Acme Store" --record differences.json',
    'postern channels probe --send-to +351912345678 --json',
  ],
  options: {
    ...accountOption,
    record: textOption('File for the differences: names of fields and types of values, no personal data.'),
    'send-to': textOption('Also send the template hello_world to this phone number, and compare the response.'),
  },
  args(flags, words) {
    const number = words.length === 0 ? null : onlyWord(words, 'the number by id or as +351210000000')
    const sendTo = textFlag(flags, 'send-to')
    if (sendTo !== null && !/^\+\d{7,15}$/.test(sendTo))
      throw wrongUsage('--send-to is a number such as +351912345678.')
    return { account: textFlag(flags, 'account'), number, sendTo }
  },
  async run(rt, { account: named, number: from, sendTo }): Promise<Result> {
    const account = await chooseAccount(rt, named)
    const { credentials } = await requireNumber(rt, account.id, { from })
    const probes = await probeContract(credentials, sendTo)
    const ok = probes.every(({ outcome }) => outcome !== 'differs')
    return { ok, graph_version: credentials.graphVersion, probes }
  },
  text: ({ probes }) => probeLines(probes),
  exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure),
})

type Result = { ok: boolean; graph_version: string; probes: Probe[] }

/** The deed may run inside a server; the file is written where the command was typed. */
export const channelsProbe: DataCommand = {
  ...probe,
  run(invocation) {
    const file = textFlag(invocation.flags, 'record')
    if (file === null) return probe.run(invocation)
    const { output } = invocation
    const result: typeof output.result = (found, text) => {
      const { graph_version, probes } = found as Result
      const differing = probes.filter(({ outcome }) => outcome === 'differs' || outcome === 'refused')
      writeFileSync(file, `${JSON.stringify({ graph_version, differing }, null, 2)}\n`)
      output.result(found, `${text}Written to ${file}.\n`)
    }
    return probe.run({ ...invocation, output: { ...output, result } })
  },
}
