import { nearest } from '@postern/server/tools.ts'
import { eventPatterns } from '@postern/server/words.ts'
import { type Command, type Flags, type Output, switchOption, textOption } from '../../command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { explainGateway, gatewayClient, gatewayOptions } from '../../gateway/gateway-client.ts'
import { type Delivery, forwardEvents } from '../../listen/forward-events.ts'
import type { LocalAnswer } from '../../listen/post-local.ts'
import { noWords, requiredFlag } from '../../read-flags.ts'
import { untilAskedToStop } from '../../signals.ts'

export const listen: Command = {
  name: 'listen',
  summary: 'Forward events to a server on this machine, signed like real deliveries. Ends with Ctrl+C.',
  examples: [
    'postern listen --forward-to http://localhost:3000/hooks',
    "postern listen --forward-to localhost:3000/hooks --events 'message.*' --json",
  ],
  options: {
    'forward-to': textOption('Where each event is posted, such as http://localhost:3000/hooks.'),
    events: {
      ...textOption("Types such as message.received, or 'message.*'; comma-separated or repeated. Without it: all."),
      multiple: true,
    },
    ...gatewayOptions,
    json: switchOption('One JSON object per line on stdout.'),
  },
  async run(invocation) {
    const { flags, positionals, output, host } = invocation
    noWords(positionals)
    const url = readTarget(requiredFlag(flags, 'forward-to', 'http://localhost:3000/hooks'))
    const events = readEvents(flags)
    const { client, baseUrl } = await gatewayClient(invocation)
    const stopping = new AbortController()
    void untilAskedToStop(() => stopping.abort(), host)
    const seen = { forwarded: 0, accepted: 0 }
    try {
      await forwardEvents({
        client,
        url,
        events,
        signal: stopping.signal,
        onListening: (listening) => tellSecret(output, listening, { url, events }),
        onForwarded(delivery, answer) {
          seen.forwarded += 1
          if (isAccepted(answer)) seen.accepted += 1
          tellAnswer(output, delivery, answer)
        },
        onNote: output.note,
      })
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
    output.note(forwardedLine(seen))
    return seen.forwarded > 0 && seen.accepted === 0 ? exitCodes.failure : exitCodes.ok
  },
}

export function forwardedLine({ forwarded, accepted }: { forwarded: number; accepted: number }): string {
  const events = forwarded === 1 ? '1 event' : `${forwarded} events`
  return `Forwarded ${events}; ${accepted} ${accepted === 1 ? 'was' : 'were'} accepted.`
}

/** `localhost:3000/hooks` will do. A port alone will not: as a URL, 3000 is the address 0.0.11.184. */
function readTarget(text: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol) || /^\d+(\/|$)/.test(text)) {
    throw wrongUsage('--forward-to is an http or https address, such as http://localhost:3000/hooks.')
  }
  if (url.username !== '' || url.password !== '')
    throw wrongUsage('--forward-to does not accept a user name or password.')
  url.hash = ''
  return url
}

function readEvents(flags: Flags): string | null {
  const given = [flags.events ?? []].flat().flatMap((entry) => String(entry).split(','))
  const wanted = given.map((entry) => entry.trim()).filter((entry) => entry !== '')
  for (const one of wanted) requireKnown(one, eventPatterns, '--events')
  return wanted.length > 0 ? [...new Set(wanted)].join(',') : null
}

/** Refuses an event type nobody publishes, and guesses what was meant. */
export function requireKnown(type: string, known: readonly string[], what: string): void {
  if (known.includes(type)) return
  const guess = nearest(type, known, 4)
  const advice = guess === undefined ? `Types are ${known.join(', ')}.` : `Did you mean '${guess}'?`
  throw wrongUsage(`${what}: there is no event type '${type}'. ${advice}`)
}

function tellSecret(
  output: Output,
  { webhook_id, secret }: { webhook_id: string; secret: string },
  { url, events }: { url: URL; events: string | null },
): void {
  output.result(
    { event: 'listening', secret, webhook_id, forward_to: url.href, events: events?.split(',') ?? ['*'] },
    `Signing secret  ${secret}\n`,
  )
  output.note(
    `The secret stays the same for this API key. Forwarding ${events ?? 'all events'} to ${url.href}, log ${webhook_id}.`,
  )
}

function isAccepted(answer: LocalAnswer): boolean {
  return 'statusCode' in answer && answer.statusCode >= 200 && answer.statusCode <= 299
}

function tellAnswer(output: Output, { event_id, delivery_id, type }: Delivery, answer: LocalAnswer): void {
  const { durationMs } = answer
  const failure = 'errorCode' in answer ? answer : null
  const statusCode = 'statusCode' in answer ? answer.statusCode : null
  const time = new Date().toTimeString().slice(0, 8)
  const said = failure ? `no response  ${failure.errorMessage}` : `${statusCode}  ${durationMs} ms`
  output.result(
    {
      event: 'forwarded',
      event_id,
      delivery_id,
      type,
      status_code: statusCode,
      error_code: failure?.errorCode ?? null,
      error_message: failure?.errorMessage ?? null,
      duration_ms: durationMs,
    },
    `${time}  ${type}  ${event_id}  ${said}\n`,
  )
}
