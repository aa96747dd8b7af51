import { existsSync, openAsBlob } from 'node:fs'
import { type Command, type Flags, switchOption, textOption } from '../../command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { downloadCommand } from '../../gateway/download-command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'
import { listFlag, requiredFlag, textFlag } from '../../read-flags.ts'

type Broadcast = {
  id: string
  name: string
  status: string
  reason: string | null
  counts: Record<string, number>
  rate: { per_second: number; ends_at: string } | null
}
type Upload = {
  rows: number
  accepted: number
  invalid: number
  duplicates: number
  problems: { line: number; column: string | null; message: string }[]
  problems_total: number
}
type Estimate = {
  recipients: number
  countries: { country: string | null; count: number }[]
  skipped: Record<string, number>
  cost: { amount: string; currency: string } | null
  duration_seconds: number | null
  limited_by: string
}

const anId = 'bct_01kb3m7y3t4d0v9v4k6q1t7r2c'

function progressOf({ id, name, status, reason, counts, rate }: Broadcast): string {
  const shown = Object.entries(counts).filter(([, count]) => count > 0)
  const lines = [
    `${id}  ${name}`,
    `status      ${status}${reason === null ? '' : ` (${reason})`}`,
    ...shown.map(([what, count]) => `${what.padEnd(11)} ${count.toLocaleString('en')}`),
    ...(rate === null ? [] : [`ends about  ${rate.ends_at}`]),
  ]
  return `${lines.join('\n')}\n`
}

function uploadText({ accepted, invalid, duplicates, problems, problems_total: total }: Upload): string {
  const shown = problems.slice(0, 10)
  const lines = shown.map(
    ({ line, column, message }) => `  line ${line}${column === null ? '' : `, ${column}`}: ${message}`,
  )
  const more = total > shown.length ? [`  and ${total - shown.length} more`] : []
  return `${[`${accepted} accepted, ${invalid} rejected, ${duplicates} duplicates`, ...lines, ...more].join('\n')}\n`
}

function estimateText({
  recipients,
  countries,
  skipped,
  cost,
  duration_seconds: seconds,
  limited_by: by,
}: Estimate): string {
  const lines = [
    `recipients  ${recipients.toLocaleString('en')}`,
    ...countries.slice(0, 10).map(({ country, count }) => `  ${country ?? '?'}        ${count.toLocaleString('en')}`),
    ...Object.entries(skipped).map(([reason, count]) => `skipped     ${count} ${reason}`),
    `cost        ${cost === null ? 'unknown: no rate card for every country' : `at most ${cost.amount} ${cost.currency}`}`,
    `duration    ${seconds === null ? 'unknown' : `${seconds} s`}, limited by ${by.replaceAll('_', ' ')}`,
  ]
  return `${lines.join('\n')}\n`
}

function action(name: 'pause' | 'resume' | 'cancel', summary: string, warning?: string): Command {
  return gatewayCommand<Broadcast>({
    name: `broadcasts ${name}`,
    summary,
    examples: [`postern broadcasts ${name} ${anId}${warning ? ' --yes' : ''}`],
    words: ['broadcast id'],
    ...(warning ? { warning } : {}),
    call: ([id]) => ({ method: 'POST', path: `/v1/chat/broadcasts/${id}/${name}` }),
    text: progressOf,
  })
}

function componentsOf(flags: Flags): unknown {
  const text = textFlag(flags, 'components')
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    throw wrongUsage('--components must be JSON, as in a send; {{column}} stands for a value of the recipient.')
  }
}

export const broadcasts: readonly Command[] = [
  listCommand<Broadcast>({
    name: 'broadcasts list',
    summary: 'List broadcasts, newest first.',
    examples: ['postern broadcasts list', 'postern broadcasts list --status running --json'],
    path: () => '/v1/chat/broadcasts',
    member: 'broadcasts',
    filters: { status: { query: 'status', help: 'draft, scheduled, running, paused, completed or canceled.' } },
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      status: ({ status, reason }) => (reason === null ? status : `${status} (${reason})`),
      recipients: ({ counts }) => String(counts.accepted ?? 0),
      sent: ({ counts }) => String(counts.sent ?? 0),
    },
  }),
  gatewayCommand<Broadcast>({
    name: 'broadcasts create',
    summary: 'Create a broadcast. Upload its recipients next.',
    examples: [
      'postern broadcasts create --name "Spring sale" --template spring_sale --language en_US',
      `postern broadcasts create --name Orders --template order_ready --language en_US --components '[{"type":"body","parameters":[{"type":"text","text":"{{name|customer}}"}]}]'`,
    ],
    options: {
      name: textOption('Your name for it.'),
      template: textOption('The template.'),
      language: textOption('Its language, such as en_US.'),
      components: textOption('Values of the template as JSON, with {{column}} for those of each recipient.'),
      from: textOption('One of your numbers. Default: your default number.'),
    },
    call(_, flags) {
      const body = {
        name: requiredFlag(flags, 'name', 'Spring sale'),
        template: requiredFlag(flags, 'template', 'spring_sale'),
        language: requiredFlag(flags, 'language', 'en_US'),
        components: componentsOf(flags),
        from: textFlag(flags, 'from'),
      }
      return { method: 'POST', path: '/v1/chat/broadcasts', body }
    },
    text: ({ id }) => `${id}\nNext: postern broadcasts upload ${id} --file recipients.csv\n`,
  }),
  gatewayCommand<Upload>({
    name: 'broadcasts upload',
    summary: 'Add recipients to a broadcast, from a CSV file or one JSON object in each line.',
    examples: [
      `postern broadcasts upload ${anId} --file recipients.csv`,
      `postern broadcasts upload ${anId} --file recipients.ndjson --dry-run`,
    ],
    words: ['broadcast id'],
    options: {
      file: textOption('The file; one that ends in .ndjson or .jsonl has a JSON object in each line.'),
      'dry-run': switchOption('Only check the file.'),
      replace: switchOption('Replace all recipients.'),
      'to-column': textOption('The column with the phone numbers.'),
    },
    async call([id], flags) {
      const file = requiredFlag(flags, 'file', 'recipients.csv')
      if (!existsSync(file)) throw wrongUsage(`--file: ${file} does not exist.`)
      const type = /\.(ndjson|jsonl)$/i.test(file) ? 'application/x-ndjson' : 'text/csv'
      const query = {
        dry_run: flags['dry-run'] === true ? 'true' : undefined,
        replace: flags.replace === true ? 'true' : undefined,
        to_column: textFlag(flags, 'to-column') ?? undefined,
      }
      const lines = { type, content: await openAsBlob(file) }
      return { method: 'POST', path: `/v1/chat/broadcasts/${id}/recipients`, query, lines }
    },
    text: uploadText,
  }),
  gatewayCommand<Estimate>({
    name: 'broadcasts estimate',
    summary: 'Estimate the reach, duration and maximum cost of a broadcast.',
    examples: [`postern broadcasts estimate ${anId}`],
    words: ['broadcast id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/broadcasts/${id}/estimate` }),
    text: estimateText,
  }),
  gatewayCommand<Broadcast>({
    name: 'broadcasts start',
    summary: 'Start a broadcast, now or at a time.',
    examples: [
      `postern broadcasts start ${anId} --recipients 48211`,
      `postern broadcasts start ${anId} --recipients 48211 --at 2026-12-01T09:00:00Z`,
    ],
    words: ['broadcast id'],
    options: {
      recipients: textOption('The number of recipients you expect; if it differs, nothing starts.'),
      at: textOption('When to start.'),
    },
    call([id], flags) {
      const recipients = requiredFlag(flags, 'recipients', '48211')
      if (!/^\d+$/.test(recipients)) throw wrongUsage('--recipients: give a number.')
      const body = { recipients: Number(recipients), start_at: textFlag(flags, 'at') }
      return { method: 'POST', path: `/v1/chat/broadcasts/${id}/start`, body }
    },
    text: progressOf,
  }),
  action('pause', 'Pause a broadcast. No new recipients are processed.'),
  action('resume', 'Resume a paused broadcast.'),
  action('cancel', 'Cancel a broadcast permanently.', 'Recipients who have not been processed get nothing.'),
  gatewayCommand<Broadcast>({
    name: 'broadcasts show',
    summary: 'Show the progress of a broadcast.',
    examples: [`postern broadcasts show ${anId}`],
    words: ['broadcast id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/broadcasts/${id}` }),
    text: progressOf,
  }),
  gatewayCommand<Broadcast>({
    name: 'broadcasts copy',
    summary: 'Create a draft from some recipients of a broadcast, such as failed ones.',
    examples: [
      `postern broadcasts copy ${anId}`,
      `postern broadcasts copy ${anId} --result failed --code recipient_unreachable --name "Second try"`,
    ],
    words: ['broadcast id'],
    options: {
      result: textOption('Whom to copy, comma-separated. Default: failed.'),
      code: textOption('Of those, only with these codes, comma-separated.'),
      name: textOption('Your name for the draft.'),
      'accept-duplicates': switchOption('Also those who may already have the message.'),
    },
    call([id], flags) {
      const codes = listFlag(flags, 'code')
      const body = {
        results: listFlag(flags, 'result') ?? ['failed'],
        ...(codes ? { codes } : {}),
        name: textFlag(flags, 'name'),
        accept_duplicates: flags['accept-duplicates'] === true,
      }
      return { method: 'POST', path: `/v1/chat/broadcasts/${id}/copy`, body }
    },
    text: ({ id, counts }) => `${id}\nRecipients: ${counts.accepted}. Nothing is sent before you start it.\n`,
  }),
  downloadCommand({
    name: 'broadcasts export',
    summary: 'Write the recipients of a broadcast and their results to a CSV file.',
    examples: [`postern broadcasts export ${anId} --out results.csv`],
    word: 'the broadcast id',
    example: 'results.csv',
    options: { result: textOption('Only these, such as failed.') },
    call: (id, flags) => ({
      method: 'GET',
      path: `/v1/chat/broadcasts/${id}/recipients.csv`,
      query: { result: textFlag(flags, 'result') ?? undefined },
    }),
    result: (id) => ({ id }),
  }),
]
