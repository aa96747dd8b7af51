import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts'
import { dayMs, type LostAnswer, lostAnswers } from '../lost-answers.ts'
import { type EngineName, freshDatabase } from '../postgres/databases.ts'
import { recordFigure, scaled } from '../proof.ts'
import { waitFor } from '../wait-for.ts'
import { freePort, prepareAccount, startGateway } from './killed-gateway.ts'

const sends = scaled(250)
const isLong = scaled(1) > 1
// A restart costs as much as a thousand sends.
const kills = Math.min(60, scaled(2))
const concurrency = 24
/** The platform accepts one message in so many and loses its answer: each way to do so happens in every run. */
const lossEvery = 10
/** Repeats mostly wait. */
const repeatsAtOnce = 100
/** Only the long proof waits out the minute for which a key is held. */
const patienceMs = isLong ? 120_000 : 0

/** How a send ended for the client: `sent`, `no answer`, or the code of the refusal. */
type Outcome = string

/** The test of one engine: a file for each, so that they run side by side. */
export function sendsWithKills(engine: EngineName): void {
  describe(`sends with kill -9 of the gateway, on ${engine}`, () => {
    test(
      'every accepted message is at the platform exactly once, and none is there twice',
      async () => {
        const database = await freshDatabase(engine)
        await using cleanup = new AsyncDisposableStack()
        cleanup.defer(() => database.remove())
        const sandbox = await startSandbox({
          port: 0,
          development: true,
          // Statuses gather for half a second, as a busy platform's do: one callback for each would be most of the work.
          scenario: {
            delays: { sent_ms: 0, delivered_ms: 5 },
            callbacks: { flush_ms: 500, never_read: true },
            throttle: false,
          },
          messagesMax: sends * 2,
        })
        cleanup.defer(() => sandbox.close())
        const port = await freePort()
        const base = `http://127.0.0.1:${port}`
        const env: Record<string, string> = {
          POSTERN_DATA_DIR: database.folder,
          POSTERN_SANDBOX_LISTEN: 'off',
          POSTERN_LISTEN: `127.0.0.1:${port}`,
          POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
          POSTERN_BASE_URL: base,
          POSTERN_WINDOW_POLICY: 'platform',
          // How soon a send is answered is promised elsewhere: here a busy machine must not make an outcome unknown.
          POSTERN_SEND_TIMEOUT_MS: '20000',
          POSTERN_CHANNEL_TIMEOUT_MS: '20000',
          // Long enough for statuses that gather, short for those that come a day later or never.
          POSTERN_SEND_SETTLE_WAIT_MS: '1000',
          POSTERN_REQUEST_LOG: 'off',
          POSTERN_LOG_LEVEL: 'error',
          ...(database.database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.database.url } : {}),
        }
        let gateway = await startGateway(env)
        cleanup.defer(() => gateway.destroy())
        const setup = await prepareAccount(env, sandbox.url)
        cleanup.defer(() => setup.close())
        const outcomes = new Map<string, Outcome>()
        const lossOf = new Map<string, LostAnswer>()
        const repeats: string[] = []
        let next = 0
        let up: Promise<unknown> = Promise.resolve()
        const worker = async () => {
          while (next < sends) {
            await up
            const nth = next++
            const reference = `ref-${String(nth).padStart(7, '0')}`
            // Outside the window a message fails by its status, and a repeat would be told of that.
            const customer = { phone_number_id: setup.numberId, phone_number: customerOf(reference) }
            sandbox.control.setCustomer({ ...customer, window: 'open' })
            const loss = nth % lossEvery === 0 ? lostAnswers[(nth / lossEvery) % lostAnswers.length] : undefined
            if (loss) lossOf.set(reference, loss)
            // A second call for the message would be taken, and seen.
            if (loss) sandbox.control.addRule({ when: whenSentTo(reference), count: 1, do: loss.effects })
            const outcome = await sendUntilTaken(base, setup.token, reference)
            outcomes.set(reference, outcome)
            // What a careful client does: the same request again, under the same key.
            if (outcome !== 'sent') repeats.push(reference)
          }
        }
        const workers = Promise.all(Array.from({ length: concurrency }, worker))
        for (let kill = 1; kill <= kills; kill++) {
          const at = Math.floor((sends * kill) / (kills + 1))
          await waitFor(() => next >= at, 600_000)
          await pause(randomInt(1, 20)) // a moment nobody chose, between two commits or after them
          gateway.signal('SIGKILL')
          const restarted = gateway.ended.then(() => startGateway(env))
          up = restarted
          gateway = await restarted
          // The long proof outlives a token.
          await setup.renewToken()
        }
        await workers
        // A repeat waits for most of the time that a send may take: the usual 10 s are enough for these.
        gateway.signal('SIGTERM')
        expect(await gateway.ended).toBe(0)
        gateway = await startGateway({ ...env, POSTERN_SEND_TIMEOUT_MS: '10000' })
        await setup.renewToken()
        const repeated: Outcome[] = []
        for (let at = 0; at < repeats.length; at += repeatsAtOnce) {
          const some = repeats.slice(at, at + repeatsAtOnce)
          repeated.push(...(await Promise.all(some.map((reference) => repeatUntilTold(base, setup.token, reference)))))
        }
        // Sent now, or nobody knows: never refused for another reason, and never sent a second time (below).
        const told = ['sent', 'send_outcome_unknown', ...(patienceMs > 0 ? [] : ['idempotency_in_progress'])]
        expect(repeated.filter((outcome) => !told.includes(outcome))).toEqual([])

        const atPlatform = new Map<string, number>()
        for (const reference of textsAt(sandbox)) atPlatform.set(reference, (atPlatform.get(reference) ?? 0) + 1)
        const doubled = [...atPlatform].filter(([, count]) => count > 1)
        const answered = [...outcomes].filter(([, outcome]) => outcome !== 'no answer')
        expect(doubled).toEqual([])
        expect(answered.filter(([reference]) => !atPlatform.has(reference))).toEqual([])
        const counts = Object.groupBy(outcomes.values(), (outcome) => outcome)
        // At most what was in flight at a kill may end without an answer. Nothing is refused, and only a lost answer is unknown.
        const isExpected = ([reference, outcome]: [string, Outcome]) =>
          outcome === 'sent' || (outcome === 'send_outcome_unknown' && lossOf.get(reference)?.isLost)
        expect(answered.filter((one) => !isExpected(one))).toEqual([])
        expect(counts['no answer']?.length ?? 0).toBeLessThanOrEqual(kills * concurrency)

        // Whatever reached the platform settles through its statuses, also where the answer was lost, and by nothing else.
        const unsettled = async () => {
          const queued = await listed(base, setup.token, 'queued')
          return queued.filter((reference) => atPlatform.has(reference))
        }
        const isNeverTold = (reference: string) => lossOf.get(reference)?.telling === 'never'
        sandbox.control.advance(dayMs)
        await waitFor(async () => (await unsettled()).every(isNeverTold), 60_000)
        const unknownForEver = answered.filter(([reference, outcome]) => outcome !== 'sent' && isNeverTold(reference))
        expect(await unsettled()).toEqual(expect.arrayContaining(unknownForEver.map(([reference]) => reference)))
        expect(await listed(base, setup.token, 'failed')).toEqual([])
        const shown = Object.entries(counts)
          .map(([outcome, list]) => `${outcome} ${list?.length}`)
          .join(', ')
        recordFigure(
          'sends with kills',
          engine,
          `${engine}: ${sends} sends, ${kills} kills: ${shown}; doubled 0, lost 0`,
        )
      },
      isLong ? 7_200_000 : 240_000,
    )
  })
}

/** Everything the platform accepted, page by page. */
function textsAt(sandbox: Sandbox): string[] {
  const texts: string[] = []
  for (let after = ''; ; ) {
    const { data } = sandbox.control.messages({ direction: 'outbound', limit: 10_000, after })
    texts.push(...data.map(({ text }) => String(text)))
    if (data.length < 10_000) return texts
    after = String(data.at(-1)?.id)
  }
}

/** Of another country than the sandbox's own numbers: a number cannot send to itself. */
function customerOf(reference: string): string {
  return `+49301${reference.slice(4)}`
}

function whenSentTo(reference: string) {
  return { endpoint: 'messages', to: customerOf(reference) }
}

/** An overloaded gateway refuses before it does anything; a careful client comes again. */
async function sendUntilTaken(base: string, token: string, reference: string): Promise<Outcome> {
  for (;;) {
    const outcome = await sendOne(base, token, reference)
    if (outcome !== 'service_unavailable') return outcome
    await pause(1_000)
  }
}

async function sendOne(base: string, token: string, reference: string): Promise<Outcome> {
  const to = customerOf(reference)
  try {
    const response = await fetch(`${base}/v1/chat/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': reference },
      body: JSON.stringify({ to, message: reference, client_reference: reference }),
    })
    const { error } = (await response.json()) as { error?: { code: string } }
    if (response.status === 200) return 'sent'
    return error?.code ?? 'no code'
  } catch {
    return 'no answer'
  }
}

/** The key of a request that died is held for a minute; until then its repeats wait 10 s and are told to come again. */
async function repeatUntilTold(base: string, token: string, reference: string): Promise<Outcome> {
  const end = performance.now() + patienceMs
  for (;;) {
    const outcome = await sendOne(base, token, reference)
    if (!['idempotency_in_progress', 'no answer'].includes(outcome) || performance.now() > end) return outcome
  }
}

/** The references of all messages in this state. */
async function listed(base: string, token: string, status: 'queued' | 'failed'): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const url = `${base}/v1/chat/messages?status=${status}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as {
      data: { messages: { client_reference: string }[]; pagination: { next_cursor: string | null } }
    }
    found.push(...data.messages.map((message) => message.client_reference))
    cursor = data.pagination.next_cursor
  }
  return found
}
