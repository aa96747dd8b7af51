import { setTimeout as delay } from 'node:timers/promises'
import type { Message, Postern } from '@postern/sdk'
import type { DryRun } from '@postern/server/words.ts'
import { type Command, type Flags, type Output, switchOption, textOption } from '../../command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { detailLines, explainGateway, gatewayClient, gatewayOptions } from '../../gateway/gateway-client.ts'
import { pairs } from '../../output/table.ts'
import { countFlag, noWords, requiredFlag, textFlag } from '../../read-flags.ts'
import { jsonFile } from '../../read-json.ts'

/** What is sent from a file: the last part of the path of its call. */
const types = ['media', 'interactive', 'location', 'contacts', 'sticker', 'reaction', 'template'] as const

type Draft = { kind: 'send' | (typeof types)[number]; body: object }
type Sent = { message_id: string; status: string }

const waitSecondsDefault = 30

export const send: Command = {
  name: 'send',
  summary: 'Send a message through the API, and follow it to the phone with --wait.',
  examples: [
    'postern send --to +12025550100 --text "Hi" --wait',
    'postern send --to +12025550100 --template order_confirmation --var Ana --var A-1001 --var 42',
    'postern send --to +12025550100 --template order_confirmation --var name=Ana --var order_id=A-1001 --var total=42',
    'postern send --to +12025550100 --template hello_world --language en_US --dry-run --json',
    'postern send --to +12025550100 --template hello_world --at 2026-12-01T09:00:00Z --reference visit-77',
    'postern send --to +12025550100 --type interactive --file buttons.json',
  ],
  options: {
    to: textOption('Phone number of the customer, with + and country code.'),
    text: textOption("Text of the message; allowed within 24 hours of the customer's last message."),
    template: textOption('Name of an approved template; allowed at any time.'),
    language: textOption('Language of the template. Default en_US.'),
    var: {
      ...textOption(
        'A value for the body; repeat it in order, or write all as name=value. For the value a=b itself, write "=a=b".',
      ),
      multiple: true,
    },
    type: textOption(`With --file: ${types.join(', ')}.`),
    file: textOption('A file with the body of POST /v1/chat/messages/{type}; - reads standard input.'),
    from: textOption('One of your numbers, or its id. Default: the default number of the account.'),
    reference: textOption('Your own reference; it is returned with the message and its events.'),
    queue: switchOption('Do not wait for Meta: store the message, and send it as soon as the limits allow.'),
    at: textOption('Send it at this date-time, up to 30 days ahead, such as 2026-12-01T09:00:00Z.'),
    'dry-run': switchOption(
      'Check everything and print what would happen, without sending. Exits with 1 if the message would be rejected.',
    ),
    wait: switchOption(
      'Print each status until the message is delivered, read or failed. Exits with 1 if it failed or timed out.',
    ),
    timeout: textOption(`How many seconds --wait waits. Default ${waitSecondsDefault}.`),
    ...gatewayOptions,
    json: switchOption('One JSON object per line on stdout.'),
  },
  async run(invocation) {
    const { flags, positionals, output } = invocation
    noWords(positionals)
    const draft = readDraft(flags)
    const waitSeconds = readWait(flags)
    const { client, baseUrl } = await gatewayClient(invocation)
    try {
      if (flags['dry-run'] === true) return tellDryRun(output, await post<DryRun>(client, draft, '?dry_run=true'))
      const sent = await post<Sent>(client, draft)
      tellStatus(output, { message_id: sent.message_id, status: sent.status })
      return waitSeconds === null ? exitCodes.ok : await follow({ client, output, sent, waitSeconds })
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
  },
}

/** The body of the call, under its names on the wire. */
function readDraft(flags: Flags): Draft {
  const [text, template, file] = [textFlag(flags, 'text'), textFlag(flags, 'template'), textFlag(flags, 'file')]
  if ([text, template, file].filter((given) => given !== null).length !== 1) {
    throw wrongUsage('Give one of --text, --template and --file.')
  }
  const [language, values] = [textFlag(flags, 'language'), [flags.var ?? []].flat().map(String)]
  if (template === null && (language !== null || values.length > 0)) {
    throw wrongUsage('--language and --var are for --template only.')
  }
  if (file !== null) return readFromFile(flags)
  if (textFlag(flags, 'type') !== null) throw wrongUsage('--type is for --file only.')
  const common = { to: requiredFlag(flags, 'to', '+12025550100'), ...readCommon(flags) }
  if (template === null) return { kind: 'send', body: { ...common, message: text } }
  const components = values.length > 0 ? [{ type: 'body', parameters: readValues(values) }] : []
  return { kind: 'template', body: { ...common, template, language: language ?? 'en_US', components } }
}

/** Flags win over what stands in the file, so that one file serves for many customers. */
function readFromFile(flags: Flags): Draft {
  const kind = types.find((type) => type === requiredFlag(flags, 'type', 'interactive'))
  if (!kind) throw wrongUsage(`--type: Use ${types.join(', ')}.`)
  const body = jsonFile(flags, 'message.json')
  const to = 'to' in body ? textFlag(flags, 'to') : requiredFlag(flags, 'to', '+12025550100')
  return { kind, body: { ...body, ...(to === null ? {} : { to }), ...readCommon(flags) } }
}

function readCommon(flags: Flags): Record<string, string | boolean> {
  const texts = {
    from: textFlag(flags, 'from'),
    client_reference: textFlag(flags, 'reference'),
    send_at: textFlag(flags, 'at'),
  }
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== null)
  return { ...Object.fromEntries(given), ...(flags.queue === true ? { queue: true } : {}) }
}

/** By name where all are written so. Which names there are is for the gateway to say: its refusal lists them. */
function readValues(given: readonly string[]): object[] {
  const named = given.flatMap((value) => {
    const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(value) ?? []
    return name === undefined ? [] : [{ type: 'text', parameter_name: name, text }]
  })
  if (named.length === given.length) return named
  if (named.length > 0) {
    const name = named[0]?.parameter_name
    throw wrongUsage(`Write every --var as name=value, or none. If '${name}=…' is itself a value, write '=${name}=…'.`)
  }
  return given.map((value) => ({ type: 'text', text: value.replace(/^=/, '') }))
}

function readWait(flags: Flags): number | null {
  const seconds = countFlag(flags, 'timeout', { max: 3_600 })
  if (flags.wait !== true) {
    if (seconds !== null) throw wrongUsage('--timeout is for --wait only.')
    return null
  }
  if (flags['dry-run'] === true)
    throw wrongUsage('--dry-run sends nothing to wait for: use either --dry-run or --wait.')
  return seconds ?? waitSecondsDefault
}

async function post<Data>(client: Postern, { kind, body }: Draft, query = ''): Promise<Data> {
  const path = `/v1/chat/messages/${kind}${query}`
  const response = await client.request<Response>({ method: 'POST', path, body, expect: 'response' })
  return ((await response.json()) as { data: Data }).data
}

function tellStatus(output: Output, sent: Sent & { error?: object }): void {
  const time = new Date().toTimeString().slice(0, 8)
  output.result(sent, `${time}  ${sent.status.padEnd(9)}  ${sent.message_id}\n`)
}

/** Looks are counted against the quotas of the plan: ever rarer ones make about a dozen in 30 s. */
const pauseMs = { first: 250, growth: 1.5, max: 4_000 }
type Following = { client: Postern; output: Output; sent: Sent; waitSeconds: number }

async function follow({ client, output, sent, waitSeconds }: Following): Promise<number> {
  const signal = AbortSignal.timeout(waitSeconds * 1_000)
  const told = new Set(['queued', sent.status])
  try {
    for (let ms = pauseMs.first; ; ms = Math.min(ms * pauseMs.growth, pauseMs.max)) {
      await delay(ms, undefined, { signal })
      const message = await client.messages.get(sent.message_id, { signal })
      for (const status of [...message.history.map((step) => step.status), message.status]) {
        if (!told.has(status))
          tellStatus(output, { message_id: sent.message_id, status, ...failureOf(message, status) })
        told.add(status)
      }
      if (message.status === 'delivered' || message.status === 'read') return exitCodes.ok
      if (message.status === 'canceled') {
        output.note('It was canceled, and will not be sent.')
        return exitCodes.failure
      }
      if (message.status === 'failed') return tellFailure(message, output)
    }
  } catch (error) {
    if (!signal.aborted) {
      // Without this, it reads as if the message was refused, and people send it again.
      output.note('The message was sent, but cannot be followed:')
      throw error
    }
    output.note(`Not delivered within ${waitSeconds} s; it may still arrive. Use --timeout to wait longer.`)
    return exitCodes.failure
  }
}

function failureOf({ error }: Message, status: string): { error?: { code: string; message: string } } {
  return status === 'failed' && error ? { error: { code: error.code, message: error.message } } : {}
}

function tellFailure({ error }: Message, output: Output): number {
  if (error)
    output.note(`${error.message}\n  ${error.code}${error.upstream?.detail ? `: ${error.upstream.detail}` : ''}`)
  return exitCodes.failure
}

function tellDryRun(output: Output, dry: DryRun): number {
  const { would_send, template, window, content, quota, pace, problems } = dry
  const lines: (readonly [string, string])[] = [['would send', would_send ? 'yes' : 'no']]
  for (const { code, message, details } of problems) {
    lines.push(['problem', `${code}: ${message}`], ...detailLines(message, details).map((line) => ['', line] as const))
  }
  if (template) lines.push(['template', `${template.name} (${template.language}, ${template.category})`])
  if (typeof content?.text === 'string') lines.push(['text', content.text.replaceAll('\n', `\n${' '.repeat(12)}`)])
  if (window) lines.push(['window', window.state === 'open' ? `open until ${window.expires_at}` : window.state])
  if (pace && would_send) lines.push(['leaves', pace.wait_ms === 0 ? 'immediately' : `in ${pace.wait_ms} ms`])
  if (quota) lines.push(['quota left', `${quota.hour_remaining} this hour, ${quota.day_remaining} today`])
  output.result(dry, pairs(lines))
  return would_send ? exitCodes.ok : exitCodes.failure
}
