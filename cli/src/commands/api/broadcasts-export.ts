import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Command, switchOption, textOption } from '../../command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { explainGateway, gatewayClient, gatewayOptions } from '../../gateway/gateway-client.ts'
import { onlyWord, requiredFlag, textFlag } from '../../read-flags.ts'

export const exportResults: Command = {
  name: 'broadcasts export',
  summary: 'Write the recipients of a broadcast and what became of them to a CSV file.',
  examples: ['postern broadcasts export bct_01kb3m7y3t4d0v9v4k6q1t7r2c --out results.csv'],
  options: {
    out: textOption('The file to write.'),
    result: textOption('Only these, such as failed.'),
    force: switchOption('Overwrite an existing file.'),
    ...gatewayOptions,
    json: switchOption('One JSON object on stdout.'),
  },
  async run(invocation) {
    const { flags, positionals, output } = invocation
    const id = onlyWord(positionals, 'the broadcast id')
    const out = requiredFlag(flags, 'out', 'results.csv')
    if (existsSync(out) && flags.force !== true)
      throw wrongUsage(`${out} already exists: choose another name, or add --force.`)
    const result = textFlag(flags, 'result')
    const { client, baseUrl } = await gatewayClient(invocation)
    try {
      const path = `/v1/chat/broadcasts/${encodeURIComponent(id)}/recipients.csv`
      const query = { result: result ?? undefined }
      const response = await client.request<Response>({ method: 'GET', path, query, expect: 'response' })
      output.progress.step('Writing results')
      await pipeline(output.progress.counted(Readable.fromWeb(response.body as ReadableStream)), createWriteStream(out))
      output.progress.end()
      output.result({ id, file: out }, `${out}\n`)
      return exitCodes.ok
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
  },
}
