import { setTimeout as delay } from 'node:timers/promises'
import { errors, type Postern } from '@postern/sdk'
import { type LocalAnswer, postLocal } from './post-local.ts'

export type Delivery = {
  delivery_id: string
  event_id: string
  type: string
  receipt: string
  headers: Record<string, string>
  body: string
}

export type Forwarding = {
  client: Postern
  url: URL
  /** Event types and patterns; null: everything. */
  events: string | null
  signal: AbortSignal
  /** Once, before the first event. */
  onListening(listening: { webhook_id: string; secret: string }): void
  onForwarded(delivery: Delivery, answer: LocalAnswer): void
  onNote(text: string): void
}

type Listening = { webhook_id: string; secret: string; at: string }
/** The last event that was posted, for when the gateway refuses the cursor. */
type Seen = { since: string | undefined; eventId: string | undefined }

/** The gateway says a word every 15 s; three missed ones are a broken connection. */
const silentMs = 45_000
const pauseMs = { first: 250, max: 2_000 }
/** A stream that ended sooner would only end again. */
const shortMs = 1_000
/** Receivers refuse signatures older than five minutes. */
const signatureMsMax = 120_000

/**
 * Follows the events of the account and posts them, one after the other, until the signal. When the gateway goes away
 * it comes back to it, behind the last event that was posted: nothing is lost, and nothing is posted twice by one run.
 * Fails when the gateway cannot be reached at the start, or refuses.
 */
export async function forwardEvents(forwarding: Forwarding): Promise<void> {
  const { client, events, signal, onNote } = forwarding
  let cursor: string | undefined
  const seen: Seen = { since: undefined, eventId: undefined }
  for (let failures = 0; !signal.aborted; failures++) {
    const startedAt = performance.now()
    try {
      const from = cursor === undefined ? { since: seen.since } : { cursor }
      const query = { ...(events === null ? {} : { events }), ...from }
      const response = await client.request<Response>(
        { method: 'GET', path: '/v1/listen', query, expect: 'response' },
        { signal, maxRetries: 0 },
      )
      if (failures > 1) onNote('Reconnected.')
      failures = 0
      // Continuing by time repeats the last event; continuing by a cursor repeats only an event that is sent again by
      // hand.
      const repeated = cursor === undefined ? seen.eventId : undefined
      for await (const position of take(forwarding, response, seen, repeated)) cursor = position
    } catch (error) {
      if (signal.aborted) return
      if (cursor !== undefined && isForgotten(error)) {
        onNote(`${(error as Error).message} Continuing with the events since ${seen.since}.`)
        cursor = undefined
        failures = 0
        continue
      }
      if (seen.since === undefined || !isPassing(error)) throw error
      if (failures === 1) onNote('The gateway does not respond; retrying until it does.')
    }
    if (performance.now() - startedAt < shortMs) await pause(Math.max(1, failures), signal)
  }
}

/** Deals with what a stream brings, and yields where to go on after each step. */
async function* take(
  forwarding: Forwarding,
  response: Response,
  seen: Seen,
  repeated: string | undefined,
): AsyncGenerator<string> {
  let taken = 0
  let toSkip = repeated
  for await (const { id, event, data } of readMessages(response, silentMs)) {
    if (event === 'listening' && seen.since === undefined) {
      const listening = JSON.parse(data) as Listening
      forwarding.onListening(listening)
      seen.since = listening.at
    }
    if (event === 'delivery') {
      const delivery = JSON.parse(data) as Delivery
      // It waited behind others for too long: the gateway signs it anew.
      if (taken > 0 && ageMs(delivery) > signatureMsMax) return
      if (delivery.event_id === toSkip) toSkip = undefined
      else if (!(await forwardOne(forwarding, delivery))) return
      seen.since = timestampOf(delivery) ?? seen.since
      seen.eventId = delivery.event_id
      taken += 1
    }
    yield id
  }
}

function timestampOf({ body }: Delivery): string | undefined {
  return (JSON.parse(body) as { timestamp?: string }).timestamp
}

function ageMs({ headers }: Delivery): number {
  return Date.now() - Number(headers['webhook-timestamp']) * 1_000
}

/** False when it was interrupted, so that nobody can say what became of it. */
async function forwardOne(forwarding: Forwarding, delivery: Delivery): Promise<boolean> {
  const { url, signal } = forwarding
  const answer = await postLocal(url, delivery, { signal })
  if (signal.aborted) return false
  forwarding.onForwarded(delivery, answer)
  await reportAnswer(forwarding, delivery, answer)
  return true
}

/** Until the gateway has it: one that restarts right now gets it a moment later. */
async function reportAnswer({ client, url, signal, onNote }: Forwarding, { receipt }: Delivery, answer: LocalAnswer) {
  const { durationMs, ...rest } = answer
  const told =
    'statusCode' in rest
      ? { statusCode: rest.statusCode, responseHeaders: rest.headers, responseBody: rest.body }
      : rest
  const body = { receipt, url: url.href, durationMs, ...told }
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await client.request({ method: 'POST', path: '/v1/listen/attempts', body }, { signal })
      return
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error)) return onNote(`The gateway did not accept the response for its log: ${String(error)}`)
      await pause(failures, signal)
    }
  }
}

/** A connection that broke, or a refusal that says it can be tried again. */
function isPassing(error: unknown): boolean {
  return !(error instanceof errors.PosternError) || error instanceof errors.ConnectionError || error.retryable
}

/** The data were restored from a backup, the master key was rotated, or two weeks have passed. */
function isForgotten(error: unknown): boolean {
  return error instanceof errors.PosternError && error.code === 'invalid_cursor'
}

async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(pauseMs.first * 2 ** (failures - 1), pauseMs.max)
  await delay(ms, undefined, { signal }).catch(() => {})
}

type StreamMessage = { id: string; event: string; data: string }

/**
 * The messages of a stream of server-sent events, as they arrive. Comments count as a sign of life and are not handed
 * on; after `silentMs` without one the stream is taken for dead, since a broken connection can look like a quiet one.
 */
export async function* readMessages(response: Response, silentMs: number): AsyncGenerator<StreamMessage> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  try {
    let rest = ''
    for (;;) {
      const { value, done } = await inTime(reader.read(), silentMs)
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = toMessage(block)
        if (message) yield message
      }
    }
  } finally {
    // Not awaited: on a broken connection this may never end.
    void reader.cancel().catch(() => {})
  }
}

/** Lines of one message; null for a comment. Ours never spread data over several lines. */
function toMessage(block: string): StreamMessage | null {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
  return id === undefined || event === undefined || data === undefined ? null : { id, event, data }
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream is silent.')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
