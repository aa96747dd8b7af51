import { createWriteStream, existsSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Command, type Flags, type Options, switchOption, textOption } from '../command.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { onlyWord, requiredFlag } from '../read-flags.ts'
import { explainGateway, gatewayClient, gatewayOptions } from './gateway-client.ts'
import type { Call } from './gateway-command.ts'

type Parts = Pick<Command, 'name' | 'summary' | 'examples'> & {
  /** What the one word after the name is. */
  readonly word: string
  readonly example: string
  readonly options?: Options
  call(id: string, flags: Flags): Call
  result(id: string): object
}

/** A command that writes what one call of the API responds with to a file. */
export function downloadCommand({ name, summary, examples, word, example, options, call, result }: Parts): Command {
  return {
    name,
    summary,
    examples,
    options: {
      out: textOption('The file to write.'),
      ...options,
      force: switchOption('Overwrite an existing file.'),
      ...gatewayOptions,
      json: switchOption('One JSON object on stdout.'),
    },
    async run(invocation) {
      const { flags, positionals, output } = invocation
      const id = onlyWord(positionals, word)
      const out = requiredFlag(flags, 'out', example)
      if (existsSync(out) && flags.force !== true)
        throw wrongUsage(`${out} already exists: choose another name, or add --force.`)
      const { client, baseUrl } = await gatewayClient(invocation)
      try {
        const request = { ...call(encodeURIComponent(id), flags), expect: 'response' } as const
        const response = await client.request<Response>(request)
        const total = Number(response.headers.get('content-length') ?? Number.NaN)
        output.progress.step(`Writing ${basename(out)}`, Number.isNaN(total) ? {} : { total })
        const bytes = Readable.fromWeb(response.body as ReadableStream)
        await pipeline(output.progress.counted(bytes), createWriteStream(out))
        output.progress.end()
        output.result({ ...result(id), file: out }, `${out}\n`)
        return exitCodes.ok
      } catch (error) {
        throw explainGateway(error, baseUrl)
      }
    },
  }
}
