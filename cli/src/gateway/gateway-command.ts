import type { Postern } from '@postern/sdk'
import { type Command, type Flags, type Invocation, type Options, switchOption } from '../command.ts'
import { confirmByTyping } from '../confirm.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { explainGateway, gatewayClient, gatewayOptions } from './gateway-client.ts'

type Query = Record<string, string | number | undefined>
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Query
  body?: object
  lines?: { type: string; content: Blob }
}

type Parts<Data> = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  /** What the words after the name are, such as 'message id'; all of them are needed. */
  readonly words?: readonly string[] | ((flags: Flags) => readonly string[])
  readonly options?: Options
  /** The call of the API; ids in the path are escaped already. Refuses what makes no sense. */
  call(words: readonly string[], flags: Flags, invocation: Invocation): Call | Promise<Call>
  /** The answer for people. Without it: the JSON, indented. With --json it is printed as the API gave it. */
  text?(data: Data): string
  /** For calls that cannot be undone: what will happen. The first word must be typed again. */
  readonly warning?: string
}

/** A command that is one call of the API. */
export function gatewayCommand<Data extends object>(parts: Parts<Data>): Command {
  const { name, summary, examples, words: wanted = [], text = indented, warning } = parts
  const yes = warning === undefined ? {} : { yes: switchOption('Skip the confirmation.') }
  return {
    name,
    summary,
    examples,
    options: {
      ...parts.options,
      ...yes,
      ...gatewayOptions,
      json: switchOption("The API's response as one line of JSON."),
    },
    async run(invocation) {
      const { flags, positionals, output, host } = invocation
      requireWords(positionals, typeof wanted === 'function' ? wanted(flags) : wanted)
      const call = await parts.call(positionals.map(encodeURIComponent), flags, invocation)
      if (warning !== undefined && flags.yes !== true) {
        await confirmByTyping({ warning, word: positionals[0] ?? '' }, host)
      }
      const { client, baseUrl } = await gatewayClient(invocation)
      try {
        output.progress.step(name)
        const data = await ask<Data>(client, call)
        output.progress.end()
        output.result(data, text(data))
        return exitCodes.ok
      } catch (error) {
        throw explainGateway(error, baseUrl)
      }
    },
  }
}

const uploadMs = 600_000

/** The `data` of the answer, with the names of the API. */
export async function ask<Data>(client: Postern, call: Call): Promise<Data> {
  // A file takes as long as it takes, and is sent once.
  const options = call.lines ? { timeoutMs: uploadMs, maxRetries: 0 } : {}
  const response = await client.request<Response>({ ...call, expect: 'response' }, options)
  return ((await response.json()) as { data: Data }).data
}

function requireWords(words: readonly string[], wanted: readonly string[]): void {
  if (words.length === wanted.length) return
  throw wrongUsage(
    wanted.length === 0 ? `'${words[0]}' is not recognized here; see --help.` : `Give the ${wanted.join(' and the ')}.`,
  )
}

function indented(data: object): string {
  return `${JSON.stringify(data, null, 2)}\n`
}
