import { buffer } from 'node:stream/consumers'
import { errors, webhooks } from '@postern/sdk'
import { type Command, type Flags, type Host, switchOption, textOption } from '../command.ts'
import { readEnvironment } from '../env.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { noWords, readText, requiredFlag, textFlag } from '../read-flags.ts'

type Headers = Readonly<Record<string, readonly string[]>>
type Given = { body: Buffer; headers: Headers; secret: string }
type Reason = errors.WebhookVerificationReason | 'body_not_json'
type Verdict =
  | { valid: true; id: string; type: string; age_seconds: number }
  | { valid: false; reason: Reason; message: string }

export const verify: Command = {
  name: 'verify',
  summary: 'Check the signature of a webhook delivery, offline. Exits with 1 if it is not valid.',
  examples: [
    'postern verify --secret-file secret.txt --headers headers.txt < body.json',
    'POSTERN_WEBHOOK_SECRET=whsec_… postern verify --headers headers.json --any-age --json < body.json',
  ],
  options: {
    'secret-file': textOption('File with the secret of the webhook. Without it: POSTERN_WEBHOOK_SECRET.'),
    headers: textOption(
      'File with the headers of the delivery: lines such as "webhook-id: evt_…", or one JSON object.',
    ),
    'any-age': switchOption('Accept a delivery of any age. Receivers reject signatures older than 5 minutes.'),
    json: switchOption('One JSON object per line on stdout.'),
  },
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const secret = readSecret(flags, host)
    const file = requiredFlag(flags, 'headers', 'headers.txt')
    const given = { secret, headers: readHeaders(readText(file), file), body: await readBody(host) }
    const verdict = judge(given, { anyAge: flags['any-age'] === true })
    output.result(verdict, describe(verdict))
    return verdict.valid ? exitCodes.ok : exitCodes.failure
  },
}

function readSecret(flags: Flags, { env }: Host): string {
  const file = textFlag(flags, 'secret-file')
  const secret = (file === null ? (readEnvironment(env).webhookSecret ?? '') : readText(file)).trim()
  if (file === null && secret === '') throw wrongUsage('Give --secret-file, or set POSTERN_WEBHOOK_SECRET.')
  try {
    webhooks.sign({ id: '', body: '', secret })
    return secret
  } catch (error) {
    // Says what is wrong with it without a character of it.
    if (error instanceof TypeError) throw wrongUsage(`${error.message}.`)
    throw error
  }
}

async function readBody({ stdin }: Host): Promise<Buffer> {
  const body = stdin.isTTY ? Buffer.alloc(0) : await buffer(stdin)
  if (body.length === 0) throw wrongUsage('Give the body on stdin, as it arrived: postern verify … < body.json.')
  return body
}

/**
 * As a person copied them: from a log, from `curl -v` with its `<` and `>`, out of an object with quotes, or as JSON.
 */
function readHeaders(text: string, file: string): Headers {
  const found: Record<string, string[]> = {}
  const add = (name: string, value: string) => {
    const own = name.toLowerCase()
    found[own] = [...(Object.hasOwn(found, own) ? (found[own] ?? []) : []), value]
  }
  const json = parseObject(text)
  for (const [name, value] of Object.entries(json ?? {})) for (const one of [value].flat()) add(name, String(one))
  for (const line of json ? [] : text.split(/\r?\n/)) {
    const [, name, rest = ''] = /^[\s<>*]*["']?([A-Za-z][\w-]*)["']?\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) add(name, /^(["'])(.*)\1,?$/.exec(rest)?.[2] ?? rest)
  }
  if (Object.keys(found).length > 0) return found
  throw wrongUsage(`There are no headers in ${file}: write lines such as "webhook-id: evt_…", or one JSON object.`)
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** The signature first, then the age: of an old delivery it is worth knowing that everything else is right. */
function judge(given: Given, { anyAge }: { anyAge: boolean }): Verdict {
  const timestamp = given.headers['webhook-timestamp']?.[0] ?? ''
  const age_seconds = Math.round(Date.now() / 1_000 - Number(timestamp))
  try {
    const { type } = webhooks.verify({ ...given, toleranceSeconds: Number.POSITIVE_INFINITY })
    if (!anyAge) webhooks.verify(given)
    return { valid: true, id: given.headers['webhook-id']?.[0] ?? '', type, age_seconds }
  } catch (error) {
    if (error instanceof TypeError) return { valid: false, reason: 'body_not_json', message: `${error.message}.` }
    if (!(error instanceof errors.WebhookVerificationError)) throw error
    return { valid: false, reason: error.reason, message: explain(error.reason, given, age_seconds) }
  }
}

function explain(reason: errors.WebhookVerificationReason, given: Given, ageSeconds: number): string {
  if (reason === 'missing_headers') return explainMissing(given.headers)
  if (reason === 'no_signature_matches') return explainMismatch(given)
  if (Number.isNaN(ageSeconds)) return 'webhook-timestamp is not a number of seconds.'
  const when = ageSeconds < 0 ? 'in the future: check the clocks' : 'ago, and receivers allow 5 min'
  return `The signature matches, but it was made ${durationText(ageSeconds)} ${when}. --any-age ignores that.`
}

function explainMissing(headers: Headers): string {
  const needed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const missing = needed.filter((name) => !headers[name]?.[0])
  if (missing.join() === 'webhook-signature') {
    return 'The header webhook-signature is missing: the webhook has no secret, or the header was not copied.'
  }
  return `Missing header ${missing.join(', ')}: copy all headers of the delivery.`
}

/** A signature does not tell what was changed; but what usually happens to a body can be undone, and tried. */
function explainMismatch(given: Given): string {
  const { body, headers } = given
  const [id] = headers['webhook-id'] ?? []
  const parsed = parseObject(body.toString('utf8'))
  if (isId(id) && isId(parsed?.id) && parsed?.id !== id) {
    return `Headers and body are from two different deliveries: webhook-id is ${id}, the id in the body is ${parsed?.id}.`
  }
  const bytes = body.toString('latin1')
  const repairs: [body: Buffer, harm: string][] = [
    [Buffer.from(bytes.replace(/\r?\n$/, ''), 'latin1'), 'a line break was added at its end'],
    [Buffer.from(bytes.replace(/^\xEF\xBB\xBF/, ''), 'latin1'), 'a byte order mark was added before it'],
    [Buffer.from(JSON.stringify(parsed)), 'it was parsed and serialized again'],
  ]
  const harm = repairs.find(([repaired]) => isSigned({ ...given, body: repaired }))?.[1]
  if (harm !== undefined)
    return `The secret is right, but the body was changed: ${harm}. Keep the bytes as they arrive.`
  return 'No signature matches: the body was changed, or the secret is not the one of this webhook.'
}

/** Nobody has vouched for these headers and this body, so only what looks like an id is shown. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
}

function isSigned(given: Given): boolean {
  try {
    webhooks.verify({ ...given, toleranceSeconds: Number.POSITIVE_INFINITY })
    return true
  } catch {
    return false
  }
}

function describe(verdict: Verdict): string {
  if (!verdict.valid) return `Not valid: ${verdict.message}\n`
  const { type, id, age_seconds } = verdict
  return `Valid: ${type} ${id}, signed ${durationText(age_seconds)} ${age_seconds < 0 ? 'in the future' : 'ago'}.\n`
}

/** `42 s`, `7 min`, `3 h 5 min`, `2 d 4 h`. */
function durationText(seconds: number): string {
  const whole = Math.abs(seconds)
  const [minutes, hours, days] = [Math.floor(whole / 60), Math.floor(whole / 3_600), Math.floor(whole / 86_400)]
  if (days > 0) return `${days} d ${hours % 24} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min` : `${whole} s`
}
